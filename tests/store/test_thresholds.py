"""Thresholds that rose, and the audit sample."""

from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Field, ReviewStatus
from serve_app.domain.quality import Threshold
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.review import Verdict
from serve_app.domain.vendor import NOTHING_KNOWN
from serve_app.store.base import Store
from tests.store.test_reviews import READ, found, say
from tests.support import MONTH, NOON, claim_next, queue_new

LATER = NOON + timedelta(days=1)


async def test_a_threshold_rises_and_never_falls_by_itself(store: Store, account: Account) -> None:
    thresholds = store.thresholds
    assert await thresholds.of_account(account.id) == {}
    assert await thresholds.rise(account.id, Field.AMOUNT, Threshold(1, NOON))
    assert not await thresholds.rise(account.id, Field.AMOUNT, Threshold(1, LATER))
    assert await thresholds.rise(account.id, Field.AMOUNT, Threshold(2, LATER))
    assert await thresholds.of_account(account.id) == {Field.AMOUNT: Threshold(2, LATER)}
    assert await thresholds.of_account(new_id()) == {}
    assert await thresholds.reset(account.id, Field.AMOUNT)
    assert not await thresholds.reset(account.id, Field.AMOUNT)


async def test_an_account_that_is_gone_has_none(store: Store, account: Account) -> None:
    await store.thresholds.rise(account.id, Field.AMOUNT, Threshold(1, NOON))
    await store.erasure.account(account.id)
    assert await store.thresholds.of_account(account.id) == {}
    assert not await store.thresholds.rise(account.id, Field.AMOUNT, Threshold(2, NOON))


async def test_what_is_drawn_needs_a_person_although_it_was_verified(store: Store, account: Account) -> None:
    verified = READ.model_copy(update={"auto_verified": True})
    for drawn in (None, 0.02):
        await queue_new(store, account.id)
        await store.queue.save_result(await claim_next(store), verified, NOON, (), NOTHING_KNOWN, None, drawn)
    (invoice,) = (await store.invoices.page(account.id, InvoiceQuery(to_check=True), 10)).items
    record = await store.invoices.find_record(account.id, invoice.id)
    assert record is not None
    assert record.drawn == 0.02
    corrected = await say(store, record, record.review)
    assert len((await store.invoices.page(account.id, InvoiceQuery(to_check=True), 10)).items) == 1
    verdict = Verdict(status=ReviewStatus.CONFIRMED, by="Ann", at=NOON)
    await say(store, corrected, corrected.review.changed({}, verdict))
    assert (await store.invoices.page(account.id, InvoiceQuery(to_check=True), 10)).items == ()
    await store.intake.rerun((await found(store, record)).invoice, account.id, MONTH, None)
    await store.queue.save_result(await claim_next(store), verified, NOON)
    assert (await found(store, record)).drawn is None
