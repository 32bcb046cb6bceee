"""Deliveries of events to endpoints: leased rows."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from pymongo import ASCENDING, DESCENDING, ReturnDocument
from pymongo.errors import DuplicateKeyError

from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.query import Page, page_of
from serve_app.domain.webhook import Attempt, Delivery, DeliveryState
from serve_app.store.codec import from_micros, optional_moment, to_micros
from serve_app.store.mongo.database import Database
from serve_app.store.mongo.endpoints import endpoints_of
from serve_app.store.mongo.types import Collections, Row

_PENDING = str(DeliveryState.PENDING)
_OLDEST_DUE = [("next_attempt_at", ASCENDING), ("_id", ASCENDING)]


class MongoDeliveries:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim_due(self, lease: timedelta) -> Delivery | None:
        async def claim(collections: Collections) -> Row | None:
            now = await self._database.now()
            row: Row | None = await collections.deliveries.find_one_and_update(
                {"state": _PENDING, "next_attempt_at": {"$lte": to_micros(now)}},
                {"$set": {"next_attempt_at": to_micros(now + lease)}, "$inc": {"claims": 1}},
                sort=_OLDEST_DUE,
                return_document=ReturnDocument.AFTER,
            )
            return row

        row = await self._database.write(claim)
        return None if row is None else _delivery_from(row)

    async def delivered(self, claim: Delivery, attempt: Attempt) -> bool:
        return await self._attempted(claim, attempt, DeliveryState.DELIVERED)

    async def retry(self, claim: Delivery, attempt: Attempt, delay: timedelta) -> bool:
        return await self._attempted(claim, attempt, DeliveryState.PENDING, delay=delay)

    async def abandon(self, claim: Delivery, attempt: Attempt | None, reason: str) -> bool:
        return await self._attempted(claim, attempt, DeliveryState.ABANDONED, reason=reason)

    async def _attempted(
        self,
        claim: Delivery,
        attempt: Attempt | None,
        state: DeliveryState,
        delay: timedelta | None = None,
        reason: str | None = None,
    ) -> bool:
        async def write(collections: Collections) -> bool:
            due = None if delay is None else to_micros(await self._database.now() + delay)
            held = {"_id": str(claim.id), "claims": claim.claims, "state": _PENDING}
            change = _attempted(attempt, {"state": str(state), "next_attempt_at": due, "abandoned_reason": reason})
            return (await collections.deliveries.update_one(held, change)).matched_count == 1

        return await self._database.write(write)

    async def abandon_pending(self, endpoint_id: UUID, reason: str) -> int:
        pending = {"endpoint_id": str(endpoint_id), "state": _PENDING}
        abandoned = {"state": str(DeliveryState.ABANDONED), "abandoned_reason": reason, "next_attempt_at": None}
        changed = await self._database.write(
            lambda collections: collections.deliveries.update_many(pending, {"$set": abandoned})
        )
        return changed.modified_count

    async def redeliver(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        anew = {"state": _PENDING, "next_attempt_at": 0, "step": 0, "abandoned_reason": None}
        row = await self._database.write(
            lambda collections: collections.deliveries.find_one_and_update(
                {"_id": str(delivery_id), "account_id": str(account_id)},
                {"$set": anew, "$inc": {"claims": 1}},
                return_document=ReturnDocument.AFTER,
            )
        )
        return None if row is None else _delivery_from(row)

    async def get(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        query = {"_id": str(delivery_id), "account_id": str(account_id)}
        row = await self._database.read(lambda collections: collections.deliveries.find_one(query))
        return None if row is None else _delivery_from(row)

    async def page(
        self,
        account_id: UUID,
        limit: int,
        after: UUID | None = None,
        endpoint_id: UUID | None = None,
        event_id: str | None = None,
        state: DeliveryState | None = None,
    ) -> Page[Delivery]:
        wanted = {"account_id": account_id, "endpoint_id": endpoint_id, "event_id": event_id, "state": state}
        query: Row = {name: str(value) for name, value in wanted.items() if value is not None}
        if after is not None:
            query["_id"] = {"$lt": str(after)}

        async def find(collections: Collections) -> list[Row]:
            return await collections.deliveries.find(query).sort("_id", DESCENDING).limit(limit + 1).to_list(None)

        return page_of([_delivery_from(row) for row in await self._database.read(find)], limit)


async def add_deliveries(collections: Collections, event: Row) -> None:
    """Add a delivery of the event, by its row, for every endpoint that wants it and has none yet."""
    for endpoint in await endpoints_of(collections, event["account_id"]):
        if endpoint.wants(EventType(event["type"])):
            await _add(collections, event, str(endpoint.id))


async def _add(collections: Collections, event: Row, endpoint_id: str) -> None:
    row = {
        "_id": str(new_id()),
        "account_id": event["account_id"],
        "endpoint_id": endpoint_id,
        "event_id": event["_id"],
        "event_type": event["type"],
        "created_at": event["created_at"],
        **{"state": _PENDING, "next_attempt_at": 0, "claims": 0, "step": 0, "attempts": [], "abandoned_reason": None},
    }
    try:
        await collections.deliveries.insert_one(row)
    except DuplicateKeyError:
        return
    # An endpoint that was removed meanwhile takes all its deliveries with it, this one too.
    if await collections.endpoints.find_one({"_id": endpoint_id}, {"_id": 1}) is None:
        await collections.deliveries.delete_one({"_id": row["_id"]})


def _attempted(attempt: Attempt | None, fields: Row) -> Row:
    change: Row = {"$set": fields, "$inc": {"step": 1}}
    if attempt is not None:
        change["$push"] = {"attempts": _attempt_row(attempt)}
    return change


def _attempt_row(attempt: Attempt) -> Row:
    values: dict[str, Any] = {"seconds": attempt.seconds, "status": attempt.status, "error": attempt.error}
    return {"at": to_micros(attempt.at), **values, "body": attempt.body}


def _delivery_from(row: Row) -> Delivery:
    return Delivery(
        id=UUID(row["_id"]),
        account_id=UUID(row["account_id"]),
        endpoint_id=UUID(row["endpoint_id"]),
        event_id=row["event_id"],
        event_type=EventType(row["event_type"]),
        created_at=from_micros(row["created_at"]),
        state=DeliveryState(row["state"]),
        next_attempt_at=optional_moment(row["next_attempt_at"]),
        claims=row["claims"],
        step=row["step"],
        attempts=tuple(Attempt(**one | {"at": from_micros(one["at"])}) for one in row["attempts"]),
        abandoned_reason=row["abandoned_reason"],
    )
