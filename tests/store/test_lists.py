"""Lists of invoices: newest first, page by page, filtered."""

from datetime import date, timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Failure, FailureCode, Source, Status
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import Amendment
from serve_app.store.base import Store
from tests.support import NOON, claim_next, make_record, newest_events, queue_invoice, queue_new

TODAY = date(2026, 5, 17)


@pytest.fixture
async def invoices(store: Store, account: Account) -> dict[str, UUID]:
    """Four invoices, oldest first."""
    found: dict[str, UUID] = {}
    extractions = {
        "due": Extraction(vendor_name="Straße & Co. (50%)", amount=Decimal("10.10"), due_at=TODAY),
        "overdue": Extraction(vendor_name="ACME", amount=Decimal("99.99"), due_at=date(2026, 5, 16)),
        "failed": None,
    }
    for number, (name, extraction) in enumerate(extractions.items()):
        record = await queue_new(store, account.id, NOON + timedelta(minutes=number))
        claim = await claim_next(store)
        if extraction is None:
            await store.queue.fail(claim, Failure(code=FailureCode.NO_TEXT_FOUND, message="-"), NOON)
        else:
            await store.queue.save_result(claim, extraction, NOON)
        found[name] = record.invoice.id
    mailed = make_record(account.id, NOON + timedelta(minutes=3))
    mailed.invoice.source = Source.EMAIL
    await queue_invoice(store, mailed)
    await newest_events(store, account.id)
    return found | {"queued": mailed.invoice.id}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        (InvoiceQuery(), ["queued", "failed", "overdue", "due"]),
        (InvoiceQuery(status=Status.COMPLETE), ["overdue", "due"]),
        (InvoiceQuery(status=Status.FAILED), ["failed"]),
        (InvoiceQuery(source=Source.EMAIL), ["queued"]),
        (InvoiceQuery(created_after=NOON + timedelta(minutes=1)), ["queued", "failed"]),
        (InvoiceQuery(created_before=NOON + timedelta(minutes=1)), ["due"]),
        (InvoiceQuery(vendor="acm"), ["overdue"]),
        (InvoiceQuery(vendor="STRASSE"), ["due"]),
        (InvoiceQuery(vendor="(50%)"), ["due"]),
        (InvoiceQuery(vendor=".*"), []),
        (InvoiceQuery(vendor="%"), ["due"]),
        (InvoiceQuery(vendor="_"), []),
        (InvoiceQuery(min_amount=Decimal("10.10"), max_amount=Decimal("10.10")), ["due"]),
        (InvoiceQuery(min_amount=Decimal("10.11")), ["overdue"]),
        (InvoiceQuery(max_amount=Decimal("99.98")), ["due"]),
        (InvoiceQuery(due_after=date(2026, 5, 16)), ["due"]),
        (InvoiceQuery(due_before=TODAY), ["overdue"]),
        (InvoiceQuery(overdue=True, overdue_on=TODAY), ["overdue"]),
        (InvoiceQuery(overdue=False, overdue_on=TODAY), ["queued", "failed", "due"]),
        (InvoiceQuery(paid=False), ["queued", "failed", "overdue", "due"]),
        (InvoiceQuery(paid=True), []),
        (InvoiceQuery(status=Status.COMPLETE, vendor="a", min_amount=Decimal(50)), ["overdue"]),
    ],
)
async def test_a_query_finds_what_it_says(
    store: Store, account: Account, invoices: dict[str, UUID], query: InvoiceQuery, names: list[str]
) -> None:
    page = await store.invoices.page(account.id, query, 100)
    assert [invoice.id for invoice in page.items] == [invoices[name] for name in names]
    assert not page.has_more


async def test_what_is_paid_is_not_overdue(store: Store, account: Account, invoices: dict[str, UUID]) -> None:
    await store.invoices.amend(account.id, invoices["overdue"], Amendment(paid=True), NOON)

    async def found(query: InvoiceQuery) -> list[UUID]:
        return [invoice.id for invoice in (await store.invoices.page(account.id, query, 100)).items]

    assert await found(InvoiceQuery(overdue=True, overdue_on=TODAY)) == []
    assert await found(InvoiceQuery(paid=True)) == [invoices["overdue"]]
    assert len(await found(InvoiceQuery(overdue=False, overdue_on=TODAY))) == 4


async def test_pages_follow_each_other_without_gaps(store: Store, account: Account, invoices: dict[str, UUID]) -> None:
    expected = [invoices[name] for name in ("queued", "failed", "overdue", "due")]
    found: list[UUID] = []
    has_more = True
    while has_more:
        page = await store.invoices.page(account.id, InvoiceQuery(), 3, after=found[-1] if found else None)
        found += [invoice.id for invoice in page.items]
        has_more = page.has_more
    assert found == expected


async def test_an_invoice_in_a_list_is_the_whole_invoice(
    store: Store, account: Account, invoices: dict[str, UUID]
) -> None:
    page = await store.invoices.page(account.id, InvoiceQuery(), 100)
    assert list(page.items) == [await store.invoices.get(account.id, invoice.id) for invoice in page.items]


@pytest.mark.usefixtures("invoices")
async def test_another_account_sees_none(store: Store) -> None:
    assert (await store.invoices.page(new_id(), InvoiceQuery(), 100)).items == ()
