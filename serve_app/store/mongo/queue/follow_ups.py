"""FollowUps: follow-up work on other documents that a write leaves to do.

It is recorded in the same write, as an entry in the invoice's `outbox` (`outbox_entries`), and every step is
idempotent: if a process dies midway, another repeats it. An entry is removed once it is done; `outbox_at` is when an
invoice's entries may be taken up by others.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from datetime import timedelta
from weakref import WeakValueDictionary

from pymongo import UpdateOne

from serve_app.store.mongo.accounts.usage import add_usage
from serve_app.store.mongo.engine.bulk import write_all
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.duplicates import flag_duplicates
from serve_app.store.mongo.invoices.siblings import add_sibling
from serve_app.store.mongo.vendors.sums import add_difference, add_differences, recount
from serve_app.store.mongo.vendors.vendors import name_vendor
from serve_app.store.rows.codec import span_micros, to_micros

_TAKEOVER_AFTER = timedelta(seconds=30)
"""How long a process has an invoice's follow-up work to itself."""
_MARGIN = timedelta(seconds=10)
"""Before that is over, it leaves those that it has not begun to others."""
_MOST_OWN = 1000
_DONE = {"$unset": {"outbox": "", "outbox_at": ""}}


class FollowUps:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._own: deque[Row] = deque(maxlen=_MOST_OWN)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def due(self) -> Row:
        """The field that says when other processes may take up the follow-up work: after the writer has had its
        time."""
        return {"outbox_at": to_micros(await self._database.now() + _TAKEOVER_AFTER)}

    async def settle(self, collections: Collections, row: Row) -> None:
        """Do the follow-up work of an invoice's row, except publishing its events, which is then due at once."""
        for entry in row.get("outbox", ()):
            if not entry["settled"]:
                await self.settle_entry(collections, row, entry)
                await self._note_settled(collections, row, entry)

    async def settle_own(self, collections: Collections, row: Row) -> None:
        """The same for a row that this process keeps to itself: `take` returns it for publishing. So nothing needs to
        be recorded in between; if this process dies, others do everything again once its time is over."""
        try:
            for entry in row["outbox"]:
                if not entry["settled"]:
                    await self.settle_entry(collections, row, entry)
                    entry["settled"] = True
        finally:
            self._own.append(row)

    async def settle_entry(self, collections: Collections, row: Row, entry: Row) -> None:
        """Do everything in the entry except publishing its event."""
        account_id = row["account_id"]
        if "usage" in entry:
            await add_usage(collections, row, entry)
        for sibling in entry["siblings"]:
            await add_sibling(collections, sibling, await self._database.now())
        for key in entry["duplicate_keys"]:
            await self.flag(collections, account_id, key)
        if "sums" not in entry:
            await _settle_earlier(collections, account_id, entry)
            return
        await self._add_differences(collections, row, entry)
        for sibling in entry["siblings"]:
            for own in sibling["outbox"]:
                await self._add_differences(collections, sibling, own)

    async def flag(self, collections: Collections, account_id: str, key: str) -> None:
        """Flag the duplicates with this key, and correct what their vendors' sums owe to the flags."""
        for flagged in await flag_duplicates(collections, account_id, key, await self.due()):
            await self._add_differences(collections, flagged.invoice, flagged.entry)
            await self.end(collections, flagged.invoice, flagged.entry)

    async def take(self, collections: Collections, limit: int) -> list[Row]:
        """Rows with follow-up work that is due, reserved for this process for a while: up to `limit` of its own, else
        the one that has waited longest."""
        now = await self._database.now()
        rows: list[Row] = []
        while self._own and len(rows) < limit:
            row = self._own.popleft()
            if row["outbox_at"] > to_micros(now + _MARGIN):
                rows.append(row)
        if rows:
            return rows
        taken = await _take_next(collections, to_micros(now))
        return [] if taken is None else [taken]

    def requeue(self, rows: Sequence[Row]) -> None:
        """Rows that were taken and are not done: they are tried again while their time lasts."""
        self._own.extend(row for row in rows if "outbox_at" in row)

    async def end_taken(self, collections: Collections, rows: Sequence[Row]) -> list[tuple[Row, Row]]:
        """Remove the entries of these rows; returns those that were already gone, with their row."""
        entries = [(row, entry) for row in rows for entry in row["outbox"]]
        only = [UpdateOne(_alone(row, entry), _DONE) for row, entry in entries if len(row["outbox"]) == 1]
        if only and await write_all(collections.invoices, only) == len(entries):
            return []
        # Those that were just removed look as if another process had done it.
        return [(row, entry) for row, entry in entries if not await self.end(collections, row, entry)]

    async def end(self, collections: Collections, row: Row, entry: Row) -> bool:
        """Remove the entry; False if it is already gone."""
        if (await collections.invoices.update_one(_alone(row, entry), _DONE)).matched_count:
            return True
        this = {"_id": row["_id"], "account_id": row["account_id"], "outbox.id": entry["id"]}
        ended = await collections.invoices.update_one(this, {"$pull": {"outbox": {"id": entry["id"]}}})
        await self.end_all(collections, row)
        return ended.matched_count == 1

    async def end_all(self, collections: Collections, row: Row) -> None:
        """Clear the outbox fields if no entry is left."""
        empty = {"_id": row["_id"], "account_id": row["account_id"], "outbox": {"$size": 0}}
        await collections.invoices.update_one(empty, _DONE)

    async def _note_settled(self, collections: Collections, row: Row, entry: Row) -> None:
        if entry["event"] is None:
            await self.end(collections, row, entry)
            return
        settled: Row = {"outbox.$.settled": True, "outbox.$.siblings": [], "outbox_at": 0}
        this = {"_id": row["_id"], "account_id": row["account_id"], "outbox.id": entry["id"]}
        await collections.invoices.update_one(this, {"$set": settled})

    async def _add_differences(self, collections: Collections, row: Row, entry: Row) -> None:
        differences = {difference["key"]: difference for difference in entry["sums"]}
        readings = _readings_of(entry)
        if len(differences) > 1:
            await add_differences(collections, row, entry["id"], list(differences.values()))
            differences = {}
        for key in sorted(differences.keys() | readings.keys()):
            # One after the other: those of one process would only make each other try again.
            async with self._turns.setdefault(f"{row['account_id']}:{key}", asyncio.Lock()):
                change = differences.get(key), readings.get(key)
                await add_difference(collections, row, entry["id"], key, *change)


