"""The event log, and the outbox that feeds it."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from pymongo import DESCENDING

from serve_app.domain.event import EventType, LoggedEvent, Spread
from serve_app.domain.ids import first_id_at
from serve_app.domain.query import EventQuery, ListPage, page_of
from serve_app.store.codec import to_micros
from serve_app.store.mongo.chores import Chores, take_next
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.erased_ids import was_erased
from serve_app.store.mongo.filters import event_filter
from serve_app.store.mongo.pending_deliveries import add_deliveries
from serve_app.store.mongo.types import Collections, Row, named
from serve_app.store.rows import event_from


class MongoOutbox:
    def __init__(self, database: Database, chores: Chores) -> None:
        self._database = database
        self._chores = chores

    async def spread_pending(self, limit: int) -> Spread:
        async def spread(collections: Collections) -> Spread:
            done = deliveries = 0
            while done < limit and (row := await take_next(collections, await self._database.now())) is not None:
                deliveries += await self._spread(collections, row)
                done += 1
            return Spread(done, deliveries)

        return await self._database.write_at_length(spread)

    async def _spread(self, collections: Collections, row: Row) -> int:
        """Returns the number of deliveries."""
        deliveries = 0
        if not row["outbox"]:
            await self._chores.end_all(collections, row)
        for entry in row["outbox"]:
            if not entry["settled"]:
                await self._chores.settle_entry(collections, row, entry)
            if entry["event"] is not None:
                deliveries += await self._log(collections, entry["event"] | {"invoice_id": row["_id"]})
            if not await self._chores.end(collections, row, entry):
                await _take_back(collections, row, entry)
        return deliveries

    async def _log(self, collections: Collections, event: Row) -> int:
        """Write the event first: its deliveries need it. Returns the number of these."""
        # An earlier try may have got this far. Not an insert: one that fails does not mean that a majority has it.
        await collections.events.update_one({"_id": event["_id"]}, {"$setOnInsert": event}, upsert=True)
        return await add_deliveries(collections, event, to_micros(await self._database.now()))


class MongoEvents:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, account_id: UUID, event_id: str) -> LoggedEvent | None:
        query = {"_id": event_id, "account_id": str(account_id), "test_of": {"$exists": False}}
        row = await self._database.read_confirmed(lambda collections: collections.events.find_one(query))
        return None if row is None else event_from(named(row))

    async def of_invoice(self, account_id: UUID, invoice_id: UUID, limit: int) -> list[LoggedEvent]:
        query = {"invoice_id": str(invoice_id), "account_id": str(account_id), "test_of": None}

        async def find(collections: Collections) -> list[Row]:
            return await collections.events.find(query).sort("_id", DESCENDING).limit(limit).to_list(None)

        return [event_from(named(row)) for row in await self._database.read_confirmed(find)]

    async def is_or_was(self, account_id: UUID, event_id: str) -> bool:
        found = await self.get(account_id, event_id) is not None
        return found or await self._database.read(lambda collections: was_erased(collections, account_id, event_id))

    async def failures(self, since: datetime, limit: int) -> Mapping[str, int]:
        where = {
            # The ids of events are in the order of time.
            "_id": {"$gte": f"evt_{first_id_at(since)}"},
            "created_at": {"$gte": to_micros(since)},
            "type": str(EventType.FAILED),
            "test_of": None,
        }

        async def find(collections: Collections) -> list[Row]:
            return await collections.events.find(where).sort("_id", DESCENDING).limit(limit).to_list(None)

        events = [event_from(named(row)).parsed() for row in await self._database.read(find)]
        return Counter(event.data.invoice.failure.code for event in events if event.data.invoice.failure)

    async def page(
        self, account_id: UUID, query: EventQuery, limit: int, after: str | None = None
    ) -> ListPage[LoggedEvent]:
        where = event_filter(account_id, query, after)

        async def find(collections: Collections) -> list[Row]:
            return await collections.events.find(where).sort("_id", DESCENDING).limit(limit + 1).to_list(None)

        return page_of([event_from(named(row)) for row in await self._database.read_confirmed(find)], limit)


async def _take_back(collections: Collections, row: Row, entry: Row) -> None:
    """Another process ended the entry first; if that was because the invoice was removed, remove its event as well."""
    if entry["event"] is None or await collections.invoices.find_one({"_id": row["_id"]}, {"_id": 1}) is not None:
        return
    await collections.deliveries.delete_many({"event_id": entry["event"]["_id"]})
    await collections.events.delete_one({"_id": entry["event"]["_id"]})
