"""What is kept of an invoice, and who may see it."""

from datetime import date
from decimal import Decimal

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import (
    Citation,
    Confidence,
    Extraction,
    Failure,
    FailureCode,
    Field,
    LineItem,
    ModelRevisions,
    Status,
)
from serve_app.store.base import Store
from tests.support import LEASE, NOON, claim_next, make_record, newest_events, queue_invoice, queue_new

EVERYTHING = Extraction(
    vendor_name="Müller & Söhne GmbH",
    invoice_number="R-1",
    amount=Decimal("1234567890123.10"),
    currency="EUR",
    issued_at=date(2026, 5, 1),
    due_at=date(2026, 5, 31),
    tax=Decimal("0.1"),
    line_items=[
        LineItem(description="Bolt", quantity=Decimal("3"), unit_price=Decimal("0.005"), confidence=Confidence.HIGH)
    ],
    field_confidence={Field.AMOUNT: Confidence.HIGH, Field.VENDOR: Confidence.LOW},
    citations={
        Field.AMOUNT: Citation(page=1, box=(0.1, 0.2, 0.3, 0.4), text="1.234"),
        Field.LINE_ITEMS: [Citation(page=1, box=(0.0, 0.0, 1.0, 0.1), text="Bolt")],
    },
    quality_score=0.87,
    auto_verified=True,
    pages=2,
    models=ModelRevisions(extractor="a@1", verifier="b@2"),
)


async def test_a_result_comes_back_exactly(store: Store, account: Account) -> None:
    record = make_record(account.id)
    await queue_invoice(store, record)
    claim = await claim_next(store)
    saved = await store.queue.save_result(claim, EVERYTHING, NOON + LEASE)
    found = await store.invoices.get(account.id, record.invoice.id)
    assert found == saved
    assert found is not None
    assert Extraction.model_validate({name: getattr(found, name) for name in Extraction.model_fields}) == EVERYTHING
    assert str(found.amount) == "1234567890123.10"
    assert (found.status, found.updated_at) == (Status.COMPLETE, NOON + LEASE)
    assert (found.created_at, found.file) == (record.invoice.created_at, record.invoice.file)


async def test_a_failure_is_reported_on_the_invoice(store: Store, account: Account) -> None:
    await queue_new(store, account.id)
    claim = await claim_next(store)
    failure = Failure(code=FailureCode.DOCUMENT_ENCRYPTED, message="It has a password.")
    failed = await store.queue.fail(claim, failure, NOON)
    assert failed is not None
    assert (failed.status, failed.failure) == (Status.FAILED, failure)


async def test_another_accounts_invoice_is_unknown(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    record = make_record(account.id)
    await queue_invoice(store, record)
    assert await store.invoices.get(account.id, record.invoice.id) == record.invoice
    assert await store.invoices.get(other.id, record.invoice.id) is None
    assert await store.invoices.get(account.id, new_id()) is None


async def test_finished_among_names_the_finished_ones(store: Store, account: Account) -> None:
    records = [make_record(account.id) for _ in range(3)]
    for record in records:
        await queue_invoice(store, record)
    complete = await store.queue.claim_due_invoice(LEASE)
    failed = await store.queue.claim_due_invoice(LEASE)
    assert complete is not None
    assert failed is not None
    await store.queue.save_result(complete, Extraction(), NOON)
    await store.queue.fail(failed, Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
    ids = [record.invoice.id for record in records]
    await newest_events(store, account.id)
    assert await store.queue.finished_among([*ids, new_id()]) == {complete.invoice.id, failed.invoice.id}
    assert await store.queue.finished_among([ids[2]]) == set()


async def test_an_operator_finds_the_account_of_an_invoice(store: Store, account: Account) -> None:
    record = make_record(account.id)
    await queue_invoice(store, record)
    assert await store.invoices.account_of(record.invoice.id) == account.id
    assert await store.invoices.account_of(new_id()) is None
