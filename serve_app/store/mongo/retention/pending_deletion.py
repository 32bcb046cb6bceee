"""Notes of files whose invoices are gone: they stay until the files are deleted."""

from datetime import datetime
from uuid import UUID

from pymongo import ASCENDING

from serve_app.domain.reservation import Reservation
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import from_micros, to_micros


async def note_pending_deletion(collections: Collections, row: Row, made_at: int, token: str | None = None) -> None:
    """Note the file of an invoice whose `row` is about to be removed; `made_at` in microseconds. `token`: that of the
    reservation that was given up."""
    this = {"_id": row["_id"], "account_id": row["account_id"]}
    note = {"file_key": row["file_key"], "made_at": made_at, "reservation": token}
    await collections.doomed_files.update_one(this, {"$setOnInsert": note}, upsert=True)


async def renew_pending_deletion(collections: Collections, row: Row, now: int) -> None:
    """Note the file of an invoice whose `row` is about to be removed, so that no reservation that was made until `now`,
    in microseconds, ends the note: its request may have kept the file for that very row."""
    this = {"_id": row["_id"], "account_id": row["account_id"]}
    change = {"$setOnInsert": {"file_key": row["file_key"]}, "$max": {"made_at": now + 1}}
    await collections.doomed_files.update_one(this, change, upsert=True)


async def end_pending_deletion(collections: Collections, account_id: UUID | str, invoice_id: UUID | str) -> None:
    """Remove the note: the file is deleted, or needed after all."""
    await collections.doomed_files.delete_one({"_id": str(invoice_id), "account_id": str(account_id)})


async def end_pending_deletions_of(collections: Collections, reservation: Reservation) -> None:
    """The same, unless the note was renewed after the reservation was made, or is another one's of that moment."""
    this = {"_id": str(reservation.invoice_id), "account_id": str(reservation.account_id)}
    made_at, tokens = to_micros(reservation.made_at), [reservation.token, None]
    own = [{"made_at": {"$lt": made_at}}, {"made_at": made_at, "reservation": {"$in": tokens}}]
    await collections.doomed_files.delete_one(this | {"$or": own})


async def stale_pending_deletions(collections: Collections, before: datetime, limit: int) -> list[Reservation]:
    """Notes that were made before this moment, oldest first."""
    old = collections.doomed_files.find({"made_at": {"$lt": to_micros(before)}})
    rows = await old.sort("made_at", ASCENDING).limit(limit).to_list(None)
    return [_reservation_from(row) for row in rows]


def _reservation_from(row: Row) -> Reservation:
    return Reservation(
        invoice_id=UUID(row["_id"]),
        account_id=UUID(row["account_id"]),
        file_key=row["file_key"],
        month=None,
        run=0,
        made_at=from_micros(row["made_at"]),
        token=row.get("reservation"),
    )
