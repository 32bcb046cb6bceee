"""The key that signs download links; it must never reach a log or an answer."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

KEY_BYTES = 32


def load_signing_key(path: Path) -> str:
    """The key kept in the file at `path`; made there first, readable by its owner only, where there is none."""
    if not path.exists():
        _make(path)
    return path.read_text().strip()


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        # Written aside and linked into place: another process that starts at the same time reads a whole key or none.
        aside = path.with_name(f".{path.name}.{os.getpid()}")
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(KEY_BYTES))
            os.link(aside, path)
        finally:
            aside.unlink()
