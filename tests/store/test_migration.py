"""A database of an older version is brought to the present one with all that it holds."""

import json
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest

from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, Extraction, Field, Invoice, ModelRevisions, Status
from serve_app.domain.provenance import with_sources
from serve_app.domain.query import EventQuery, InvoiceQuery
from serve_app.store.rows.codec import to_micros
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.store import open_sqlite
from tests.support import LEASE, MONTH, NOON, Clock, claim_next, make_invoice, newest_events
from tests.support.old_databases import make_old_database

ACCOUNT = new_id()
# What version 1 kept in columns.
COLUMNS = {"id", "object", "status", "source", "created_at", "updated_at", "duplicate_of"}
# What invoices did not have at version 1.
NEW = {"vendor_id", "paid", "paid_at", "entity_tag", "approval_status", "approval_email"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make_old_database(tmp_path / "invoices.db", 1)
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO accounts VALUES (?, 'free', 0)", (str(ACCOUNT),))
        connection.execute("INSERT INTO quotas VALUES (?, ?, 7)", (str(ACCOUNT), to_micros(MONTH)))
    connection.close()
    return path


def add(path: Path, status: Status, extraction: Extraction, duplicate_of: UUID | None = None) -> Invoice:
    values = {name: getattr(extraction, name) for name in Extraction.model_fields}
    invoice = make_invoice().model_copy(update=values | {"status": status, "duplicate_of": duplicate_of})
    document = json.dumps(invoice.model_dump(exclude=COLUMNS | NEW), default=str)
    row = {
        "id": str(invoice.id),
        "account_id": str(ACCOUNT),
        "status": status,
        "source": "api",
        "created_at": to_micros(NOON),
        "updated_at": to_micros(NOON),
        "document": document,
        "duplicate_of": duplicate_of and str(duplicate_of),
        "file_key": f"{ACCOUNT}/{invoice.id}",
        "next_run_at": None if invoice.is_finished else to_micros(NOON + LEASE),
        "attempt": 1,
    }
    with sqlite3.connect(path) as connection:
        names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
        connection.execute(f"INSERT INTO invoices ({names}) VALUES ({marks})", row)  # noqa: S608
    connection.close()
    return invoice


async def test_invoices_vendors_and_filters_are_there_after_it(path: Path) -> None:
    bill = Extraction(vendor_name="ACME GmbH", amount=Decimal("10.10"), issued_at=date(2026, 5, 2))
    first = add(path, Status.COMPLETE, bill)
    add(path, Status.COMPLETE, bill.model_copy(update={"vendor_name": "Acme"}), duplicate_of=first.id)
    add(path, Status.FAILED, Extraction())
    store = open_sqlite(path, slots=8, clock=Clock())
    (vendor,) = await store.vendors.by_spend(ACCOUNT, 10)
    assert (vendor.name, vendor.invoice_count, vendor.total_billed) == ("Acme", 2, Decimal("10.10"))
    assert vendor.last_seen_at == date(2026, 5, 2)
    found = await store.invoices.page(ACCOUNT, InvoiceQuery(vendor="gmbh", min_amount=Decimal(10)), 10)
    assert [invoice.id for invoice in found.items] == [first.id]
    assert found.items[0] == with_sources(first.model_copy(update={"vendor_id": vendor.id}))
    assert await store.quotas.used(ACCOUNT, MONTH) == 7
    await store.connection.close()


@pytest.mark.parametrize(
    "query",
    [
        InvoiceQuery(invoice_number="A-1"),
        InvoiceQuery(currency="EUR"),
        InvoiceQuery(level=Confidence.MID),
        InvoiceQuery(models="layout verifier"),
        InvoiceQuery(issued_after=date(2026, 5, 1), issued_before=date(2026, 5, 3)),
    ],
)
async def test_what_old_invoices_say_finds_them(path: Path, query: InvoiceQuery) -> None:
    levels = {Field.VENDOR: Confidence.MID, Field.AMOUNT: Confidence.HIGH, Field.LINE_ITEMS: Confidence.LOW}
    bill = Extraction(
        invoice_number="A-1",
        currency="EUR",
        issued_at=date(2026, 5, 2),
        field_confidence=levels,
        models=ModelRevisions(extractor="layout", verifier="verifier"),
    )
    wanted = add(path, Status.COMPLETE, bill)
    add(path, Status.COMPLETE, Extraction(invoice_number="A-2", currency="USD", issued_at=date(2026, 5, 3)))
    add(path, Status.FAILED, Extraction())
    store = open_sqlite(path, slots=8, clock=Clock())
    assert [invoice.id for invoice in (await store.invoices.page(ACCOUNT, query, 10)).items] == [wanted.id]
    await store.connection.close()


async def test_what_was_queued_or_running_is_run(path: Path) -> None:
    waiting = {add(path, status, Extraction()).id for status in (Status.QUEUED, Status.PROCESSING)}
    clock = Clock(NOON + timedelta(hours=1))
    store = open_sqlite(path, slots=8, clock=clock)
    assert await store.queue.repair() == 2
    claims = [await claim_next(store) for _ in range(2)]
    assert {claim.invoice.id for claim in claims} == waiting
    for claim in claims:
        assert await store.queue.save_result(claim, Extraction(vendor_name="ACME"), clock.now) is not None
    assert len(await newest_events(store, ACCOUNT)) == 2
    await store.connection.close()


async def test_logged_events_stay(path: Path) -> None:
    payload = json.dumps({"data": {"invoice": {"id": str(new_id())}}})
    with sqlite3.connect(path) as connection:
        row = ("evt_1", str(ACCOUNT), "invoice.completed", 0, payload)
        connection.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?)", row)
    connection.close()
    store = open_sqlite(path, slots=8, clock=Clock())
    page = await store.events.page(ACCOUNT, EventQuery(), 10)
    assert [event.payload for event in page.items] == [payload]
    await store.connection.close()
