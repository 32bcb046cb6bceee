"""Units of new invoices. An interrupted request for the same invoice may have left a unit, and may even still be
running: then both requests share that unit, which pays for whichever invoice is inserted first."""

from datetime import datetime

from pymongo.errors import PyMongoError

from serve_app.domain.errors import InvoiceContended
from serve_app.domain.reservation import Reservation
from serve_app.store.mongo.accounts.units import Unit, cancel_unit, find_reserved, find_unit, keep, month_id, take_unit
from serve_app.store.mongo.engine.errors import defer_on_failure
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import to_micros


async def reserve_unit(collections: Collections, reservation: Reservation, month: datetime, limit: int | None) -> None:
    """Take a unit, or take over the one that was left. Raises QuotaReached at the limit, and InvoiceContended if the
    invoice exists or its file is about to be deleted."""
    if await _is_there(collections, _of(reservation)):
        raise InvoiceContended
    left = await find_unit(collections, reservation.account_id, reservation.invoice_id, reservation.run)
    if left is None or not await _take_over(collections, left, reservation, month):
        await take_unit(collections, reservation, month, limit)
        if left is not None:
            await _settle(collections, reservation, left)
    # Last: from now on no process gives the file up without seeing this reservation.
    if await _is_pending_deletion(collections, reservation, has_file=left is not None):
        await end_unit(collections, reservation)
        raise InvoiceContended


async def end_unit(collections: Collections, reservation: Reservation) -> None:
    """Give the unit back if there is one, unless its run was queued."""
    if reservation.month is None:
        return
    unit = await find_reserved(collections, reservation, reservation.month)
    if unit is not None:
        await _settle(collections, reservation, unit)


async def refuse_anothers(collections: Collections, reservation: Reservation) -> None:
    """Raises InvoiceContended if another request has a reservation of the same new invoice, and this one has none."""
    if await find_unit(collections, reservation.account_id, reservation.invoice_id, run=1) is None:
        return
    if reservation.month is None or await find_reserved(collections, reservation, reservation.month) is None:
        raise InvoiceContended


async def is_used(collections: Collections, row: Row, unit: Unit) -> bool:
    """Whether the invoice was queued for this unit."""
    return await _is_there(collections, {"_id": row["_id"], "account_id": row["account_id"], "units": unit.token})


async def _take_over(collections: Collections, left: Unit, reservation: Reservation, month: datetime) -> bool:
    """Transfer the unit to the reservation; False if it belongs to another month or has ended meanwhile."""
    if left.month != month_id(reservation.account_id, month):
        return False
    renewed = {"$set": {"open.$.made_at": to_micros(reservation.made_at), "open.$.reservation": reservation.token}}
    taken = await collections.quotas.update_one({"_id": left.month, "open.token": left.token}, renewed)
    return taken.matched_count == 1


async def _is_pending_deletion(collections: Collections, reservation: Reservation, *, has_file: bool) -> bool:
    try:
        found = await collections.doomed_files.find_one(_of(reservation), {"_id": 1})
    except PyMongoError:
        # If there may be a file already, housekeeping finds it through the reservation.
        if not has_file:
            with defer_on_failure("the return of a unit"):
                await end_unit(collections, reservation)
        raise
    return found is not None


async def _settle(collections: Collections, reservation: Reservation, unit: Unit) -> None:
    used = _of(reservation) | {"units": unit.token}
    if (await collections.invoices.update_one(used, {"$set": {"kept": unit.token}})).matched_count:
        await keep(collections, unit)
    else:
        await cancel_unit(collections, unit)


def _of(reservation: Reservation) -> Row:
    """Matches the invoice of the reservation, and the note of its file."""
    return {"_id": str(reservation.invoice_id), "account_id": str(reservation.account_id)}


async def _is_there(collections: Collections, invoice: Row) -> bool:
    return await collections.invoices.find_one(invoice, {"_id": 1}) is not None
