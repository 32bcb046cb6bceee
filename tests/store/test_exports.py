"""Exports, in both stores: a file and the mark of its invoices are kept together."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.errors import InvoiceExported
from serve_app.domain.export import NewExport
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice, ReviewStatus
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import Amendment
from serve_app.domain.review import Review
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.review.change import FieldChange, ReviewChange
from serve_app.store.base import Files, Store
from serve_app.store.base.reviews import NewReview
from tests.support import NOON, Clock, newest_events
from tests.support.databases import Database
from tests.support.exports import new_export
from tests.support.sound import add_document, spread

ANN = Actor(ActorKind.PERSON, new_id(), "ann@example.com")
MINUTE = timedelta(minutes=1)


async def stored(store: Store, account: Account, id: UUID) -> Invoice:
    invoice = await store.invoices.get(account.id, id)
    assert invoice is not None
    return invoice


@pytest.fixture
async def invoices(store: Store, files: Files, account: Account) -> list[Invoice]:
    ids = [(await add_document(store, files, account, numbers=(number,))).invoice.id for number in ("1", "2")]
    await spread(store)
    return [await stored(store, account, id) for id in ids]


async def test_an_export_is_kept_with_its_file_and_marks_its_invoices(
    store: Store, account: Account, invoices: list[Invoice]
) -> None:
    new = new_export(*invoices, account=account)
    assert await store.exports.add(new)
    assert await store.exports.get(account.id, new.export.id) == new.export
    assert await store.exports.content(account.id, new.export.id) == new.content
    assert (await store.exports.page(account.id, 10)).items == (new.export,)
    for each in invoices:
        assert (await stored(store, account, each.id)).export_id == new.export.id
    listed = await store.invoices.page(account.id, InvoiceQuery(is_exported=False), 10)
    assert listed.items == ()
    assert len((await store.invoices.page(account.id, InvoiceQuery(is_exported=True), 10)).items) == 2
    await spread(store)
    assert [event.type for event in await newest_events(store, account.id)][:2] == ["invoice.completed"] * 2
    for id in (new_id(), new.export.id):
        assert await store.exports.get(new_id(), id) is None
        assert await store.exports.content(new_id(), id) is None


async def test_they_are_listed_the_newest_first(store: Store, account: Account, invoices: list[Invoice]) -> None:
    exports = [new_export(invoice, account=account) for invoice in invoices]
    for new in exports:
        assert await store.exports.add(new)
    first = await store.exports.page(account.id, 1)
    assert (first.items, first.has_more) == ((exports[1].export,), True)
    assert (await store.exports.page(account.id, 1, exports[1].export.id)).items == (exports[0].export,)


class TestAllOrNothing:
    async def refused(self, store: Store, account: Account, new: NewExport, free: Invoice) -> None:
        assert not await store.exports.add(new)
        assert await store.exports.get(account.id, new.export.id) is None
        assert (await stored(store, account, free.id)).export_id is None

    async def test_an_invoice_that_was_changed_meanwhile(
        self, store: Store, account: Account, invoices: list[Invoice]
    ) -> None:
        free, changed = invoices
        await store.invoices.amend(account.id, changed.id, Amendment(paid=True), NOON + MINUTE)
        await self.refused(store, account, new_export(free, changed, account=account), free)

    async def test_an_invoice_that_was_exported_meanwhile(
        self, store: Store, account: Account, invoices: list[Invoice]
    ) -> None:
        free, taken = invoices
        assert await store.exports.add(new_export(taken, account=account))
        taken = await stored(store, account, taken.id)
        await self.refused(store, account, new_export(free, taken, account=account), free)

    async def test_an_invoice_that_was_deleted_meanwhile(
        self, store: Store, files: Files, clock: Clock, account: Account, invoices: list[Invoice]
    ) -> None:
        free, gone = invoices
        await InvoiceEraser(store, files, clock).erase(account.id, gone.id)
        await self.refused(store, account, new_export(free, gone, account=account), free)

    async def test_the_invoice_of_another_account(
        self, store: Store, account: Account, invoices: list[Invoice]
    ) -> None:
        other = replace(account, id=new_id())
        await store.accounts.add(other)
        assert not await store.exports.add(new_export(invoices[0], account=other))
        assert (await stored(store, account, invoices[0].id)).export_id is None

    async def test_one_that_is_exported_again_on_purpose(
        self, store: Store, account: Account, invoices: list[Invoice]
    ) -> None:
        first = new_export(invoices[0], account=account)
        assert await store.exports.add(first)
        both = [await stored(store, account, each.id) for each in invoices]
        again = new_export(*both, account=account, is_repeated=True)
        assert await store.exports.add(again)
        marks = [(await stored(store, account, each.id)).export_id for each in invoices]
        assert marks == [first.export.id, again.export.id]


class TestLock:
    async def review(self, store: Store, account: Account, invoice: Invoice, change: ReviewChange) -> Invoice:
        record = await store.invoices.find_record(account.id, invoice.id)
        assert record is not None
        review: Review = change.apply(record.review, record.invoice, ANN, NOON)
        saved = await store.reviews.save(account.id, invoice.id, NewReview(review, record.review_revision, NOON))
        assert saved is not None
        return saved.invoice

    async def test_values_of_an_exported_invoice_cannot_change(
        self, store: Store, account: Account, invoices: list[Invoice]
    ) -> None:
        new = new_export(invoices[0], account=account)
        assert await store.exports.add(new)
        other_amount = ReviewChange({"amount": FieldChange(Decimal("99.00"))})
        rejection = ReviewChange(status=ReviewStatus.REJECTED, reason="not ours")
        for change in (other_amount, rejection):
            with pytest.raises(InvoiceExported):
                await self.review(store, account, invoices[0], change)
        confirmed = await self.review(store, account, invoices[0], ReviewChange(status=ReviewStatus.CONFIRMED))
        assert confirmed.review.status is ReviewStatus.CONFIRMED
        assert confirmed.export_id == new.export.id

    async def test_until_somebody_unlocks_it(self, store: Store, account: Account, invoices: list[Invoice]) -> None:
        assert await store.exports.add(new_export(invoices[0], account=account))
        unlocked = await store.exports.unlock(account.id, invoices[0].id, NOON + MINUTE)
        assert unlocked is not None
        assert unlocked.export_id is None
        change = ReviewChange({"amount": FieldChange(Decimal("99.00"))})
        assert (await self.review(store, account, invoices[0], change)).amount == Decimal("99.00")
        assert await store.exports.unlock(new_id(), invoices[0].id, NOON) is None
        # Nothing happens to one that is not locked.
        assert await store.exports.unlock(account.id, invoices[1].id, NOON + MINUTE) == invoices[1]
        assert await store.exports.add(new_export(await stored(store, account, invoices[0].id), account=account))


@pytest.mark.parametrize("store_kind", ["mongomock"])
async def test_the_next_export_takes_back_one_whose_process_died(
    store: Store, account: Account, invoices: list[Invoice], database: Database
) -> None:
    """A process that marked one of two invoices, and then was killed."""
    cut_off = new_export(*invoices, account=account)
    assert await store.exports.add(cut_off)
    collections = database.client.get_database(database.url.rpartition("/")[2])
    await collections.exports.update_one({"_id": str(cut_off.export.id)}, {"$set": {"is_done": False}})
    await collections.invoices.update_one({"_id": str(invoices[1].id)}, {"$set": {"export_id": None}})
    assert (await store.exports.page(account.id, 10)).items == ()
    seen = [await stored(store, account, each.id) for each in invoices]
    soon, later = (new_export(*seen, account=account) for _ in range(2))
    assert not await store.exports.add(soon)
    later = replace(later, export=replace(later.export, created_at=NOON + 20 * MINUTE))
    assert await store.exports.add(later)
    assert (await store.exports.page(account.id, 10)).items == (later.export,)


async def test_a_deleted_invoice_takes_the_file_with_it_and_leaves_the_receipt(
    store: Store, files: Files, clock: Clock, account: Account, invoices: list[Invoice]
) -> None:
    new = new_export(*invoices, account=account)
    assert await store.exports.add(new)
    await InvoiceEraser(store, files, clock).erase(account.id, invoices[0].id)
    left = replace(new.export, invoices=(invoices[1].id,), has_file=False)
    assert await store.exports.get(account.id, new.export.id) == left
    assert await store.exports.content(account.id, new.export.id) is None
