"""What people say about an invoice lies over what was read."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import NotComplete, ReviewChanged
from serve_app.domain.event import Event, EventType
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import (
    Citation,
    Confidence,
    Extraction,
    Field,
    FieldSource,
    Invoice,
    LineItem,
    ReviewStatus,
)
from serve_app.domain.query import EventQuery, InvoiceQuery
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Changes, Decision, Review, Verdict
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.store.base import Store
from serve_app.store.base.reviews import NewReview
from serve_app.store.rows.invoices import document_of
from tests.support import MONTH, NOON, claim_next, newest_events, queue_new

READ = Extraction(
    vendor_name="Acme Ltd",
    invoice_number="A-1",
    amount=Decimal("100.00"),
    currency="EUR",
    issued_at=date(2026, 5, 1),
    due_at=date(2026, 6, 1),
    line_items=[LineItem(description="Bolt", quantity=Decimal(1), unit_price=None, confidence=Confidence.HIGH)],
    field_confidence={Field.AMOUNT: Confidence.LOW},
    citations={
        Field.AMOUNT: Citation(page=1, box=(0.1, 0.1, 0.2, 0.2), text="100.00"),
        Field.LINE_ITEMS: [Citation(page=1, box=(0.0, 0.5, 1.0, 0.6), text="Bolt")],
    },
)


async def read_new(store: Store, account: Account, extraction: Extraction = READ) -> InvoiceRecord:
    """A complete invoice."""
    await queue_new(store, account.id)
    return await finish_next(store, extraction)


async def finish_next(store: Store, extraction: Extraction, evidence_key: str | None = None) -> InvoiceRecord:
    claim = await claim_next(store)
    await store.queue.save_result(claim, extraction, NOON, (), NOTHING_KNOWN, evidence_key)
    return await found(store, claim)


async def found(store: Store, of: InvoiceRecord) -> InvoiceRecord:
    record = await store.invoices.find_record(of.account_id, of.invoice.id)
    assert record is not None
    return record


def saying(**values: Any) -> Changes:
    return {name: Decision(value=value, by="ann@example.com", at=NOON) for name, value in values.items()}


async def say(store: Store, record: InvoiceRecord, review: Review, *, emits_event: bool = False) -> InvoiceRecord:
    later = NOON + timedelta(minutes=1)
    new = NewReview(review, record.review_revision, later, emits_event)
    saved = await store.reviews.save(record.account_id, record.invoice.id, new)
    assert saved is not None
    return saved


async def ids(store: Store, account: Account, query: InvoiceQuery) -> list[Invoice]:
    return list((await store.invoices.page(account.id, query, 100)).items)


async def test_an_invoice_has_the_values_of_people_and_remembers_what_was_read(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    saved = await say(store, record, record.review.changed(saying(amount="119.00", due_at=None)))
    assert saved == await found(store, record)
    invoice = saved.invoice
    assert (str(invoice.amount), invoice.due_at, invoice.invoice_number) == ("119.00", None, "A-1")
    assert invoice.review.fields == ["amount", "due_at"]
    assert {name: read.value for name, read in saved.review.read.items()} == {
        "amount": "100.00",
        "due_at": "2026-06-01",
    }
    assert invoice.field_confidence == READ.field_confidence
    assert invoice.citations is not None
    assert Field.AMOUNT not in invoice.citations


async def test_it_shows_who_entered_a_value_and_over_what(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    assert set(record.invoice.field_source.values()) == {FieldSource.MODELS}
    await say(store, record, record.review.changed(saying(amount="119.00", due_at=None)))
    (listed,) = await ids(store, account, InvoiceQuery())
    for invoice in (listed, (await found(store, record)).invoice, await store.invoices.get(account.id, listed.id)):
        assert invoice is not None
        assert {name: each.read for name, each in invoice.review.corrections.items()} == {
            "amount": "100.00",
            "due_at": "2026-06-01",
        }
        assert {invoice.field_source[Field.AMOUNT], invoice.field_source[Field.DUE_AT]} == {FieldSource.PERSON}
        assert invoice.field_source[Field.VENDOR] is FieldSource.MODELS


async def test_the_program_of_before_reads_what_is_stored(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    saved = await say(store, record, record.review.changed(saying(amount="119.00", iban="DE89370400440532013000")))
    kept = document_of(saved.invoice)
    assert "_source" not in kept
    assert "corrections" not in kept


async def test_taken_back_it_is_as_it_was_read(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    rows = [{"description": "Nut", "quantity": "2", "unit_price": "3", "total": None, "tax_rate": None}]
    saved = await say(store, record, record.review.changed(saying(amount="119.00", line_items=rows)))
    assert [item.description for item in saved.invoice.line_items] == ["Nut"]
    undone = await say(store, saved, saved.review.undone())
    same = undone.invoice.model_copy(update={"updated_at": record.invoice.updated_at})
    assert same == record.invoice
    redone = await say(store, undone, undone.review.redone())
    assert redone.invoice.amount == Decimal("119.00")


async def test_lists_duplicates_and_vendors_follow(store: Store, account: Account) -> None:
    older, newer = await read_new(store, account), await read_new(store, account)
    assert (await found(store, newer)).invoice.duplicate_of == older.invoice.id
    changed = newer.review.changed(saying(vendor="Beta GmbH", amount="250.00", currency="USD", issued_at="2026-04-30"))
    saved = await say(store, newer, changed)
    assert saved.invoice.duplicate_of is None
    assert saved.invoice.vendor_id not in (None, older.invoice.vendor_id)
    for query in (
        InvoiceQuery(vendor="beta"),
        InvoiceQuery(min_amount=Decimal(200)),
        InvoiceQuery(currency="USD"),
        InvoiceQuery(issued_before=date(2026, 5, 1)),
        InvoiceQuery(vendor_id=saved.invoice.vendor_id),
    ):
        assert [invoice.id for invoice in await ids(store, account, query)] == [newer.invoice.id], query
    vendors = await store.vendors.by_spend(account.id, 10)
    assert [(vendor.name, vendor.invoice_count, vendor.total_billed) for vendor in vendors] == [
        ("Beta GmbH", 1, Decimal(250)),
        ("Acme Ltd", 1, Decimal(100)),
    ]
    again = await say(store, saved, saved.review.undone())
    assert again.invoice.duplicate_of == older.invoice.id
    (vendor,) = await store.vendors.by_spend(account.id, 10)
    assert (vendor.invoice_count, vendor.total_billed) == (2, Decimal(100))


async def test_overdue_follows_the_due_date_of_people(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    overdue = InvoiceQuery(overdue=True, overdue_on=date(2026, 5, 17))
    assert await ids(store, account, overdue) == []
    await say(store, record, record.review.changed(saying(due_at="2026-05-10")))
    assert [invoice.id for invoice in await ids(store, account, overdue)] == [record.invoice.id]


async def test_an_old_revision_changes_nothing(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    first = await say(store, record, record.review.changed(saying(amount="119.00")))
    with pytest.raises(ReviewChanged):
        await say(store, record, record.review.changed(saying(amount="1.00")))
    assert await found(store, record) == first


async def test_a_new_reading_keeps_what_people_said(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    saved = await say(store, record, record.review.changed(saying(amount="119.00")))
    await store.intake.rerun(saved.invoice, account.id, MONTH, None)
    again = await finish_next(store, READ.model_copy(update={"amount": Decimal("42.00"), "invoice_number": "A-2"}))
    assert (again.invoice.amount, again.invoice.invoice_number) == (Decimal("119.00"), "A-2")
    assert again.review.read["amount"].value == "42.00"
    with pytest.raises(ReviewChanged):
        await say(store, saved, saved.review.changed(saying(tax="1.00")))
    undone = await say(store, again, again.review.undone())
    assert undone.invoice.amount == Decimal("42.00")


async def test_only_a_complete_invoice_is_reviewed(store: Store, account: Account) -> None:
    queued = await queue_new(store, account.id)
    with pytest.raises(NotComplete):
        await say(store, queued, Review().changed(saying(amount="1.00")))


async def test_another_accounts_invoice_is_unknown(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    review = record.review.changed(saying(amount="1.00"))
    saved = await store.reviews.save(new_id(), record.invoice.id, NewReview(review, 0, NOON))
    assert saved is None
    assert await found(store, record) == record


async def test_who_is_done_is_not_to_be_checked_any_more(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    assert [invoice.id for invoice in await ids(store, account, InvoiceQuery(to_check=True))] == [record.invoice.id]
    verdict = Verdict(status=ReviewStatus.CONFIRMED, by="ann@example.com", at=NOON)
    saved = await say(store, record, record.review.changed({}, verdict))
    assert saved.invoice.review.status is ReviewStatus.CONFIRMED
    assert await ids(store, account, InvoiceQuery(to_check=True)) == []
    assert [invoice.id for invoice in await ids(store, account, InvoiceQuery(to_check=False))] == [record.invoice.id]


async def test_its_event_is_in_the_log_for_who_asks_for_it(store: Store, account: Account) -> None:
    record = await read_new(store, account)
    await say(store, record, record.review.changed(saying(amount="119.00")), emits_event=True)
    assert [event.type for event in await newest_events(store, account.id)] == [EventType.COMPLETED]
    (event,) = (await store.events.page(account.id, EventQuery(EventType.REVIEWED), 10)).items
    parsed = event.parsed()
    assert isinstance(parsed, Event)
    assert parsed.data.invoice.amount == Decimal("119.00")


async def test_the_key_of_what_a_run_saw_is_kept_with_its_result(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    record = await finish_next(store, READ, "evidence/a/b/1")
    assert record.evidence_key == "evidence/a/b/1"
    await store.intake.rerun(record.invoice, account.id, MONTH, None)
    assert (await finish_next(store, READ, "evidence/a/b/3")).evidence_key == "evidence/a/b/3"


async def test_decided_invoices_are_walked_through_in_the_order_of_the_decisions(
    store: Store, account: Account
) -> None:
    records = [await read_new(store, account) for _ in range(4)]
    for record, minutes in zip(records[:3], (2, 1, 1), strict=True):
        verdict = Verdict(status=ReviewStatus.CONFIRMED, by="Ann", at=NOON + timedelta(minutes=minutes))
        await say(store, record, record.review.changed({}, verdict))
    wanted = [record.invoice.id for record in (*records[1:3], records[0])]
    walked: list[InvoiceRecord] = []
    while some := await store.reviews.decided(account.id, 1, _place(walked[-1]) if walked else None):
        walked += some
    assert [record.invoice.id for record in walked] == wanted
    assert [record.invoice.id for record in await store.reviews.decided(account.id, 10)] == wanted
    assert await store.reviews.decided(new_id(), 10) == []


def _place(record: InvoiceRecord) -> tuple[datetime, UUID]:
    assert record.review.verdict.at is not None
    return record.review.verdict.at, record.invoice.id
