"""Deliveries of events to endpoints: leased rows."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from pymongo import ASCENDING, DESCENDING, ReturnDocument, UpdateOne

from serve_app.domain.due import Due
from serve_app.domain.endpoint_health import AttemptCount
from serve_app.domain.event import LoggedEvent
from serve_app.domain.query import DeliveryQuery, ListPage, page_of
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, Payload
from serve_app.store.base.webhooks import EndpointChanged, EndpointPaused
from serve_app.store.mongo.engine.bulk import write_all
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.invoices.filters import delivery_filter
from serve_app.store.mongo.queue.outbox_entries import event_row
from serve_app.store.mongo.webhooks.delivery_rows import (
    ABANDONED,
    DELIVERED,
    PENDING,
    attempt_row,
    delivery_from,
    new_delivery,
)
from serve_app.store.mongo.webhooks.endpoint_hours import count_all, counts_since
from serve_app.store.mongo.webhooks.endpoint_rows import endpoints_of
from serve_app.store.mongo.webhooks.pending_deliveries import NOT_HELD, make_due
from serve_app.store.mongo.webhooks.settling import is_paused, leave_mark, settle
from serve_app.store.rows.codec import optional_moment, to_micros

_OLDEST_DUE = [("next_attempt_at", ASCENDING), ("_id", ASCENDING)]
_RESET: Row = {
    "$set": {"state": PENDING, "next_attempt_at": 0, "step": 0, "abandoned_reason": None},
    "$inc": {"claims": 1},
}


class MongoDeliveries:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim_due(
        self, endpoint_id: UUID, lease: timedelta, limit: int, revision: int | None = None
    ) -> list[Delivery]:
        async def claim(collections: Collections) -> list[Row]:
            endpoint = await collections.endpoints.find_one({"_id": str(endpoint_id)}, {"account_id": 1, "revision": 1})
            if revision is not None and (endpoint is None or endpoint["revision"] != revision):
                raise EndpointChanged
            if endpoint is None:
                return []
            now = await self._database.now()
            return await _claim(collections, endpoint, to_micros(now), to_micros(now + lease), limit)

        return [delivery_from(row) for row in await self._database.write(claim)]

    async def claim_again(self, delivery: Delivery, lease: timedelta, revision: int) -> Delivery | None:
        async def claim(collections: Collections) -> Row | None:
            endpoint = await collections.endpoints.find_one({"_id": str(delivery.endpoint_id)}, {"revision": 1})
            if endpoint is None or endpoint["revision"] != revision:
                raise EndpointChanged
            failed = {**_held(delivery), "step": delivery.step + 1, "state": PENDING}
            until = to_micros(await self._database.now() + lease)
            change = {"$set": {"next_attempt_at": until, "claim": uuid4().hex}, "$inc": {"claims": 1}}
            return await collections.deliveries.find_one_and_update(
                failed, change, return_document=ReturnDocument.AFTER
            )

        row = await self._database.write(claim)
        return None if row is None else delivery_from(row)

    async def payloads(self, deliveries: Collection[Delivery]) -> Mapping[str, Payload]:
        accounts = {str(delivery.account_id) for delivery in deliveries}
        query = {
            "_id": {"$in": [delivery.event_id for delivery in deliveries]},
            "account_id": {"$in": sorted(accounts)},
        }
        rows = await self._database.read(
            lambda collections: collections.events.find(query, {"payload": 1, "test_of": 1}).to_list(None)
        )
        return {row["_id"]: Payload(row["payload"], "test_of" in row) for row in rows}

    async def delivered(self, claim: Delivery, attempt: Attempt) -> bool:
        held, change = _delivered(claim, attempt)

        async def write(collections: Collections) -> bool:
            is_ours = (await collections.deliveries.update_one(held, change)).matched_count == 1
            if is_ours:
                await count_all(collections, [(claim.endpoint_id, attempt)])
            return is_ours

        return await self._database.write(write)

    async def all_delivered(self, arrived: Collection[tuple[Delivery, Attempt]]) -> None:
        if arrived:
            await self._database.write(lambda collections: _all_delivered(collections, arrived))

    async def retry(self, claim: Delivery, attempt: Attempt, delay: timedelta) -> bool:
        async def write(collections: Collections) -> bool:
            due = to_micros(await self._database.now() + delay)
            if not await _failed(collections, claim, attempt, {"next_attempt_at": due}):
                return False
            # Another worker, or none, may hold the lane by now.
            await make_due(collections, str(claim.account_id), str(claim.endpoint_id), due)
            return True

        return await self._database.write(write)

    async def abandon(self, claim: Delivery, attempt: Attempt, reason: AbandonReason) -> bool:
        fields = {"state": ABANDONED, "abandoned_reason": str(reason), "next_attempt_at": None}
        return await self._database.write(lambda collections: _failed(collections, claim, attempt, fields))

    async def hand_back(self, claim: Delivery) -> bool:
        async def write(collections: Collections) -> bool:
            held = {**_held(claim), "state": PENDING}
            if (await collections.deliveries.update_one(held, {"$set": {"next_attempt_at": 0}})).matched_count == 0:
                return False
            await make_due(
                collections, str(claim.account_id), str(claim.endpoint_id), to_micros(await self._database.now())
            )
            return True

        return await self._database.write(write)

    async def add_test(self, event: LoggedEvent, endpoint_id: UUID) -> Delivery | None:
        async def add(collections: Collections) -> Row | None:
            own = {"_id": str(endpoint_id), "account_id": str(event.account_id)}
            if await collections.endpoints.find_one(own, {"_id": 1}) is None:
                return None
            await _check_active(collections, str(event.account_id), str(endpoint_id))
            now = await self._database.now()
            return await _add_test(collections, event_row(event), str(endpoint_id), now)

        row = await self._database.write(add)
        return None if row is None else delivery_from(row)

    async def redeliver(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        this = {"_id": str(delivery_id), "account_id": str(account_id)}

        async def redeliver(collections: Collections) -> Row | None:
            found = await collections.deliveries.find_one(this, {"endpoint_id": 1})
            if found is None:
                return None
            endpoint = str(account_id), found["endpoint_id"]
            await _check_active(collections, *endpoint)
            now = await self._database.now()
            mark = await leave_mark(collections, *endpoint, now)
            row: Row | None = await collections.deliveries.find_one_and_update(
                this, _RESET, return_document=ReturnDocument.AFTER
            )
            # The endpoint may have been paused in between.
            await settle(collections, *endpoint, to_micros(now), [mark])
            await _check_active(collections, *endpoint)
            return row

        row = await self._database.write(redeliver)
        return None if row is None else delivery_from(row)

    async def redeliver_abandoned(self, account_id: UUID, since: datetime, endpoint_id: UUID | None = None) -> int:
        async def redeliver(collections: Collections) -> int:
            endpoints = await endpoints_of(collections, str(account_id))
            subscribed = [
                str(endpoint.id) for endpoint in endpoints if endpoint.is_active and endpoint_id in (None, endpoint.id)
            ]
            now = await self._database.now()
            return sum(
                [
                    await _redeliver_abandoned(collections, str(account_id), endpoint_id, to_micros(since), now)
                    for endpoint_id in subscribed
                ]
            )

        return await self._database.write_at_length(redeliver)

    async def due(self) -> Due:
        async def look(collections: Collections) -> Due:
            due = {"$lte": to_micros(await self._database.now())}
            # As the indexes have them, each with a bound of the index's first field.
            pending = {"endpoint_id": {"$gt": ""}, "state": PENDING, "next_attempt_at": due}
            waiting = {"paused_reason": None, "due_at": due, **NOT_HELD}
            oldest = await collections.endpoints.find_one(waiting, {"due_at": 1}, sort=[("due_at", ASCENDING)])
            number = await collections.deliveries.count_documents(pending)
            return Due(number, None if oldest is None else optional_moment(oldest["due_at"]))

        return await self._database.read(look)

    async def attempts_since(self, endpoint_id: UUID, since: datetime) -> list[AttemptCount]:
        return await self._database.read(lambda collections: counts_since(collections, endpoint_id, since))

    async def get(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        query = {"_id": str(delivery_id), "account_id": str(account_id)}
        row = await self._database.read(lambda collections: collections.deliveries.find_one(query))
        return None if row is None else delivery_from(row)

    async def page(
        self, account_id: UUID, query: DeliveryQuery, limit: int, after: UUID | None = None
    ) -> ListPage[Delivery]:
        where = delivery_filter(account_id, query, after)

        async def find(collections: Collections) -> list[Row]:
            return await collections.deliveries.find(where).sort("_id", DESCENDING).limit(limit + 1).to_list(None)

        return page_of([delivery_from(row) for row in await self._database.read(find)], limit)


def _delivered(claim: Delivery, attempt: Attempt) -> tuple[Row, Row]:
    """What is changed, and how."""
    fields = {"state": DELIVERED, "next_attempt_at": None, "abandoned_reason": None}
    return {**_held(claim), "state": {"$ne": DELIVERED}}, {"$set": fields, **_attempted(attempt)}


async def _all_delivered(collections: Collections, arrived: Collection[tuple[Delivery, Attempt]]) -> None:
    accounts = {str(claim.account_id) for claim, _ in arrived}
    these = {"_id": {"$in": [str(claim.id) for claim, _ in arrived]}, "account_id": {"$in": sorted(accounts)}}
    rows = await collections.deliveries.find(these | {"state": {"$ne": DELIVERED}}, {"claims": 1}).to_list(None)
    current = {(row["_id"], row["claims"]) for row in rows}
    ours = [(claim, attempt) for claim, attempt in arrived if (str(claim.id), claim.claims) in current]
    if ours:
        await write_all(collections.deliveries, [UpdateOne(*_delivered(claim, attempt)) for claim, attempt in ours])
        await count_all(collections, ((claim.endpoint_id, attempt) for claim, attempt in ours))


async def _check_active(collections: Collections, account_id: str, endpoint_id: str) -> None:
    if await is_paused(collections, account_id, endpoint_id):
        raise EndpointPaused


async def _claim(collections: Collections, endpoint: Row, now: int, until: int, limit: int) -> list[Row]:
    """Concurrent claims get different deliveries; tries again if other claims took all that were found."""
    due: Row = {"account_id": endpoint["account_id"], "endpoint_id": endpoint["_id"]}
    due |= {"state": PENDING, "next_attempt_at": {"$lte": now}}
    while rows := await collections.deliveries.find(due, {"_id": 1}).sort(_OLDEST_DUE).limit(limit).to_list(None):
        if claimed := await _claim_of(collections, {**due, "_id": {"$in": [row["_id"] for row in rows]}}, until):
            return claimed
    return []


async def _claim_of(collections: Collections, due: Row, until: int) -> list[Row]:
    token = uuid4().hex
    change = {"$set": {"next_attempt_at": until, "claim": token}, "$inc": {"claims": 1}}
    await collections.deliveries.update_many(due, change)
    # Without those that were paused or redelivered at this very moment.
    claimed = {**due, "next_attempt_at": until, "claim": token}
    return await collections.deliveries.find(claimed).sort("_id", ASCENDING).to_list(None)


async def _failed(collections: Collections, claim: Delivery, attempt: Attempt, fields: Row) -> bool:
    if not await _note_failed(collections, claim, attempt, fields):
        return False
    await count_all(collections, [(claim.endpoint_id, attempt)])
    return True


async def _note_failed(collections: Collections, claim: Delivery, attempt: Attempt, fields: Row) -> bool:
    # The step shows whether the attempt is already recorded, by a write whose answer was lost.
    unwritten = {**_held(claim), "step": claim.step}
    pending = {**unwritten, "state": PENDING}
    if (await collections.deliveries.update_one(pending, {"$set": fields, **_attempted(attempt)})).matched_count:
        return True
    # A delivery abandoned while the attempt was in progress stays abandoned.
    abandoned = {**unwritten, "state": ABANDONED}
    return (await collections.deliveries.update_one(abandoned, _attempted(attempt))).matched_count == 1


async def _add_test(collections: Collections, event: Row, endpoint_id: str, now: datetime) -> Row | None:
    delivery = new_delivery(event, endpoint_id)
    mark = await leave_mark(collections, event["account_id"], endpoint_id, now)
    await collections.events.insert_one({**event, "invoice_id": "", "test_of": endpoint_id})
    await collections.deliveries.insert_one(delivery)
    endpoint = await make_due(collections, event["account_id"], endpoint_id, to_micros(now), [mark])
    if endpoint is not None and endpoint["paused_reason"] is None:
        return delivery
    # A process that removed or paused the endpoint meanwhile may have looked for these before they existed.
    account = {"account_id": event["account_id"]}
    await collections.deliveries.delete_one(account | {"_id": delivery["_id"]})
    await collections.events.delete_one(account | {"_id": event["_id"]})
    if endpoint is not None:
        raise EndpointPaused
    return None


async def _redeliver_abandoned(
    collections: Collections, account_id: str, endpoint_id: str, since: int, now: datetime
) -> int:
    abandoned: Row = {"account_id": account_id, "endpoint_id": endpoint_id, "state": ABANDONED}
    mark = await leave_mark(collections, account_id, endpoint_id, now)
    changed = await collections.deliveries.update_many(abandoned | {"created_at": {"$gte": since}}, _RESET)
    await settle(collections, account_id, endpoint_id, to_micros(now), [mark])
    return changed.modified_count


def _held(claim: Delivery) -> Row:
    """Matches the row while the claim is current."""
    return {"_id": str(claim.id), "account_id": str(claim.account_id), "claims": claim.claims}


def _attempted(attempt: Attempt) -> Row:
    return {"$inc": {"step": 1}, "$push": {"attempts": attempt_row(attempt)}}
