"""The bytes of documents."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as it is listed. `version` is another text once the file with this key has other bytes."""

    key: str
    version: str


class Files(Protocol):
    """A key is opaque: `<account>/<invoice>`. Raises ValueError if it contains anything but letters, digits, `_`, `-`
    and single slashes, and Unavailable while the storage is unreachable."""

    async def write(self, key: str, data: bytes) -> None:
        """Durable once it returns; if it fails, no partial file can be read."""
        ...

    async def read(self, key: str) -> bytes:
        """Raises FileNotFoundError if there is no such file."""
        ...

    async def delete(self, key: str) -> None:
        """No-op if there is no such file."""
        ...

    async def keys_in(self, folder: str) -> list[str]:
        """The keys of all files that begin with `folder` and a slash, in any order."""
        ...

    def list_all(self) -> AsyncIterator[StoredFile]:
        """All files, in any order. One that is written or deleted meanwhile may be among them or not."""
        ...

    async def tidy(self) -> int:
        """Remove partial files that crashes left; returns how many."""
        ...

    async def close(self) -> None: ...
