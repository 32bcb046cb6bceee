"""An SQLite database as a whole, for backups."""

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import BinaryIO

from serve_app.domain.user_error import UserError
from serve_app.private_folders import make_private_folder, sync_folder
from serve_app.store.base.copies import DatabaseCopy, SchemaVersions
from serve_app.store.sqlite.driver import sqlite3
from serve_app.store.sqlite.schema import MIGRATIONS, versions
from serve_app.store.sqlite.trouble import answer_for

_PART_BYTES = 4 * 2**20
_NAMED = """
    SELECT file_key AS key FROM invoices WHERE document_gone_at IS NULL
    UNION SELECT evidence_key FROM invoices WHERE evidence_key IS NOT NULL
    UNION SELECT 'mails/' || account_id || '/' || id FROM mails
        WHERE state NOT IN ('arriving', 'doomed') AND document ->> '$.has_raw'
"""


class SqliteWhole:
    """The database in the file at `path`."""

    kind = "sqlite"
    schema = len(MIGRATIONS)

    def __init__(self, path: Path) -> None:
        self._path = path

    @asynccontextmanager
    async def copied(self) -> AsyncIterator[DatabaseCopy]:
        """The copy lies beside the database for the time being, which therefore needs as much free space. Writers of
        the service go on meanwhile; the log grows, because it is read from."""
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix=".backup-", dir=self._path.parent))
        try:
            copy = folder / self._path.name
            names, invoices = await asyncio.to_thread(_copy, self._path, copy)
            yield DatabaseCopy(_parts_of(copy), names, invoices)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def versions(self) -> SchemaVersions | None:
        return await asyncio.to_thread(_versions, self._path) if self._path.exists() else None

    async def is_empty(self) -> bool:
        return not await asyncio.to_thread(self._path.exists)

    async def fill(self, parts: AsyncIterator[bytes]) -> None:
        """The file appears at its path when it is whole."""
        aside = self._path.with_name(f".{self._path.name}.restored")
        try:
            await asyncio.to_thread(make_private_folder, self._path.parent)
            with await asyncio.to_thread(_open_private, aside) as file:
                async for part in parts:
                    await asyncio.to_thread(file.write, part)
                await asyncio.to_thread(_sync, file)
            await asyncio.to_thread(_check, aside)
            aside.rename(self._path)
            sync_folder(self._path.parent)
        finally:
            with suppress(OSError):
                aside.unlink(missing_ok=True)

    async def close(self) -> None:
        """Nothing is held open."""


def _copy(source: Path, target: Path) -> tuple[set[str], set[str]]:
    """Copy the database as it is at this moment, and return the keys of the files that it names and the ids of its
    invoices. Raises UserError if the copy is not sound, Unavailable if it cannot be made."""
    try:
        with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as reading:
            _create(target)
            with closing(sqlite3.connect(target)) as copying:
                # In one go: between steps, every write of another process would let it begin again.
                reading.backup(copying)
                # The copy is one file, without a log beside it.
                copying.execute("PRAGMA journal_mode = DELETE")
                if (found := _damage(copying)) is not None:
                    raise UserError(f"the database {source} is damaged ({found}): no backup is made of it")
                names = {row[0] for row in copying.execute(_NAMED)}
                return names, {row[0] for row in copying.execute("SELECT id FROM invoices")}
    except (sqlite3.Error, OSError) as error:
        raise answer_for(error) from error


def _versions(path: Path) -> SchemaVersions:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return SchemaVersions(*versions(connection))
    except sqlite3.Error as error:
        raise answer_for(error) from error


def _check(path: Path) -> None:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        if (found := _damage(connection)) is not None:
            raise UserError(f"the database in the backup is damaged ({found}); try another snapshot")


def _damage(connection: sqlite3.Connection) -> str | None:
    try:
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        found = str(error)
    return None if found == "ok" else found


async def _parts_of(path: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(path.open, "rb") as file:
        while part := await asyncio.to_thread(file.read, _PART_BYTES):
            yield part


def _create(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _open_private(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
