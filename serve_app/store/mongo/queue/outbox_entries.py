"""Entries of an invoice's outbox: what a write leaves to do."""

from collections.abc import Collection, Sequence
from uuid import uuid4

from serve_app.domain.event import LoggedEvent
from serve_app.store.mongo.engine.types import Row
from serve_app.store.rows.codec import to_micros


def entry_of(
    *,
    duplicate_keys: Collection[str | None] = (),
    event: LoggedEvent | None = None,
    siblings: Sequence[Row] = (),
    vendors: Sequence[Row] = (),
    sums: Sequence[Row] = (),
    usage: Row | None = None,
) -> Row:
    """An entry: `siblings` to add, `vendors` to name, duplicates to flag, differences of vendors' `sums`, what
    reading took, as `usage`, and an event to publish."""
    return {
        "id": uuid4().hex,
        "settled": False,
        "siblings": list(siblings),
        "vendors": list(vendors),
        "duplicate_keys": sorted(key for key in set(duplicate_keys) if key),
        "sums": list(sums),
        # For programs of the version before, which count the vendor's invoices instead.
        "vendor_keys": sorted({difference["key"] for difference in _all_sums(sums, siblings)}),
        "event": None if event is None else event_row(event),
        **({} if usage is None else {"usage": usage}),
    }


def entry_of_event(event: LoggedEvent) -> Row:
    """An entry with nothing to do but to publish the event."""
    return entry_of(event=event) | {"settled": True}


def event_row(event: LoggedEvent) -> Row:
    """The event as the log stores it, without its invoice."""
    return {
        "_id": event.id,
        "account_id": str(event.account_id),
        "type": str(event.type),
        "created_at": to_micros(event.created_at),
        "payload": event.payload,
    }


def _all_sums(sums: Sequence[Row], siblings: Sequence[Row]) -> list[Row]:
    return [*sums, *(one for sibling in siblings for entry in sibling["outbox"] for one in entry["sums"])]
