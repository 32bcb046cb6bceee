"""Checks that the data of a MongoDB store is consistent, once everything in it is finished."""

from collections import Counter
from decimal import Decimal
from typing import Any

from serve_app.domain.event import ENDS_OF_RUNS, EventType
from serve_app.domain.invoice import Status
from serve_app.store.mongo.invoices.codec import invoice_from

Row = dict[str, Any]


async def check_consistency(collections: Any, files: set[str], endpoints: int, erased_units: int = 0) -> None:
    """Every unit, file, event, delivery, flag and sum is what the invoices say; nothing is left to do. `erased_units`
    were taken for invoices that are gone."""
    rows = {row["_id"]: row for row in await _all(collections, "invoices")}
    _nothing_is_left(rows)
    assert {row["file_key"] for row in rows.values()} == files
    assert await _all(collections, "doomed_files") == []
    quotas = await _all(collections, "quotas")
    assert [entry for quota in quotas for entry in quota["open"]] == []
    assert sum(quota["used"] for quota in quotas) == sum(row["runs"] for row in rows.values()) + erased_units
    await _every_run_has_one_event(collections, rows, endpoints)
    _every_duplicate_is_flagged(rows)
    await _every_vendor_is_summed(collections, rows)
    await _every_reading_is_counted(collections, rows, erased_units)


def _nothing_is_left(rows: dict[str, Row]) -> None:
    for row in rows.values():
        assert row["status"] in {Status.COMPLETE, Status.FAILED}, row
        assert not row.keys() & {"outbox", "outbox_at", "seat", "turn", "waiting", "next_run_at"}, row
        assert len(row["units"]) == row["runs"], row
        batch = invoice_from(row).batch
        if batch is not None:
            parts = [row for row in rows.values() if (row["document"]["batch"] or {}).get("id") == str(batch.id)]
            assert len(parts) == batch.count


async def _every_run_has_one_event(collections: Any, rows: dict[str, Row], endpoints: int) -> None:
    logged = await _all(collections, "events")
    events = [event for event in logged if event["type"] in ENDS_OF_RUNS]
    events_by_invoice = Counter(event["invoice_id"] for event in events)
    assert events_by_invoice == {id: row["runs"] for id, row in rows.items()}
    deleted = Counter(event["invoice_id"] for event in logged if event["type"] == EventType.DELETED)
    assert set(deleted.values()) <= {1}
    assert not deleted.keys() & rows.keys()
    delivered = Counter(delivery["event_id"] for delivery in await _all(collections, "deliveries"))
    assert delivered == ({event["_id"]: endpoints for event in events} if endpoints else {})


def _every_duplicate_is_flagged(rows: dict[str, Row]) -> None:
    oldest: dict[tuple[str, str], str] = {}
    for id, row in sorted(rows.items()):
        if row["duplicate_key"] is None:
            assert row["duplicate_of"] is None
            continue
        first = oldest.setdefault((row["account_id"], row["duplicate_key"]), id)
        assert row["duplicate_of"] == (None if first == id else first)


async def _every_vendor_is_summed(collections: Any, rows: dict[str, Row]) -> None:
    vendors = {vendor["_id"]: vendor for vendor in await _all(collections, "vendors")}
    counted = [row for row in rows.values() if row["vendor_key"] is not None]
    assert {row["vendor_id"] for row in counted} <= vendors.keys()
    for id, vendor in vendors.items():
        of_vendor = [row for row in counted if row["vendor_id"] == id]
        billed = [row["billed"].to_decimal() for row in of_vendor if _counts(row)]
        assert vendor["invoice_count"] == len(of_vendor)
        assert Decimal(vendor["total"]) == sum(billed, Decimal(0))
        assert vendor["last_seen"] == max((row["seen_on"] for row in of_vendor), default=None)


async def _every_reading_is_counted(collections: Any, rows: dict[str, Row], erased_units: int) -> None:
    """Once, if there was no other reading than the invoices' own."""
    counted = sum(month["pages"] for month in await _all(collections, "usage_months"))
    read = sum((row["document"].get("usage") or {"pages": 0})["pages"] for row in rows.values())
    assert counted >= read
    if not erased_units and all(row["runs"] == 1 for row in rows.values()):
        assert counted == read


def _counts(row: Row) -> bool:
    return row["duplicate_of"] is None or row.get("stands_in", False)


async def _all(collections: Any, name: str) -> list[Row]:
    rows: list[Row] = await collections[name].find({}).to_list(None)
    return rows
