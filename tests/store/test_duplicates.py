"""Duplicates are flagged, in whatever order runs finish; `duplicate_of` names the oldest."""

from datetime import timedelta
from decimal import Decimal
from uuid import UUID

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.record import InvoiceRecord
from serve_app.store.base import Store
from tests.support import LEASE, NOON, newest_events, queue_new

SAME = Extraction(vendor_name="ACME GmbH", invoice_number="R-1", amount=Decimal("10.00"))


async def claims(store: Store, account: Account, count: int) -> list[InvoiceRecord]:
    for i in range(count):
        await queue_new(store, account.id, NOON - timedelta(seconds=count - i))
    found = [await store.queue.claim_due_invoice(LEASE) for _ in range(count)]
    return [claim for claim in found if claim is not None]


async def duplicate_of(store: Store, account: Account, claim: InvoiceRecord) -> UUID | None:
    invoice = await store.invoices.get(account.id, claim.invoice.id)
    assert invoice is not None
    return invoice.duplicate_of


async def test_later_ones_name_the_oldest(store: Store, account: Account) -> None:
    first, second, third = await claims(store, account, 3)
    spelt_otherwise = SAME.model_copy(update={"vendor_name": "Acme", "amount": Decimal("10")})
    assert (saved := await store.queue.save_result(first, SAME, NOON)) is not None
    assert saved.duplicate_of is None
    for claim in (second, third):
        assert (saved := await store.queue.save_result(claim, spelt_otherwise, NOON)) is not None
        assert saved.duplicate_of == first.invoice.id


async def test_the_order_of_finishing_does_not_matter(store: Store, account: Account) -> None:
    first, second, third = await claims(store, account, 3)
    for claim in (third, second, first):
        await store.queue.save_result(claim, SAME, NOON)
    assert await duplicate_of(store, account, first) is None
    assert await duplicate_of(store, account, second) == first.invoice.id
    assert await duplicate_of(store, account, third) == first.invoice.id


async def test_the_event_shows_it(store: Store, account: Account) -> None:
    first, second = await claims(store, account, 2)
    await store.queue.save_result(first, SAME, NOON)
    await store.queue.save_result(second, SAME, NOON)
    await store.outbox.spread_pending(10)
    reported = {
        event.data.invoice.id: event.data.invoice.duplicate_of for event in await newest_events(store, account.id)
    }
    assert reported == {first.invoice.id: None, second.invoice.id: first.invoice.id}


async def test_other_values_missing_values_and_other_accounts_are_no_duplicates(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    different: list[Extraction] = [
        SAME,
        SAME.model_copy(update={"vendor_name": "Bolt AG"}),
        SAME.model_copy(update={"invoice_number": "R-2"}),
        SAME.model_copy(update={"amount": Decimal("10.01")}),
        *[SAME.model_copy(update={"amount": None})] * 2,
        *[SAME.model_copy(update={"invoice_number": None})] * 2,
        *[SAME.model_copy(update={"vendor_name": None})] * 2,
    ]
    for extraction in different:
        (claim,) = await claims(store, account, 1)
        assert (saved := await store.queue.save_result(claim, extraction, NOON)) is not None
        assert saved.duplicate_of is None
    (claim,) = await claims(store, other, 1)
    assert (saved := await store.queue.save_result(claim, SAME, NOON)) is not None
    assert saved.duplicate_of is None
