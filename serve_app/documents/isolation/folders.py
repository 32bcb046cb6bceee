"""The folder that a reader process works in.

A lock says that it is in use: the kernel releases it when the program that made it ends, however it does. Containers
that share the folder for temporary files see each other's locks, but not each other's processes.
"""

import fcntl
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Those of 1.0.0 begin otherwise: they have no lock while they are in use.
_PREFIX = "invoices-reader-"


def make_folder() -> "tempfile.TemporaryDirectory[str]":
    """An empty folder, removed by `cleanup` or when the program ends."""
    while True:
        folder = tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
        # Another program may remove it before it is locked.
        with suppress(FileNotFoundError):
            lock = os.open(folder.name, os.O_RDONLY | os.O_DIRECTORY)
            weakref.finalize(folder, os.close, lock)
            fcntl.flock(lock, fcntl.LOCK_SH)
            if Path(folder.name).exists():
                return folder


def remove_left_behind() -> None:
    """Remove the folders of programs that were killed before they could do so."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # In use, another user's, or removed meanwhile.
        with suppress(OSError), _locked(folder):
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Raises OSError if it cannot be locked at once."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(lock)
