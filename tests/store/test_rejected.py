"""A rejected invoice is not to be paid: it adds nothing to its vendor's sums, and lists can leave it out."""

from datetime import date
from decimal import Decimal
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.invoice import Invoice, ReviewStatus
from serve_app.domain.query import InvoiceQuery, ReviewFilter
from serve_app.domain.record import Amendment, InvoiceRecord
from serve_app.domain.review import Verdict
from serve_app.store.base import Store
from tests.store.test_reviews import READ, found, read_new, say, saying
from tests.support import NOON, newest_events

PAPER = READ.model_copy(update={"invoice_number": "A-2", "amount": Decimal("9.90")})


async def give(store: Store, record: InvoiceRecord, status: ReviewStatus) -> InvoiceRecord:
    """The record after somebody has confirmed, rejected or reopened it."""
    record = await found(store, record)
    is_open = status is ReviewStatus.OPEN
    verdict = Verdict() if is_open else Verdict(status=status, by="Ann", at=NOON, reason="Not ours")
    return await say(store, record, record.review.changed({}, verdict))


async def reject(store: Store, record: InvoiceRecord) -> InvoiceRecord:
    return await give(store, record, ReviewStatus.REJECTED)


async def reopen(store: Store, record: InvoiceRecord) -> InvoiceRecord:
    return await give(store, record, ReviewStatus.OPEN)


async def total(store: Store, account: Account) -> tuple[Decimal, Decimal, int]:
    """What the one vendor has billed: in all, and the sum and number of the invoices in its months."""
    await newest_events(store, account.id)
    (vendor,) = await store.vendors.by_spend(account.id, 10)
    months = (await store.vendors.spend(account.id, [vendor.id])).get(vendor.id, [])
    in_months = sum((month.total for month in months), Decimal(0))
    return vendor.total_billed, in_months, sum(month.invoices for month in months)


async def test_it_adds_nothing_to_its_vendor_until_it_is_reopened(store: Store, account: Account) -> None:
    kept, rejected = await read_new(store, account), await read_new(store, account, PAPER)
    both = Decimal("109.90")
    assert await total(store, account) == (both, both, 2)
    await reject(store, rejected)
    assert await total(store, account) == (Decimal(100), Decimal(100), 1)
    (vendor,) = await store.vendors.by_spend(account.id, 10)
    assert vendor.invoice_count == 2
    await reopen(store, rejected)
    assert await total(store, account) == (both, both, 2)
    assert (await found(store, kept)).invoice.duplicate_of is None


async def test_what_people_correct_in_a_rejected_invoice_changes_no_sum(store: Store, account: Account) -> None:
    await read_new(store, account)
    rejected = await reject(store, await read_new(store, account, PAPER))
    changed = await say(store, rejected, rejected.review.changed(saying(amount="50.00")))
    assert await total(store, account) == (Decimal(100), Decimal(100), 1)
    await reopen(store, changed)
    assert await total(store, account) == (Decimal(150), Decimal(150), 2)


async def test_of_duplicates_one_that_is_not_rejected_counts(store: Store, account: Account) -> None:
    first, second, third = [await read_new(store, account) for _ in range(3)]
    one, none = (Decimal(100), Decimal(100), 1), (Decimal(0), Decimal(0), 0)
    assert await total(store, account) == one
    for record, expected in ((first, one), (third, one), (second, none)):
        await reject(store, record)
        assert await total(store, account) == expected, record.invoice.id
    for record in (third, first, second):
        await reopen(store, record)
        assert await total(store, account) == one, record.invoice.id
    marks = [(await found(store, each)).invoice.duplicate_of for each in (first, second, third)]
    assert marks == [None, first.invoice.id, first.invoice.id]


async def test_a_duplicate_stays_marked_after_the_first_one_was_rejected(store: Store, account: Account) -> None:
    first = await reject(store, await read_new(store, account))
    second = await read_new(store, account)
    assert second.invoice.duplicate_of == first.invoice.id
    assert await total(store, account) == (Decimal(100), Decimal(100), 1)


async def test_a_duplicate_that_becomes_another_invoice_counts_for_itself(store: Store, account: Account) -> None:
    await reject(store, await read_new(store, account))
    duplicate = await read_new(store, account)
    third = await read_new(store, account)
    await say(store, duplicate, duplicate.review.changed(saying(invoice_number="A-9", amount="7.00")))
    assert await total(store, account) == (Decimal(107), Decimal(107), 2)
    await reject(store, third)
    assert await total(store, account) == (Decimal(7), Decimal(7), 1)
    numberless = await found(store, duplicate)
    await say(store, numberless, numberless.review.changed(saying(invoice_number=None)))
    assert await total(store, account) == (Decimal(7), Decimal(7), 1)


@pytest.mark.parametrize("number", [None, "A-9"])
async def test_an_invoice_with_another_number_is_no_duplicate(
    store: Store, account: Account, number: str | None
) -> None:
    await read_new(store, account)
    duplicate = await read_new(store, account)
    saved = await say(store, duplicate, duplicate.review.changed(saying(invoice_number=number)))
    assert saved.invoice.duplicate_of is None
    assert await total(store, account) == (Decimal(200), Decimal(200), 2)


async def ids(store: Store, account: Account, query: InvoiceQuery) -> list[UUID]:
    page = await store.invoices.page(account.id, query, 100)
    listed: list[Invoice] = list(page.items)
    totals = await store.invoices.totals(account.id, query, 100)
    assert sum(each.count for each in totals) == len(listed)
    return [invoice.id for invoice in listed]


async def test_lists_can_be_asked_for_what_people_said(store: Store, account: Account) -> None:
    numbers = [READ.model_copy(update={"invoice_number": f"B-{number}"}) for number in range(4)]
    to_check, confirmed, rejected, paid = [await read_new(store, account, each) for each in numbers]
    await give(store, confirmed, ReviewStatus.CONFIRMED)
    await reject(store, rejected)
    await store.invoices.amend(account.id, paid.invoice.id, Amendment(paid=True), NOON)
    expected = {
        ReviewFilter.OPEN: [paid, to_check],
        ReviewFilter.CONFIRMED: [confirmed],
        ReviewFilter.REJECTED: [rejected],
        ReviewFilter.NOT_REJECTED: [paid, confirmed, to_check],
    }
    for wanted, records in expected.items():
        assert await ids(store, account, InvoiceQuery(review=wanted)) == [each.invoice.id for each in records], wanted
    late = date(2026, 7, 1)
    unpaid = InvoiceQuery(paid=False, overdue=True, overdue_on=late, review=ReviewFilter.NOT_REJECTED)
    assert await ids(store, account, unpaid) == [confirmed.invoice.id, to_check.invoice.id]
    await reopen(store, rejected)
    assert await ids(store, account, InvoiceQuery(review=ReviewFilter.REJECTED)) == []
