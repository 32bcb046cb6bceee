"""The further invoices of a file, which are finished from the start."""

from datetime import datetime
from uuid import UUID

from pymongo.errors import DuplicateKeyError

from serve_app.domain.clock import month_start
from serve_app.domain.reservation import Reservation
from serve_app.store.mongo.accounts.units import cancel_unit, keep, take_unit
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.rows.codec import from_micros


async def add_sibling(collections: Collections, row: Row, now: datetime) -> None:
    """Add the row, for a unit of the month in which its run ended, unless it already exists."""
    while not await _is_there_for_good(collections, row):
        await _add(collections, row, now)


async def _is_there_for_good(collections: Collections, row: Row) -> bool:
    """A write, because a failover may take back what a read shows."""
    this = {"_id": row["_id"], "account_id": row["account_id"]}
    return (await collections.invoices.update_one(this, {"$inc": {"revision": 1}})).matched_count == 1


async def _add(collections: Collections, row: Row, now: datetime) -> None:
    ids = UUID(row["_id"]), UUID(row["account_id"])
    month = month_start(from_micros(row["updated_at"]))
    unit = await take_unit(
        collections, Reservation(*ids, row["file_key"], month, run=1, made_at=now), month, limit=None
    )
    try:
        await collections.invoices.insert_one(row | {"units": [unit.token]})
    except DuplicateKeyError:
        # Another process did the same first.
        await cancel_unit(collections, unit)
    else:
        await keep(collections, unit)
