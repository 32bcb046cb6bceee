"""Keys that a deployment makes for itself and keeps in files; they must never reach a log or an answer."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4


def kept_key(path: Path, make: Callable[[], str]) -> str:
    """The key in the file at `path`; made there first, readable by its owner only, where there is none. OSError where
    the file cannot be read or made."""
    if not path.exists():
        _keep(path, make())
    return path.read_text().strip()


def _keep(path: Path, key: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written aside and linked into place: another process that starts at the same time reads a whole key or none.
    aside = path.with_name(f".{path.name}.{uuid4().hex}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        # Where another was first, its key is the one.
        with suppress(FileExistsError):
            os.link(aside, path)
    finally:
        aside.unlink()
    _make_durable(path.parent)


def _make_durable(folder: Path) -> None:
    """The names in the folder outlive a loss of power, as what will be sealed with the key does."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
