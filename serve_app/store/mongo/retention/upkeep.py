"""Removes expired records."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from serve_app.domain.api_call import CALL_LIFE
from serve_app.domain.approval_mail import COUNT_LIFE
from serve_app.domain.comparison import COMPARISON_LIFE
from serve_app.domain.endpoint_health import COUNTS_LIFE
from serve_app.domain.erased import ERASED_ID_LIFE
from serve_app.domain.event import EventType
from serve_app.domain.idempotency import REPLAY_WINDOW
from serve_app.domain.inbound_mail import AUTOMATIC_LIFE, SAME_FILE_WINDOW
from serve_app.domain.limits import WINDOW_LIFE
from serve_app.domain.pace import PACE_LIFE
from serve_app.store.fairness import LONGEST_LEASE
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections
from serve_app.store.rows.codec import to_micros

_OVER = (
    ("idempotency", "created_at", REPLAY_WINDOW),
    ("rate_windows", "window", WINDOW_LIFE),
    ("approval_mails", "day", COUNT_LIFE),
    ("calls", "at", CALL_LIFE),
    ("endpoint_hours", "hour", COUNTS_LIFE),
    ("erased_ids", "erased_at", ERASED_ID_LIFE),
    ("sessions", "expires_at", timedelta(0)),
    ("sign_in_links", "expires_at", timedelta(0)),
    ("mail_sign_ins", "expires_at", timedelta(0)),
    ("mail_documents", "received_at", SAME_FILE_WINDOW),
    ("mail_pictures", "newest", SAME_FILE_WINDOW),
    ("automatic_mails", "newest", AUTOMATIC_LIFE),
    ("comparisons", "at", COMPARISON_LIFE),
    ("canary_runs", "at", COMPARISON_LIFE),
    ("paces", "at", PACE_LIFE),
)

_COUNTED = ("accounts", "invoices", "events", "endpoints", "deliveries")


class MongoUpkeep:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def expire(self, now: datetime) -> int:
        async def expire(collections: Collections) -> int:
            late = {"due_at": {"$gt": to_micros(now + LONGEST_LEASE)}, "state": {"$in": ["queued", "reading"]}}
            await collections.mails.update_many(late, {"$set": {"due_at": to_micros(now)}})
            removed = 0
            for name, field, age in _OVER:
                over = {field: {"$lte": to_micros(now - age)}}
                removed += (await collections[name].delete_many(over)).deleted_count
            return removed + await _expire_deletions(collections, now)

        return await self._database.write_at_length(expire)

    async def counts(self) -> Mapping[str, int]:
        async def count(collections: Collections) -> dict[str, int]:
            return {name: await collections[name].estimated_document_count() for name in _COUNTED}

        return await self._database.read(count)


async def _expire_deletions(collections: Collections, now: datetime) -> int:
    """Remove the events of deletions, after their deliveries."""
    over = {"type": str(EventType.DELETED), "created_at": {"$lte": to_micros(now - ERASED_ID_LIFE)}}
    events = await collections.events.find(over, {"account_id": 1}).to_list(None)
    removed = 0
    for event in events:
        of_event = {"account_id": event["account_id"], "event_id": event["_id"]}
        removed += (await collections.deliveries.delete_many(of_event)).deleted_count
        this = {"_id": event["_id"], "account_id": event["account_id"]}
        removed += (await collections.events.delete_one(this)).deleted_count
    return removed
