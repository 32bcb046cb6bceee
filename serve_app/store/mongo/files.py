"""The bytes of documents in GridFS, the files of a MongoDB database.

A file consists of chunks and, written last, the document that makes it exist. While a file is being written or deleted
there is a note of it, so that what a crash leaves unfinished is found without scanning all chunks.
"""

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

from bson import ObjectId
from gridfs.errors import CorruptGridFile, NoFile
from motor.motor_asyncio import AsyncIOMotorGridFSBucket
from pymongo import ASCENDING, DESCENDING

from serve_app.domain.clock import utc_now
from serve_app.store.base.files import StoredFile
from serve_app.store.files.keys import check_key
from serve_app.store.mongo.engine.client import database_name, open_client
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.indexes import FILE_INDEXES
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import to_micros

_FILES, _CHUNKS, _UNFINISHED = "fs.files", "fs.chunks", "fs.unfinished"
_LONGEST_WRITE = timedelta(hours=1)
_LISTED_TOGETHER = 1000
_NEWEST = [("uploadDate", DESCENDING), ("_id", DESCENDING)]


def open_gridfs(url: str, client: Any = None) -> "GridFsFiles":
    """The files of the database that the URL names; connects on the first operation. Raises ValueError if it is not a
    MongoDB URL. `client` is used instead of a new connection."""
    opened = open_client(url) if client is None else client
    return GridFsFiles(Database(opened, database_name(url), indexes=FILE_INDEXES))


class GridFsFiles:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, key: str, data: bytes) -> None:
        check_key(key)
        await self._database.write_at_length(lambda collections: _write(collections, key, data))

    async def read(self, key: str) -> bytes:
        check_key(key)
        return await self._database.read_at_length(lambda collections: _read(collections, key))

    async def delete(self, key: str) -> None:
        check_key(key)
        # A deletion that a failover may still undo does not count.
        ids = await self._database.read_confirmed(lambda collections: _ids(collections, {"filename": key}))
        await self._database.write_at_length(lambda collections: _delete(collections, ids))

    async def keys_in(self, folder: str) -> list[str]:
        check_key(folder)
        inside = {"filename": {"$regex": f"^{folder}/"}}
        return await self._database.read_confirmed(lambda collections: _names(collections, inside))

    async def list_all(self) -> AsyncIterator[StoredFile]:
        last: ObjectId | None = None
        while found := await self._database.read_at_length(partial(_next_files, after=last)):
            for file in found:
                yield StoredFile(file["filename"], str(file["_id"]))
            last = found[-1]["_id"]

    async def tidy(self) -> int:
        """Remove what crashes during a write or a deletion left behind; returns how many files."""
        return await self._database.write_at_length(_tidy)

    async def close(self) -> None:
        await self._database.close()


async def _write(collections: Collections, key: str, data: bytes) -> None:
    id = ObjectId()
    await _note(collections, id)
    await AsyncIOMotorGridFSBucket(collections).upload_from_stream_with_id(id, key, data)
    with defer_on_failure("the deletion of an older version"):
        await _end_note(collections, id)
        this: Row | None = await collections[_FILES].find_one({"_id": id})
        if this is not None:
            # Of two concurrent writers, only the later one removes the other's file.
            older = {"filename": key, "uploadDate": {"$lte": this["uploadDate"]}, "_id": {"$lt": id}}
            await _delete(collections, await _ids(collections, older))


async def _read(collections: Collections, key: str) -> bytes:
    bucket = AsyncIOMotorGridFSBucket(collections)
    while (file := await collections[_FILES].find_one({"filename": key}, sort=_NEWEST)) is not None:
        try:
            data: bytes = await (await bucket.open_download_stream(file["_id"])).read()
            return data
        except (CorruptGridFile, NoFile):
            # Deleted or replaced while it was read. Otherwise it is corrupt, which must not be reported as missing.
            if await collections[_FILES].find_one({"_id": file["_id"]}) is not None:
                raise
    raise FileNotFoundError(f"there is no file {key}")


async def _ids(collections: Collections, which: Row) -> list[ObjectId]:
    return [file["_id"] for file in await collections[_FILES].find(which, {"_id": 1}).to_list(None)]


async def _names(collections: Collections, which: Row) -> list[str]:
    files = await collections[_FILES].find(which, {"filename": 1}).to_list(None)
    return sorted({file["filename"] for file in files})


async def _next_files(collections: Collections, after: ObjectId | None) -> list[Row]:
    """The next ones in the order of their ids, by which a newer version of a file follows an older one."""
    query = {} if after is None else {"_id": {"$gt": after}}
    found = collections[_FILES].find(query, {"filename": 1}).sort("_id", ASCENDING)
    return await found.limit(_LISTED_TOGETHER).to_list(None)


async def _delete(collections: Collections, ids: list[ObjectId]) -> None:
    bucket = AsyncIOMotorGridFSBucket(collections)
    for id in ids:
        await _note(collections, id)
        with suppress(NoFile):
            await bucket.delete(id)
        await _end_note(collections, id)


async def _tidy(collections: Collections) -> int:
    old = {"made_at": {"$lt": to_micros(utc_now() - _LONGEST_WRITE)}}
    removed = 0
    for note in await collections[_UNFINISHED].find(old).to_list(None):
        if await collections[_FILES].find_one({"_id": note["_id"]}, {"_id": 1}) is None:
            chunks = await collections[_CHUNKS].delete_many({"files_id": note["_id"]})
            removed += int(chunks.deleted_count > 0)
        await _end_note(collections, note["_id"])
    return removed


async def _note(collections: Collections, id: ObjectId) -> None:
    note = {"$set": {"made_at": to_micros(utc_now())}}
    await collections[_UNFINISHED].update_one({"_id": id}, note, upsert=True)


async def _end_note(collections: Collections, id: ObjectId) -> None:
    await collections[_UNFINISHED].delete_one({"_id": id})
