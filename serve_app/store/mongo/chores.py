"""Chores: follow-up work on other documents that a write leaves to do.

It is recorded in the same write, as an entry in the invoice's `outbox`, and every step is idempotent: if a process dies
midway, another repeats it. An entry is removed once it is done; `outbox_at` is when an invoice's entries may be taken
up.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from serve_app.domain.event import LoggedEvent
from serve_app.store.codec import to_micros
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.siblings import add_sibling
from serve_app.store.mongo.twins import flag_twins
from serve_app.store.mongo.types import Collections, Row
from serve_app.store.mongo.vendors import name_vendor, recount

_PATIENCE = timedelta(seconds=30)
"""How long a process has an invoice's chores to itself."""
_DONE = {"$unset": {"outbox": "", "outbox_at": ""}}


def chore_of(
    duplicate_keys: Collection[str | None],
    vendor_keys: Collection[str | None],
    event: LoggedEvent | None = None,
    siblings: Sequence[Row] = (),
    vendors: Sequence[Row] = (),
) -> Row:
    """An entry: `siblings` to add, `vendors` to name, twins to flag, vendors to recount and an event to publish."""
    return {
        "id": uuid4().hex,
        "settled": False,
        "siblings": list(siblings),
        "vendors": list(vendors),
        "duplicate_keys": sorted(key for key in set(duplicate_keys) if key),
        "vendor_keys": sorted(key for key in set(vendor_keys) if key),
        "event": None if event is None else event_row(event),
    }


def event_row(event: LoggedEvent) -> Row:
    """The event as the log stores it, without its invoice."""
    return {
        "_id": event.id,
        "account_id": str(event.account_id),
        "type": str(event.type),
        "created_at": to_micros(event.created_at),
        "payload": event.payload,
    }


class Chores:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self) -> Row:
        """The field that says when other processes may take up the chores: after the writer has had its time."""
        return {"outbox_at": to_micros(await self._database.now() + _PATIENCE)}

    async def settle(self, collections: Collections, row: Row) -> None:
        """Do the chores of an invoice's row, except publishing its events, which is then due at once."""
        for entry in row.get("outbox", ()):
            if not entry["settled"]:
                await self.settle_entry(collections, row, entry)
                await self._note_settled(collections, row, entry)

    async def settle_entry(self, collections: Collections, row: Row, entry: Row) -> None:
        """Do everything in the entry except publishing its event."""
        account_id = row["account_id"]
        for sibling in entry["siblings"]:
            await add_sibling(collections, sibling, await self._database.now())
        for key in entry["duplicate_keys"]:
            await flag_twins(collections, account_id, key)
        for vendor in entry["vendors"]:
            await name_vendor(collections, account_id, vendor)
        for key in entry["vendor_keys"]:
            await recount(collections, account_id, key)

    async def end(self, collections: Collections, row: Row, entry: Row) -> bool:
        """Remove the entry; False if it is already gone."""
        this = {"_id": row["_id"], "outbox.id": entry["id"]}
        if (await collections.invoices.update_one(this | {"outbox": {"$size": 1}}, _DONE)).matched_count:
            return True
        ended = await collections.invoices.update_one(this, {"$pull": {"outbox": {"id": entry["id"]}}})
        await self.end_all(collections, row)
        return ended.matched_count == 1

    async def end_all(self, collections: Collections, row: Row) -> None:
        """Clear the outbox fields if no entry is left."""
        await collections.invoices.update_one({"_id": row["_id"], "outbox": {"$size": 0}}, _DONE)

    async def _note_settled(self, collections: Collections, row: Row, entry: Row) -> None:
        if entry["event"] is None:
            await self.end(collections, row, entry)
            return
        settled: Row = {"outbox.$.settled": True, "outbox.$.siblings": [], "outbox_at": 0}
        await collections.invoices.update_one({"_id": row["_id"], "outbox.id": entry["id"]}, {"$set": settled})


async def take_next(collections: Collections, now: datetime) -> Row | None:
    """The invoice whose chores have waited longest, reserved for one process until its time is over."""
    row: Row | None = await collections.invoices.find_one_and_update(
        {"outbox_at": {"$lte": to_micros(now)}},
        {"$set": {"outbox_at": to_micros(now + _PATIENCE)}},
        projection={"account_id": 1, "outbox": 1},
        sort=[("outbox_at", 1), ("_id", 1)],
    )
    return row
