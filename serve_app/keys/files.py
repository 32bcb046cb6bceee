"""Keys that a deployment keeps in files. They must never appear in a log or a response."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from serve_app.system.private_folders import close_to_others, make_private_folder, sync_folder


def kept_key(path: Path, make: Callable[[], str]) -> str:
    """The key in the file at `path`. If there is no file, creates it with a new key. Raises OSError if the file cannot
    be read or created."""
    key = read_key(path)
    return make_key(path, make) if key is None else key


def read_key(path: Path) -> str | None:
    """The text of the file at `path`, without the white space around it; None if there is no file. A file of this user
    that others could read is made readable by its owner only. Raises OSError if it cannot be read."""
    try:
        close_to_others(path)
        return path.read_text(errors="replace").strip()
    except FileNotFoundError:
        return None


def replace_key(path: Path, text: str) -> None:
    """Write another text into the file at `path`, at once and durably. Raises OSError if it cannot be written."""
    aside = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        _write_private(aside, text)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
    sync_folder(path.parent)


def make_key(path: Path, make: Callable[[], str]) -> str:
    """Create the file at `path` with a new key, readable by its owner only; returns the key that the file then has,
    which is another process's if that was first. Raises OSError if the file cannot be created."""
    make_private_folder(path.parent)
    # Written to a temporary file and linked into place, so that a concurrently starting process reads a whole key or
    # none.
    aside = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        _write_private(aside, make())
        # If another process was first, its key is used.
        with suppress(FileExistsError):
            os.link(aside, path)
    finally:
        aside.unlink(missing_ok=True)
    # The key must survive a power loss, as the secrets sealed with it do.
    sync_folder(path.parent)
    return path.read_text().strip()


def _write_private(path: Path, text: str) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
