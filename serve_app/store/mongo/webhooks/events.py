"""The event log, and the outbox that feeds it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from pymongo import DESCENDING, UpdateOne
from pymongo.errors import PyMongoError

from serve_app.domain.event import Event, EventType, LoggedEvent, Spread
from serve_app.domain.ids import first_id_at
from serve_app.domain.query import EventQuery, ListPage, page_of
from serve_app.store.mongo.engine.bulk import write_all
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row, named
from serve_app.store.mongo.invoices.filters import event_filter
from serve_app.store.mongo.queue.follow_ups import FollowUps
from serve_app.store.mongo.retention.erased_ids import was_erased
from serve_app.store.mongo.webhooks.pending_deliveries import add_deliveries
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.columns import event_from


class MongoOutbox:
    def __init__(self, database: Database, follow_ups: FollowUps) -> None:
        self._database = database
        self._follow_ups = follow_ups

    async def spread_pending(self, limit: int) -> Spread:
        async def spread(collections: Collections) -> Spread:
            done = deliveries = 0
            while done < limit and (rows := await self._follow_ups.take(collections, limit - done)):
                try:
                    deliveries += await self._spread(collections, rows)
                except PyMongoError:
                    self._follow_ups.requeue(rows)
                    raise
                done += len(rows)
            return Spread(done, deliveries)

        return await self._database.write_at_length(spread)

    async def _spread(self, collections: Collections, rows: Sequence[Row]) -> int:
        """Returns the number of deliveries."""
        events: list[Row] = []
        for row in rows:
            if not row["outbox"]:
                await self._follow_ups.end_all(collections, row)
            for entry in row["outbox"]:
                if not entry["settled"]:
                    await self._follow_ups.settle_entry(collections, row, entry)
                if entry["event"] is not None:
                    events.append(entry["event"] | {"invoice_id": row["_id"], "trace": row.get("trace")})
        deliveries = await self._log(collections, events)
        for row, entry in await self._follow_ups.end_taken(collections, rows):
            await _take_back(collections, row, entry)
        return deliveries

    async def _log(self, collections: Collections, events: Sequence[Row]) -> int:
        """Write the events first: their deliveries need them. Returns the number of these."""
        if not events:
            return 0
        # An earlier try may have got this far. Not an insert: one that fails does not mean that a majority has it.
        await write_all(collections.events, [_logged(event) for event in events])
        return await add_deliveries(collections, events, to_micros(await self._database.now()))


def _logged(event: Row) -> UpdateOne:
    this = {"_id": event["_id"], "account_id": event["account_id"]}
    rest = {name: value for name, value in event.items() if name not in (*this, "trace")}
    return UpdateOne(this, {"$setOnInsert": rest}, upsert=True)


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

        rows = await self._database.read(find)
        invoices = [Event.model_validate_json(row["payload"], extra="ignore").data.invoice for row in rows]
        return Counter(invoice.failure.code for invoice in invoices if invoice.failure)

    async def page(
        self, account_id: UUID, query: EventQuery, limit: int, after: str | None = None
    ) -> ListPage[LoggedEvent]:
        where = event_filter(account_id, query, after)

        async def find(collections: Collections) -> list[Row]:
            return await collections.events.find(where).sort("_id", DESCENDING).limit(limit + 1).to_list(None)

        return page_of([event_from(named(row)) for row in await self._database.read_confirmed(find)], limit)


async def _take_back(collections: Collections, row: Row, entry: Row) -> None:
    """Another process ended the entry first; if that was because the invoice was removed, remove its event as well."""
    account = {"account_id": row["account_id"]}
    if entry["event"] is None or await collections.invoices.find_one(account | {"_id": row["_id"]}, {"_id": 1}):
        return
    await collections.deliveries.delete_many(account | {"event_id": entry["event"]["_id"]})
    await collections.events.delete_one(account | {"_id": entry["event"]["_id"]})
