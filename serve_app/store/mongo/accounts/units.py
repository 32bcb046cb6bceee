"""Units of the monthly quota.

An account's month is one document: how many units are `used`, and the `open` reservations whose run is not queued yet.
A unit is taken and recorded in one write, and given back and forgotten in one write. An invoice lists the tokens of the
units that paid for it, so that a unit for which an invoice was queued is never given back.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from pymongo.errors import DuplicateKeyError, PyMongoError

from serve_app.domain.errors import InvoiceContended, QuotaReached
from serve_app.domain.reservation import Reservation
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import from_micros, to_micros


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that was taken; `month` is the id of its document."""

    month: str
    token: str


def month_id(account_id: UUID, month: datetime) -> str:
    """The id of a month's document; `month` is the moment that the month starts."""
    return f"{account_id}:{month:%Y-%m}"


async def take_unit(collections: Collections, reservation: Reservation, month: datetime, limit: int | None) -> Unit:
    """Take a unit for the reservation and note it; raises `monthly_quota_reached` at the limit."""
    unit = Unit(month_id(reservation.account_id, month), uuid4().hex)
    try:
        await _take(collections, unit, reservation, month, limit)
    except PyMongoError:
        # Perhaps it was taken and only the answer was lost: a caller that retries would pay twice.
        with defer_on_failure("the return of a unit"):
            await cancel_unit(collections, unit)
        raise
    return unit


async def _take(
    collections: Collections, unit: Unit, reservation: Reservation, month: datetime, limit: int | None
) -> None:
    change = {"$inc": {"used": 1}, "$push": {"open": _entry_of(reservation, unit)}}
    room = {"_id": unit.month} if limit is None else {"_id": unit.month, "used": {"$lt": limit}}
    if (await collections.quotas.update_one(room, change)).matched_count:
        return
    await _start_month(collections, unit.month, reservation.account_id, month)
    if (await collections.quotas.update_one(room, change)).matched_count:
        return
    raise InvoiceContended() if limit is None else QuotaReached(limit)


async def find_unit(collections: Collections, account_id: UUID, invoice_id: UUID, run: int) -> Unit | None:
    """A unit that was taken for this run and is not used yet."""
    query = {"invoice_id": str(invoice_id), "run": run}
    row = await collections.quotas.find_one({"account_id": str(account_id), "open": {"$elemMatch": query}})
    return None if row is None else _unit_for(row, query)


async def find_reserved(collections: Collections, reservation: Reservation, month: datetime) -> Unit | None:
    """The unit of the reservation, if it is still open."""
    # The program of before notes no token, and leaves an earlier one where it takes a unit over.
    query = {
        "invoice_id": str(reservation.invoice_id),
        "run": reservation.run,
        "made_at": to_micros(reservation.made_at),
        "reservation": reservation.token,
    }
    row = await collections.quotas.find_one(
        {"_id": month_id(reservation.account_id, month), "open": {"$elemMatch": query}}
    )
    return None if row is None else _unit_for(row, query)


async def keep(collections: Collections, unit: Unit) -> bool:
    """End the reservation; its run is queued. False if it has already ended."""
    return await _end(collections, unit, given_back=0)


async def keep_all(collections: Collections, row: Row) -> None:
    """End the open reservations of the units for which the invoice in this row was queued."""
    reserving = {"account_id": row["account_id"], "open.invoice_id": row["_id"]}
    for month in await collections.quotas.find(reserving).to_list(None):
        for token in {entry["token"] for entry in month["open"]} & set(row["units"]):
            await keep(collections, Unit(month["_id"], token))


async def cancel_unit(collections: Collections, unit: Unit) -> bool:
    """End the reservation; its run will not happen. False if it has already ended."""
    return await _end(collections, unit, given_back=1)


async def refund_unit(collections: Collections, account_id: UUID, month: datetime, invoice_id: UUID) -> None:
    """Give the unit of an invoice back that is removed because its pages belong to others; once, however often this is
    repeated."""
    once = {"_id": month_id(account_id, month), "refunded": {"$ne": str(invoice_id)}}
    change = {"$inc": {"used": -1}, "$push": {"refunded": str(invoice_id)}}
    await collections.quotas.update_one(once, change)


def reservations_of(row: Row, before: datetime) -> list[Reservation]:
    """The open reservations of a month that were made before this moment."""
    return [_reservation_from(row, entry) for entry in row["open"] if entry["made_at"] < to_micros(before)]


async def _start_month(collections: Collections, id: str, account_id: UUID, month: datetime) -> None:
    row = {"account_id": str(account_id), "month": to_micros(month), "used": 0, "open": []}
    try:
        await collections.quotas.update_one({"_id": id}, {"$setOnInsert": row}, upsert=True)
    except DuplicateKeyError:
        # Another process started it at the same time.
        return


async def _end(collections: Collections, unit: Unit, given_back: int) -> bool:
    change = {"$pull": {"open": {"token": unit.token}}, "$inc": {"used": -given_back}}
    ended = await collections.quotas.update_one({"_id": unit.month, "open.token": unit.token}, change)
    return ended.matched_count == 1


def _entry_of(reservation: Reservation, unit: Unit) -> Row:
    return {
        "token": unit.token,
        "invoice_id": str(reservation.invoice_id),
        "file_key": reservation.file_key,
        "run": reservation.run,
        "made_at": to_micros(reservation.made_at),
        "reservation": reservation.token,
    }


def _unit_for(row: Row, query: Row) -> Unit:
    token = next(entry["token"] for entry in row["open"] if all(entry.get(key) == query[key] for key in query))
    return Unit(row["_id"], token)


def _reservation_from(row: Row, entry: Row) -> Reservation:
    return Reservation(
        invoice_id=UUID(entry["invoice_id"]),
        account_id=UUID(row["account_id"]),
        file_key=entry["file_key"],
        month=from_micros(row["month"]),
        run=entry["run"],
        made_at=from_micros(entry["made_at"]),
        token=entry.get("reservation"),
    )
