"""The log of calls to the API: a ring of slots for each account."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from pymongo import DESCENDING, ReplaceOne, ReturnDocument, WriteConcern

from serve_app.domain.api_call import CALL_LIFE, RING, ApiCall, ApiCallQuery
from serve_app.domain.query import ListPage, page_of
from serve_app.store.mongo.engine.bulk import write_all
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.retention.expiry import purge_at
from serve_app.store.rows.columns import call_fields, call_from, calls_by_account

# A crash that loses some calls is harmless: no need to wait for a majority.
_PROMPT: Mapping[str, Any] = {"write_concern": WriteConcern(w=1)}


# Slots that a process takes at a time; those that it has left when it ends keep an older call.
_BLOCK = 32
_MOST_ACCOUNTS = 1000


class MongoCalls:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._slots = _Slots()

    async def add(self, calls: Collection[ApiCall]) -> None:
        async def add(collections: Collections) -> None:
            for account_id, own in calls_by_account(calls).items():
                # One that was erased meanwhile leaves nothing.
                if await collections.accounts.find_one({"_id": str(account_id)}, {"_id": 1}) is not None:
                    await self._add(collections, str(account_id), own)

        await self._database.write(add)

    async def _add(self, collections: Collections, account_id: str, calls: list[ApiCall]) -> None:
        numbers = await self._slots.take(collections, account_id, len(calls))
        # Of two calls for one slot the later one stays.
        slots = {f"{account_id}:{number % RING}": call for number, call in zip(numbers, calls, strict=True)}
        kept = collections.get_collection("calls", **_PROMPT)
        await write_all(kept, [_in_slot(slot, call) for slot, call in slots.items()])

    async def page(
        self, account_id: UUID, query: ApiCallQuery, limit: int, after: UUID | None = None
    ) -> ListPage[ApiCall]:
        where = _filter(account_id, query, after)

        async def find(collections: Collections) -> list[Row]:
            return await collections.calls.find(where).sort("id", DESCENDING).limit(limit + 1).to_list(None)

        return page_of([call_from(row) for row in await self._database.read(find)], limit)


class _Slots:
    """The numbers that this process may give to calls of an account, and no other process: each is written once, in a
    slot of the ring."""

    def __init__(self) -> None:
        self._free: dict[str, list[int]] = {}

    async def take(self, collections: Collections, account_id: str, count: int) -> list[int]:
        """So many numbers, in ascending order."""
        numbers = self._free.pop(account_id, [])
        if len(numbers) < count:
            numbers += await _block(collections, account_id, max(_BLOCK, count))
        if len(self._free) >= _MOST_ACCOUNTS:
            self._free.clear()
        self._free[account_id] = numbers[count:]
        return numbers[:count]


async def _block(collections: Collections, account_id: str, size: int) -> range:
    """Numbers that nobody else gets."""
    counts = collections.get_collection("call_counts", **_PROMPT)
    counted = await counts.find_one_and_update(
        {"_id": account_id}, {"$inc": {"calls": size}}, upsert=True, return_document=ReturnDocument.AFTER
    )
    return range(counted["calls"] - size + 1, counted["calls"] + 1)


def _in_slot(slot: str, call: ApiCall) -> ReplaceOne[Row]:
    fields = call_fields(call)
    this = {"_id": slot, "account_id": fields["account_id"]}
    return ReplaceOne(this, {**this, **fields, "purge_at": purge_at(CALL_LIFE)}, upsert=True)


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
