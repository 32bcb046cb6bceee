"""A MongoDB database as a whole, for backups: its documents, without those of GridFS, which are files."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from uuid import UUID

import bson
from pymongo.errors import ConfigurationError, InvalidOperation, OperationFailure

from serve_app.domain.inbound_mail import mail_key_of
from serve_app.domain.user_error import UserError
from serve_app.store.base.copies import DatabaseCopy, SchemaVersions
from serve_app.store.mongo.engine.client import database_name, open_client
from serve_app.store.mongo.engine.deployment import COLLECTION as DEPLOYMENT
from serve_app.store.mongo.engine.errors import outage_log, translate_errors
from serve_app.store.mongo.engine.schema import RESTORING, SCHEMA, is_being_restored, stored_versions
from serve_app.store.mongo.engine.types import Collections, Row

_PART_BYTES = 4 * 2**20
_INSERTED_TOGETHER = 500
_PASSING = ("arriving", "doomed")
_OTHER_THAN_NOTE = {"_id": {"$ne": RESTORING["_id"]}}


class MongoWhole:
    """The database that the URL names. A copy of a single moment needs a replica set, of which one member is enough;
    with `is_idle`, nobody writes meanwhile, and a single server will do. `client` is used instead of a new connection.
    """

    kind = "mongodb"
    schema = SCHEMA

    def __init__(self, url: str, *, is_idle: bool = False, client: Any = None) -> None:
        self._client = open_client(url) if client is None else client
        self._collections: Collections = self._client.get_database(database_name(url))
        self._is_idle = is_idle

    @asynccontextmanager
    async def copied(self) -> AsyncIterator[DatabaseCopy]:
        named: set[str] = set()
        invoices: set[str] = set()
        async with AsyncExitStack() as stack:
            with _unavailable():
                session = None if self._is_idle else await self._snapshot_session(stack)
            yield DatabaseCopy(self._parts(session, named, invoices), named, invoices)

    async def versions(self) -> SchemaVersions | None:
        with _unavailable():
            found = await stored_versions(self._collections)
        return None if found is None else SchemaVersions(*found)

    async def find_content(self) -> str | None:
        with _unavailable():
            return None if await is_being_restored(self._collections) else await self._find_documents()

    async def fill(self, parts: AsyncIterator[bytes]) -> None:
        with _unavailable():
            await self._begin_restore()
            async for part in parts:
                await self._insert(bson.decode_all(part))
            await self._collections.upgrades.delete_one(RESTORING)

    async def clear(self) -> None:
        with _unavailable():
            for name in await self._own_collections():
                await self._collections.drop_collection(name)

    async def _begin_restore(self) -> None:
        """Leave nothing but the note that a restore runs. Raises UserError if there are documents of something else."""
        if await is_being_restored(self._collections):
            await self._remove_half_restored()
            return
        await self._collections.upgrades.insert_one(RESTORING)
        if (content := await self._find_documents()) is not None:
            await self._collections.upgrades.delete_one(RESTORING)
            raise UserError(f"another program wrote to the database during the restore: {content}")

    async def _find_documents(self) -> str | None:
        for name in await self._own_collections():
            if await self._collections[name].find_one(_OTHER_THAN_NOTE, {"_id": 1}) is not None:
                return f"the collection {name} has documents"
        return None

    async def _remove_half_restored(self) -> None:
        for name in await self._own_collections():
            await self._collections[name].delete_many(_OTHER_THAN_NOTE)

    async def _insert(self, entries: list[Row]) -> None:
        by_collection: dict[str, list[Row]] = {}
        for entry in entries:
            by_collection.setdefault(entry["collection"], []).append(entry["row"])
        for name, rows in by_collection.items():
            for start in range(0, len(rows), _INSERTED_TOGETHER):
                await self._collections[name].insert_many(rows[start : start + _INSERTED_TOGETHER])

    async def close(self) -> None:
        self._client.close()

    async def _snapshot_session(self, stack: AsyncExitStack) -> Any:
        """A session all of whose reads see the same moment. Raises UserError if the server has none."""
        try:
            session = await stack.enter_async_context(await self._client.start_session(snapshot=True))
            await self._collections.accounts.find_one({}, {"_id": 1}, session=session)
        except (ConfigurationError, OperationFailure, InvalidOperation) as error:
            raise UserError(
                "the running MongoDB server cannot be copied: run it as a replica set (one member is enough), or stop "
                "the service and use --stopped"
            ) from error
        return session

    async def _parts(self, session: Any, named: set[str], invoices: set[str]) -> AsyncIterator[bytes]:
        rows, size = [], 0
        with _unavailable():
            for name in await self._own_collections():
                if name == DEPLOYMENT:
                    # What is restored is another deployment, which must not work on the files of this one.
                    continue
                options = {} if session is None else {"session": session}
                async for row in self._collections[name].find({}, **options).sort("_id", 1):
                    named |= _files_of(name, row)
                    if name == "invoices":
                        invoices.add(row["_id"])
                    rows.append(encoded := bson.encode({"collection": name, "row": row}))
                    size += len(encoded)
                    if size >= _PART_BYTES:
                        yield b"".join(rows)
                        rows, size = [], 0
        if rows:
            yield b"".join(rows)

    async def _own_collections(self) -> list[str]:
        names = await self._collections.list_collection_names()
        return sorted(name for name in names if not name.startswith(("fs.", "system.")))


def _files_of(collection: str, row: Row) -> set[str]:
    if collection == "invoices":
        document = row["file_key"] if row.get("document_gone_at") is None else None
        return set(filter(None, [document, row.get("evidence_key")]))
    if collection == "mails" and row["state"] not in _PASSING and row["document"]["has_raw"]:
        return {mail_key_of(UUID(row["account_id"]), UUID(row["_id"]))}
    return set()


def _unavailable() -> Any:
    return translate_errors(outage_log())
