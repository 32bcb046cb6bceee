"""Folders beside a database for copies of it, which nobody needs once the process that made them is gone."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PREFIX = ".backup-"


@contextmanager
def work_folder(parent: Path) -> Iterator[Path]:
    """A new private folder in `parent`, removed at the end. Removes those that killed processes left."""
    with _locked(parent):
        _remove_abandoned(parent)
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        # Held until the end: the kernel frees it when the process is gone, however it ended.
        lock = _lock(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_abandoned(parent: Path) -> None:
    """Remove the folders of processes that were killed: a copy of the database holds all that was deleted since."""
    with _locked(parent):
        _remove_abandoned(parent)


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            lock = _lock(folder, fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    lock = _lock(folder)
    try:
        yield
    finally:
        os.close(lock)


def _lock(folder: Path, flags: int = 0) -> int:
    """The descriptor that holds the lock. Raises BlockingIOError with LOCK_NB if another one does."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | flags)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
