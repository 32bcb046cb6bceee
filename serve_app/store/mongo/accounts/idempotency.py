"""The keys of requests that must not be done twice."""

from pymongo.errors import DuplicateKeyError

from serve_app.domain.idempotency import REPLAY_WINDOW, IdempotencyRecord, StoredAnswer
from serve_app.store.mongo.engine.database import Database
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.retention.expiry import purge_at
from serve_app.store.rows.codec import to_micros
from serve_app.store.rows.columns import idempotency_record_from


class MongoIdempotency:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def hold(self, record: IdempotencyRecord) -> IdempotencyRecord:
        return await self._database.write(lambda collections: _hold(collections, record))

    async def answer(self, record: IdempotencyRecord, answer: StoredAnswer) -> bool:
        change = {"$set": {"status": answer.status, "body": answer.body}}
        held = _held(record)
        answered = await self._database.write(lambda collections: collections.idempotency.update_one(held, change))
        return answered.matched_count == 1

    async def release(self, record: IdempotencyRecord) -> bool:
        held = _held(record)
        released = await self._database.write(lambda collections: collections.idempotency.delete_one(held))
        return released.deleted_count == 1


async def _hold(collections: Collections, requested: IdempotencyRecord) -> IdempotencyRecord:
    row = _row_of(requested)
    while True:
        try:
            await collections.idempotency.insert_one(row)
            return requested
        except DuplicateKeyError:
            present = await collections.idempotency.find_one({"_id": row["_id"]})
        # None: it was released, or removed because it had expired, in between.
        if present is not None and (held := await _hold_present(collections, requested, present)) is not None:
            return held


async def _hold_present(
    collections: Collections, requested: IdempotencyRecord, present: Row
) -> IdempotencyRecord | None:
    """What the key stands for; None if it changed meanwhile."""
    # Rows of earlier versions have no fingerprint.
    record = idempotency_record_from({"fingerprint": None} | present)
    # Its own, if an earlier try got this far: written again, because a failover may take back what a read shows.
    held = record if record.holder == requested.holder else record.taken_over_by(requested)
    if held is None:
        return record
    as_read = {name: present[name] for name in ("_id", "holder", "held_since", "status")}
    replaced = await collections.idempotency.replace_one(as_read, _row_of(held))
    return held if replaced.matched_count else None


def _id_of(record: IdempotencyRecord) -> str:
    return f"{record.account_id}:{record.key}"


def _held(record: IdempotencyRecord) -> Row:
    """Matches the row while the record's holder works on the request."""
    return {"_id": _id_of(record), "holder": str(record.holder), "status": None}


def _row_of(record: IdempotencyRecord) -> Row:
    return {
        "_id": _id_of(record),
        "account_id": str(record.account_id),
        "key": record.key,
        "invoice_id": str(record.invoice_id),
        "holder": str(record.holder),
        "created_at": to_micros(record.created_at),
        "held_since": to_micros(record.held_since),
        "status": None if record.answer is None else record.answer.status,
        "body": None if record.answer is None else record.answer.body,
        "fingerprint": record.fingerprint,
        "purge_at": purge_at(REPLAY_WINDOW),
    }
