"""The content of a checkpoint, as a hash."""

from hashlib import file_digest, sha256
from pathlib import Path
from typing import Protocol

# Only weights stored as plain data: a pickle could run code.
FILES = ["*.json", "*.txt", "*.model", "*.safetensors", "graph.onnx"]
PROVENANCE = "provenance.json"
"""Tells where a checkpoint comes from, and changes no answer."""


class _Hash(Protocol):
    def update(self, data: bytes, /) -> None: ...


def files_of(folder: Path) -> list[Path]:
    """The files of a checkpoint, by name."""
    found = {path for pattern in FILES for path in folder.glob(pattern) if path.is_file()}
    return sorted(path for path in found if path.name != PROVENANCE)


def update_with_files(whole: _Hash, folder: Path) -> None:
    """Add the names and the content of a checkpoint's files to a hash."""
    for path in files_of(folder):
        whole.update(path.name.encode())
        with path.open("rb") as file:
            whole.update(file_digest(file, "sha256").digest())


def content_hash(folder: Path) -> str:
    """The SHA-256 of a checkpoint's files, in hexadecimal."""
    whole = sha256()
    update_with_files(whole, folder)
    return whole.hexdigest()
