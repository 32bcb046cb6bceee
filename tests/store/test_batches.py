"""The invoices of one file are saved together, or none of them."""

from dataclasses import replace
from decimal import Decimal

from serve_app.domain.account import Account
from serve_app.domain.batch import Section, records_of
from serve_app.domain.event import EventType
from serve_app.domain.invoice import Extraction, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base import Store
from tests.support import MONTH, NOON, claim_next, make_record, newest_events, queue_invoice

SECTIONS = [
    Section(page, page, Extraction(vendor_name="ACME", invoice_number=number, amount=Decimal("9.90")))
    for page, number in ((1, "A-1"), (2, "A-2"), (4, "A-1"))
]


async def claimed(store: Store, account: Account, limit: int | None = None) -> InvoiceRecord:
    await queue_invoice(store, make_record(account.id), limit)
    claim = await claim_next(store)
    return claim


async def test_each_sibling_is_complete_with_an_event_and_a_unit_of_its_own(store: Store, account: Account) -> None:
    claim = await claimed(store, account)
    first, siblings = records_of(claim, SECTIONS, NOON)
    await store.queue.save_result(claim, first, NOON, siblings)
    for sibling in siblings:
        invoice = await store.invoices.get(account.id, sibling.invoice.id)
        assert invoice is not None
        assert (invoice.status, invoice.file) == (Status.COMPLETE, claim.invoice.file)
    events = await newest_events(store, account.id)
    assert [event.type for event in events] == [EventType.COMPLETED] * 3
    assert await store.quotas.used(account.id, MONTH) == 3


async def test_each_invoice_of_a_file_carries_what_was_recorded_about_the_file(store: Store, account: Account) -> None:
    notes = {"order": "7", "a.b": "$set", "": "\x00"}
    record = make_record(account.id)
    record.invoice.metadata = notes
    await queue_invoice(store, record)
    claim = await claim_next(store)
    first, siblings = records_of(claim, SECTIONS, NOON)
    await store.queue.save_result(claim, first, NOON, siblings)
    events = await newest_events(store, account.id)
    assert [event.data.invoice.metadata for event in events] == [notes] * 3
    for record in (claim, *siblings):
        invoice = await store.invoices.get(account.id, record.invoice.id)
        assert invoice is not None
        assert invoice.metadata == notes


async def test_units_of_an_accepted_file_are_granted_past_the_limit(store: Store, account: Account) -> None:
    claim = await claimed(store, account, limit=1)
    first, siblings = records_of(claim, SECTIONS, NOON)
    assert await store.queue.save_result(claim, first, NOON, siblings) is not None
    assert await store.quotas.used(account.id, MONTH) == 3


async def test_a_sibling_can_be_a_duplicate_of_another(store: Store, account: Account) -> None:
    claim = await claimed(store, account)
    first, siblings = records_of(claim, SECTIONS, NOON)
    await store.queue.save_result(claim, first, NOON, siblings)
    found = [await store.invoices.get(account.id, sibling.invoice.id) for sibling in siblings]
    assert [invoice and invoice.duplicate_of for invoice in found] == [None, claim.invoice.id]


async def test_a_run_that_lost_its_claim_adds_no_sibling(store: Store, account: Account) -> None:
    claim = await claimed(store, account)
    first, siblings = records_of(claim, SECTIONS, NOON)
    assert await store.queue.save_result(replace(claim, attempt=claim.attempt - 1), first, NOON, siblings) is None
    assert await store.invoices.get(account.id, siblings[0].invoice.id) is None
    assert await store.quotas.used(account.id, MONTH) == 1


async def test_a_part_shares_the_file_of_its_batch(store: Store, account: Account) -> None:
    claim = await claimed(store, account)
    first, siblings = records_of(claim, SECTIONS, NOON)
    await store.queue.save_result(claim, first, NOON, siblings)
    record = await store.invoices.find_record(account.id, siblings[1].invoice.id)
    assert record is not None
    assert record.file_key == claim.file_key
    assert record.next_run_at is None
