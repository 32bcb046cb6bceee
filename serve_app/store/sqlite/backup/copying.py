"""An SQLite database as a whole, for backups."""

import os
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import BinaryIO

from serve_app.domain.backup import DamagedBackup
from serve_app.domain.user_error import UserError
from serve_app.store.base.copies import DatabaseCopy, SchemaVersions
from serve_app.store.sqlite.backup.damage import find_damage, find_gross_damage
from serve_app.store.sqlite.backup.work_folder import work_folder
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.errors import answer_for
from serve_app.store.sqlite.engine.file import database_files
from serve_app.store.sqlite.engine.opening import connect
from serve_app.store.sqlite.schema import VERSION, versions
from serve_app.system.private_folders import make_private_folder, sync_folder
from serve_app.system.thread_pools import DATABASE

_PART_BYTES = 4 * 2**20
_BUSY_SECONDS = 5.0
_NAMED = """
    SELECT file_key AS key FROM invoices WHERE document_gone_at IS NULL
    UNION SELECT evidence_key FROM invoices WHERE evidence_key IS NOT NULL
    UNION SELECT 'mails/' || account_id || '/' || id FROM mails
        WHERE state NOT IN ('arriving', 'doomed') AND document ->> '$.has_raw'
"""


class SqliteWhole:
    """The database in the file at `path`."""

    kind = "sqlite"
    schema = VERSION

    def __init__(self, path: Path) -> None:
        self._path = path

    @asynccontextmanager
    async def copied(self) -> AsyncIterator[DatabaseCopy]:
        """The copy lies beside the database for the time being, which therefore needs as much free space. Writers of
        the service go on meanwhile; the log grows, because it is read from."""
        async with _work_folder(self._path.parent) as folder:
            copy = folder / self._path.name
            names, invoices = await DATABASE.run(_copy, self._path, copy)
            yield DatabaseCopy(_parts_of(copy), names, invoices)

    async def versions(self) -> SchemaVersions | None:
        return await DATABASE.run(_versions, self._path) if self._path.exists() else None

    async def find_content(self) -> str | None:
        return await DATABASE.run(_present, self._path)

    async def fill(self, parts: AsyncIterator[bytes]) -> None:
        """The file appears at its path when it is whole; if the service would find it damaged there, it is taken away
        again."""
        await DATABASE.run(make_private_folder, self._path.parent)
        async with _work_folder(self._path.parent) as folder:
            whole = folder / self._path.name
            with await DATABASE.run(_open_private, whole) as file:
                async for part in parts:
                    await DATABASE.run(file.write, part)
                await DATABASE.run(_sync, file)
            await DATABASE.run(_put_in_place, whole, self._path)

    async def clear(self) -> None:
        await DATABASE.run(_remove, self._path)

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
                if found := find_gross_damage(copying):
                    raise UserError(f"the database {source} is damaged ({found[0]}): no backup is made of it")
                _forget_deployment(copying)
                names = {row[0] for row in copying.execute(_NAMED)}
                return names, {row[0] for row in copying.execute("SELECT id FROM invoices")}
    except (sqlite3.Error, OSError) as error:
        if isinstance(error, sqlite3.OperationalError) and not hasattr(error, "sqlite_errorcode"):
            # The driver gives errors of a copy no code.
            raise UserError(f"the database cannot be copied in the folder {source.parent} ({error})") from error
        raise answer_for(error) from error


def _forget_deployment(copying: sqlite3.Connection) -> None:
    """What is restored is another deployment, which must not work on the files of this one."""
    if copying.execute("SELECT 1 FROM sqlite_schema WHERE name = 'deployment'").fetchone() is not None:
        with copying:
            copying.execute("DELETE FROM deployment")


def _versions(path: Path) -> SchemaVersions:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return SchemaVersions(*versions(connection))
    except sqlite3.Error as error:
        raise answer_for(error) from error


def _present(path: Path) -> str | None:
    """The files of a database that are at the path, dangling links included; None if there are none."""
    found = [str(file) for file in database_files(path) if os.path.lexists(file)]
    if not found:
        return None
    verb = "is" if len(found) == 1 else "are"
    return f"{', '.join(found)} {verb} there ({path}, -wal, -shm and -journal belong together)"


def _put_in_place(whole: Path, path: Path) -> None:
    """Move a database to its path. Raises UserError if it is damaged, or if anything has appeared there meanwhile."""
    with closing(sqlite3.connect(f"{whole.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        if found := find_gross_damage(connection):
            raise _damaged(found[0])
    if (present := _present(path)) is not None:
        raise UserError(f"another program wrote to the target during the restore: {present}")
    whole.rename(path)
    sync_folder(path.parent)
    try:
        _check_as_service(path)
    except BaseException:
        _remove(path)
        raise


def _remove(path: Path) -> None:
    for file in database_files(path):
        file.unlink(missing_ok=True)


def _check_as_service(path: Path) -> None:
    """Open the database as the service does. Raises UserError if it is damaged."""
    with closing(connect(path, _BUSY_SECONDS)) as connection:
        if found := find_damage(connection):
            raise _damaged(found[0])


def _damaged(found: str) -> DamagedBackup:
    return DamagedBackup(f"the database in the backup is damaged ({found}); try another snapshot")


@asynccontextmanager
async def _work_folder(parent: Path) -> AsyncIterator[Path]:
    with ExitStack() as stack:
        folder = await DATABASE.run(stack.enter_context, work_folder(parent))
        try:
            yield folder
        finally:
            await DATABASE.run(stack.close)


async def _parts_of(path: Path) -> AsyncIterator[bytes]:
    with await DATABASE.run(path.open, "rb") as file:
        while part := await DATABASE.run(file.read, _PART_BYTES):
            yield part


def _create(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _open_private(path: Path) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