def _readings_of(entry: Row) -> dict[str, Row]:
    """What the entry's invoices say about their vendors, by the vendor's key."""
    readings: dict[str, Row] = {}
    for reading in entry["vendors"]:
        before = readings.get(reading["key"], {"values": {}})
        readings[reading["key"]] = reading | {"values": before["values"] | reading["values"]}
    return readings


def _alone(row: Row, entry: Row) -> Row:
    """Matches the row while it has this entry only."""
    this = {"_id": row["_id"], "account_id": row["account_id"], "outbox.id": entry["id"]}
    return this | {"outbox": {"$size": 1}}


async def _settle_earlier(collections: Collections, account_id: str, entry: Row) -> None:
    """The vendors of an entry that an earlier version wrote."""
    for vendor in entry["vendors"]:
        await name_vendor(collections, account_id, vendor)
    for key in entry["vendor_keys"]:
        await recount(collections, account_id, key)


async def _take_next(collections: Collections, now: int) -> Row | None:
    """The invoice whose follow-up work has waited longest, reserved for one process until its time is over."""
    due = {"outbox_at": {"$lte": now}}
    oldest = [("outbox_at", 1), ("_id", 1)]
    while (found := await collections.invoices.find_one(due, {"account_id": 1}, sort=oldest)) is not None:
        row: Row | None = await collections.invoices.find_one_and_update(
            {"_id": found["_id"], "account_id": found["account_id"], **due},
            {"$set": {"outbox_at": now + span_micros(_TAKEOVER_AFTER)}},
            projection={"account_id": 1, "outbox": 1, "trace": 1},
        )
        if row is not None:
            return row
    return None
