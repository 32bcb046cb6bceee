"""The bytes of documents."""

from typing import Protocol


class Files(Protocol):
    """A key is opaque: `<account>/<invoice>`; one outside of letters, digits, `_`, `-` and single slashes is a
    ValueError. ServiceError 503 while out of reach."""

    async def write(self, key: str, data: bytes) -> None:
        """Durable once it returns; nothing half-written otherwise."""
        ...

    async def read(self, key: str) -> bytes:
        """FileNotFoundError where there is none."""
        ...

    async def delete(self, key: str) -> None:
        """No error where there is none."""
        ...

    async def tidy(self) -> int:
        """Remove what crashes left half-written; returns how many."""
        ...

    async def close(self) -> None: ...
