"""Keys that a deployment generates and keeps in files. They must never appear in a log or a response."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4


def kept_key(path: Path, make: Callable[[], str]) -> str:
    """The key in the file at `path`. If there is no file, creates it with a new key, readable by its owner only. Raises
    OSError if the file cannot be read or created."""
    if not path.exists():
        _keep(path, make())
    return path.read_text().strip()


def _keep(path: Path, key: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written to a temporary file and linked into place, so that a concurrently starting process reads a whole key or
    # none.
    aside = path.with_name(f".{path.name}.{uuid4().hex}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        # If another process was first, its key is used.
        with suppress(FileExistsError):
            os.link(aside, path)
    finally:
        aside.unlink()
    _make_durable(path.parent)


def _make_durable(folder: Path) -> None:
    """Sync the folder's entries to disk: the key must survive a power loss, as the secrets sealed with it do."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
