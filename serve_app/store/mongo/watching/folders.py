"""Watched folders."""

from datetime import datetime
from uuid import UUID

from serve_app.domain.watched_folder import FolderScan, WatchedFile, WatchedFolder
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.watching import file_from, file_row, folder_from, folder_row, scan_values

_EVERY: Row = {"_id": {"$gt": ""}}


class MongoWatchedFolders:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, folder: WatchedFolder) -> bool:
        row = folder_row(folder)

        async def add(collections: Collections) -> bool:
            # No folder may outlive its account.
            if await collections.accounts.find_one({"_id": row["account_id"]}, {"_id": 1}) is None:
                return False
            this = {"_id": str(folder.id)}
            changed = await collections.watched_folders.update_one(this, {"$setOnInsert": row}, upsert=True)
            return changed.upserted_id is not None

        return await self._database.write(add)

    async def list_all(self) -> list[WatchedFolder]:
        # Few: operators add them, one by one.
        rows = await self._database.read(lambda collections: collections.watched_folders.find(_EVERY).to_list(None))
        return sorted((folder_from(named(row)) for row in rows), key=lambda folder: (folder.added_at, str(folder.id)))

    async def set_paused(self, account_id: UUID, folder_id: UUID, is_paused: bool) -> bool:
        return await self._changes(_this(account_id, folder_id), {"$set": {"is_paused": int(is_paused)}})

    async def remove(self, account_id: UUID, folder_id: UUID) -> bool:
        of_folder = {"account_id": str(account_id), "folder_id": str(folder_id)}

        async def remove(collections: Collections) -> bool:
            # The folder last: after a crash, somebody can still remove the rest.
            await collections.watched_files.delete_many(of_folder)
            return (await collections.watched_folders.delete_one(_this(account_id, folder_id))).deleted_count == 1

        return await self._database.write(remove)

    async def lease(self, folder: WatchedFolder, holder: UUID, now: datetime, until: datetime) -> bool:
        free = [{"holder": None}, {"holder": str(holder)}, {"leased_until": {"$lt": to_micros(now)}}]
        this = _this(folder.account_id, folder.id) | {"is_paused": 0, "$or": free}
        return await self._changes(this, {"$set": {"holder": str(holder), "leased_until": to_micros(until)}})

    async def release(self, folder: WatchedFolder, holder: UUID) -> None:
        this = _this(folder.account_id, folder.id) | {"holder": str(holder)}
        await self._changes(this, {"$set": {"holder": None, "leased_until": None}})

    async def record_scan(self, folder: WatchedFolder, scan: FolderScan) -> None:
        counts = {"done": scan.done, "failed": scan.failed}
        await self._changes(_this(folder.account_id, folder.id), {"$set": scan_values(scan), "$inc": counts})

    async def claim_file(self, file: WatchedFile) -> WatchedFile:
        row = file_row(file)
        this = {"_id": f"{file.account_id}/{file.folder_id}/{file.sha256}"}

        async def claim(collections: Collections) -> Row:
            await collections.watched_files.update_one(this, {"$setOnInsert": row}, upsert=True)
            standing: Row | None = await collections.watched_files.find_one(this)
            return row if standing is None else standing

        return file_from(await self._database.write(claim))

    async def _changes(self, this: Row, change: Row) -> bool:
        async def update(collections: Collections) -> bool:
            return (await collections.watched_folders.update_one(this, change)).matched_count == 1

        return await self._database.write(update)


def _this(account_id: UUID, folder_id: UUID) -> Row:
    return {"_id": str(folder_id), "account_id": str(account_id)}
