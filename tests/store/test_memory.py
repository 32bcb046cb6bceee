"""What confirmed invoices teach is found by what their vendor is known by."""

from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import ReviewStatus
from serve_app.domain.memory import FieldExample, StoredExample, ValuePosition, VendorExample
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.review import Verdict
from serve_app.store.base import Store
from serve_app.store.base.reviews import NewReview
from tests.store.test_reviews import found, read_new
from tests.support import NOON

ACME = VendorExample(
    keys=("vat:DE1", "name:acme"),
    name="Acme",
    fields={"amount": FieldExample(right=ValuePosition("total", "", 0, 0, 7000, 9000), shape="")},
)
BETA = VendorExample(keys=("name:beta",), name="Beta")


async def teach(store: Store, record: InvoiceRecord, example: VendorExample | None, minutes: int = 0) -> InvoiceRecord:
    at = NOON + timedelta(minutes=minutes)
    record = await found(store, record)
    verdict = Verdict(status=ReviewStatus.CONFIRMED if example else ReviewStatus.OPEN, by="Ann", at=at)
    ids = record.account_id, record.invoice.id
    review = record.review.changed({}, verdict)
    saved = await store.reviews.save(*ids, NewReview(review, record.review_revision, at, example=example))
    assert saved is not None
    return saved


async def test_examples_are_found_by_any_of_their_keys_the_newest_first(store: Store, account: Account) -> None:
    records = [await read_new(store, account) for _ in range(3)]
    for minutes, (record, example) in enumerate(zip(records, (ACME, ACME, BETA), strict=True)):
        await teach(store, record, example, minutes)
    first, second, third = (record.invoice.id for record in records)
    memory = store.memory
    assert await memory.examples(account.id, ("vat:DE1", "name:acme"), 10) == [
        StoredExample(second, ACME),
        StoredExample(first, ACME),
    ]
    assert await memory.examples(account.id, ("name:acme", "name:beta"), 2) == [
        StoredExample(third, BETA),
        StoredExample(second, ACME),
    ]
    assert await memory.examples(account.id, ("name:other",), 10) == []
    assert await memory.examples(account.id, (), 10) == []
    assert await memory.examples(new_id(), ("name:acme",), 10) == []


async def test_an_invoice_that_is_opened_again_or_erased_teaches_nothing(store: Store, account: Account) -> None:
    opened, erased = [await read_new(store, account) for _ in range(2)]
    for record in (opened, erased):
        await teach(store, record, ACME)
    await teach(store, opened, None)
    assert [each.invoice_id for each in await store.memory.examples(account.id, ("name:acme",), 10)] == [
        erased.invoice.id
    ]
    await store.erasure.invoice(await found(store, erased), NOON)
    assert await store.memory.examples(account.id, ("name:acme",), 10) == []


async def test_an_example_is_forgotten_and_the_invoice_stays_confirmed(store: Store, account: Account) -> None:
    record = await teach(store, await read_new(store, account), ACME)
    id = record.invoice.id
    assert await store.memory.forget(new_id(), [id]) == 0
    assert await store.memory.forget(account.id, [id]) == 1
    assert await store.memory.forget(account.id, [id]) == 0
    assert await store.memory.examples(account.id, ("name:acme",), 10) == []
    assert (await found(store, record)).invoice == record.invoice
