"""A database as a whole, for backups."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SchemaVersions:
    """The version of the schema in a database, and the oldest version whose program works on it."""

    present: int
    oldest: int


@dataclass(frozen=True, slots=True)
class DatabaseCopy:
    """A database as it was at one moment: its content in parts of a few MB, and, once these have been read, the keys of
    the files that it names and the ids of its invoices."""

    parts: AsyncIterator[bytes]
    file_keys: set[str]
    invoices: set[str]


class WholeDatabase(Protocol):
    """Raises Unavailable while the storage is unreachable."""

    kind: str
    """What only the same kind of database can be restored from."""
    schema: int
    """The version of the schema that this program writes."""

    def copied(self) -> AbstractAsyncContextManager[DatabaseCopy]:
        """A copy, while the service runs. Raises UserError if the database cannot give one of a single moment."""
        ...

    async def versions(self) -> SchemaVersions | None:
        """What is in the database, which is not changed; None if there is none, or no version is recorded in it."""
        ...

    async def find_content(self) -> str | None:
        """What is there that a restore could mix with, in words; None if there is nothing. What a restore put there
        that was cut off does not count, since `fill` replaces it."""
        ...

    async def fill(self, parts: AsyncIterator[bytes]) -> None:
        """Put what was copied into the empty database. Until it is whole, no service starts on it. Raises UserError if
        what was copied is damaged, or if something else has appeared there."""
        ...

    async def clear(self) -> None:
        """Remove what `fill` put there, after a restore that was only tried."""
        ...

    async def close(self) -> None: ...
