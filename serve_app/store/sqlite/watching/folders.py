"""Watched folders."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.watched_folder import FolderScan, WatchedFile, WatchedFolder
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.watching import file_from, file_row, folder_from, folder_row, scan_values
from serve_app.store.sqlite.engine.connection import Database
from serve_app.store.sqlite.engine.driver import sqlite3

_ADD = """
    INSERT INTO watched_folders
    SELECT :id, id, :place, :added_at, :is_paused, :holder, :leased_until, :scanned_at, :problem, :waiting, :done,
        :failed
    FROM accounts WHERE id = :account_id
    ON CONFLICT DO NOTHING
"""
_LIST = "SELECT * FROM watched_folders ORDER BY added_at, id"
_THIS = "WHERE id = :id AND account_id = :account_id"
_PAUSE = f"UPDATE watched_folders SET is_paused = :is_paused {_THIS}"  # noqa: S608 - a constant
_REMOVE = f"DELETE FROM watched_folders {_THIS}"  # noqa: S608
_REMOVE_FILES = "DELETE FROM watched_files WHERE folder_id = :id AND account_id = :account_id"
_LEASE = f"""
    UPDATE watched_folders SET holder = :holder, leased_until = :until
    {_THIS} AND NOT is_paused AND (holder IS NULL OR holder = :holder OR leased_until < :now)
"""  # noqa: S608
_RELEASE = f"UPDATE watched_folders SET holder = NULL, leased_until = NULL {_THIS} AND holder = :holder"  # noqa: S608
_RECORD_SCAN = f"""
    UPDATE watched_folders
    SET scanned_at = :scanned_at, problem = :problem, waiting = :waiting, done = done + :done, failed = failed + :failed
    {_THIS}
"""  # noqa: S608
_CLAIM = """
    INSERT INTO watched_files (folder_id, sha256, account_id, invoice_id, found_at)
    VALUES (:folder_id, :sha256, :account_id, :invoice_id, :found_at)
    ON CONFLICT DO NOTHING
"""
_FILE = "SELECT * FROM watched_files WHERE folder_id = :folder_id AND sha256 = :sha256"


class SqliteWatchedFolders:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, folder: WatchedFolder) -> bool:
        return await self._changes(_ADD, id=str(folder.id), **folder_row(folder))

    async def list_all(self) -> list[WatchedFolder]:
        return [folder_from(row) for row in await self._database.read(lambda c: c.execute(_LIST).fetchall())]

    async def set_paused(self, account_id: UUID, folder_id: UUID, is_paused: bool) -> bool:
        return await self._changes(_PAUSE, **_this(account_id, folder_id), is_paused=int(is_paused))

    async def remove(self, account_id: UUID, folder_id: UUID) -> bool:
        this = _this(account_id, folder_id)

        def remove(connection: sqlite3.Connection) -> bool:
            connection.execute(_REMOVE_FILES, this)
            return connection.execute(_REMOVE, this).rowcount == 1

        return await self._database.write(remove)

    async def lease(self, folder: WatchedFolder, holder: UUID, now: datetime, until: datetime) -> bool:
        times = {"now": to_micros(now), "until": to_micros(until)}
        return await self._changes(_LEASE, **_this(folder.account_id, folder.id), holder=str(holder), **times)

    async def release(self, folder: WatchedFolder, holder: UUID) -> None:
        await self._changes(_RELEASE, **_this(folder.account_id, folder.id), holder=str(holder))

    async def record_scan(self, folder: WatchedFolder, scan: FolderScan) -> None:
        counts = {"done": scan.done, "failed": scan.failed}
        await self._changes(_RECORD_SCAN, **_this(folder.account_id, folder.id), **scan_values(scan), **counts)

    async def claim_file(self, file: WatchedFile) -> WatchedFile:
        row = file_row(file)

        def claim(connection: sqlite3.Connection) -> WatchedFile:
            connection.execute(_CLAIM, row)
            return file_from(connection.execute(_FILE, row).fetchone())

        return await self._database.write(claim)

    async def _changes(self, statement: str, **values: object) -> bool:
        return await self._database.write(lambda c: c.execute(statement, values).rowcount == 1)


def _this(account_id: UUID, folder_id: UUID) -> dict[str, str]:
    return {"id": str(folder_id), "account_id": str(account_id)}
