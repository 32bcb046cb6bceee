"""Applies an endpoint's state to its deliveries: those of a paused endpoint are abandoned, those of an active one have
a lane that is due.

A process that changes both first leaves a mark on the endpoint and ends it last; if the process dies midway,
`settle_overdue` does the rest.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import uuid4

from serve_app.store.fairness import LONGEST_LEASE
from serve_app.store.mongo.engine.types import Collections, Row
from serve_app.store.mongo.webhooks.delivery_rows import PAUSED, PENDING
from serve_app.store.mongo.webhooks.pending_deliveries import make_due
from serve_app.store.rows.codec import span_micros, to_micros

_TAKEOVER_AFTER = timedelta(seconds=30)
"""How long a process has to end its mark."""
_BATCH = 1000


def new_mark(now: datetime) -> Row:
    """An entry of `unsettled`."""
    return {"id": uuid4().hex, "at": to_micros(now + _TAKEOVER_AFTER)}


async def leave_mark(collections: Collections, account_id: str, endpoint_id: str, now: datetime) -> str:
    """Note that deliveries of the endpoint are about to change; returns the mark's id, for `make_due` or `settle`."""
    mark = new_mark(now)
    await collections.endpoints.update_one(_of(account_id, endpoint_id), {"$push": {"unsettled": mark}})
    return str(mark["id"])


async def settle(collections: Collections, account_id: str, endpoint_id: str, at: int, marks: Sequence[str]) -> None:
    """Apply the endpoint's state and end the marks; a lane is due at this moment."""
    if await is_paused(collections, account_id, endpoint_id):
        await _abandon_pending(collections, account_id, endpoint_id)
    await make_due(collections, account_id, endpoint_id, at, marks)


async def settle_overdue(collections: Collections, now: datetime) -> None:
    """The same for all endpoints with marks that were not ended in time, or that end later than any can."""
    moment = to_micros(now)
    latest = moment + span_micros(LONGEST_LEASE)
    overdue = {"$or": [{"unsettled.at": {"$lte": moment}}, {"unsettled.at": {"$gt": latest}}]}
    for row in await collections.endpoints.find(overdue, {"account_id": 1, "unsettled": 1}).to_list(None):
        marks = [mark["id"] for mark in row["unsettled"]]
        await settle(collections, row["account_id"], row["_id"], moment, marks)


async def _abandon_pending(collections: Collections, account_id: str, endpoint_id: str) -> None:
    pending: Row = {"account_id": account_id, "endpoint_id": endpoint_id, "state": PENDING}
    while rows := await collections.deliveries.find(pending, {"_id": 1}).limit(_BATCH).to_list(None):
        # Deliveries added once it is active again are not among those found.
        if not await is_paused(collections, account_id, endpoint_id):
            return
        found = {"account_id": account_id, "_id": {"$in": [row["_id"] for row in rows]}, "state": PENDING}
        await collections.deliveries.update_many(found, {"$set": PAUSED})


async def is_paused(collections: Collections, account_id: str, endpoint_id: str) -> bool:
    """Also False if there is no such endpoint."""
    row = await collections.endpoints.find_one(_of(account_id, endpoint_id), {"paused_reason": 1})
    return row is not None and row["paused_reason"] is not None


def _of(account_id: str, endpoint_id: str) -> Row:
    return {"_id": endpoint_id, "account_id": account_id}
