"""The log of calls to the API: a ring of slots for each account."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from pymongo import DESCENDING, ReturnDocument, WriteConcern

from serve_app.domain.api_call import CALL_LIFE, RING, ApiCall, ApiCallQuery
from serve_app.domain.query import ListPage, page_of
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.expiry import purge_at
from serve_app.store.mongo.types import Collections, Row
from serve_app.store.rows import call_fields, call_from, calls_by_account

# A crash that loses some calls is harmless: no need to wait for a majority.
_PROMPT: Mapping[str, Any] = {"write_concern": WriteConcern(w=1)}


class MongoCalls:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, calls: Collection[ApiCall]) -> None:
        async def add(collections: Collections) -> None:
            for account_id, own in calls_by_account(calls).items():
                # One that was erased meanwhile leaves nothing.
                if await collections.accounts.find_one({"_id": str(account_id)}, {"_id": 1}) is not None:
                    await _add(collections, str(account_id), own)

        await self._database.write(add)

    async def page(
        self, account_id: UUID, query: ApiCallQuery, limit: int, after: UUID | None = None
    ) -> ListPage[ApiCall]:
        where = _filter(account_id, query, after)

        async def find(collections: Collections) -> list[Row]:
            return await collections.calls.find(where).sort("id", DESCENDING).limit(limit + 1).to_list(None)

        return page_of([call_from(row) for row in await self._database.read(find)], limit)


async def _add(collections: Collections, account_id: str, calls: list[ApiCall]) -> None:
    counts = collections.get_collection("call_counts", **_PROMPT)
    counted = await counts.find_one_and_update(
        {"_id": account_id}, {"$inc": {"calls": len(calls)}}, upsert=True, return_document=ReturnDocument.AFTER
    )
    first = counted["calls"] - len(calls)
    # The counter gives each call a slot of its own, which no other process writes.
    slots = {f"{account_id}:{(first + number) % RING}": call for number, call in enumerate(calls, 1)}
    kept = collections.get_collection("calls", **_PROMPT)
    await kept.delete_many({"_id": {"$in": list(slots)}})
    await kept.insert_many([_row_of(slot, call) for slot, call in slots.items()])


def _row_of(slot: str, call: ApiCall) -> Row:
    return {"_id": slot, **call_fields(call), "purge_at": purge_at(CALL_LIFE)}


def _filter(account_id: UUID, query: ApiCallQuery, after: UUID | None) -> Row:
    where: Row = {"account_id": str(account_id)}
    if after is not None:
        where["id"] = {"$lt": str(after)}
    if query.status_class is not None:
        where["status"] = {"$gte": 100 * query.status_class, "$lt": 100 * (query.status_class + 1)}
    if query.key_id is not None:
        where["key_id"] = str(query.key_id)
    if query.request_id is not None:
        where["request_id"] = query.request_id
    return where
