"""What a cache of results depends on besides its inputs: the program."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path


def digest_of_sources(root: Path, patterns: Iterable[str], but: str | None = None) -> bytes:
    """The SHA-256 of the files below `root` that match one of the patterns, and do not match `but`."""
    whole = sha256()
    kept = {path for pattern in patterns for path in root.glob(pattern) if path.is_file()}
    for path in sorted(kept - set(root.glob(but) if but else ())):
        whole.update(path.read_bytes())
    return whole.digest()
