"""What an account changes of its invoices."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.errors import NotComplete, ServiceError
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import ApprovalStatus, Extraction, Invoice
from serve_app.domain.record import Amendment
from serve_app.store.base import Store
from tests.support import MONTH, NOON, claim_next, queue_new

LATER = NOON + timedelta(hours=1)
MUCH_LATER = NOON + timedelta(hours=2)


@pytest.fixture
async def complete(store: Store, account: Account) -> Invoice:
    await queue_new(store, account.id)
    saved = await store.queue.save_result(await claim_next(store), Extraction(vendor_name="ACME"), NOON)
    assert saved is not None
    return saved


async def test_paid_is_kept_with_its_first_moment(store: Store, account: Account, complete: Invoice) -> None:
    paid = await store.invoices.amend(account.id, complete.id, Amendment(paid=True), LATER)
    assert paid == complete.model_copy(update={"paid": True, "paid_at": LATER, "updated_at": LATER})
    again = await store.invoices.amend(account.id, complete.id, Amendment(paid=True), MUCH_LATER)
    assert again is not None
    assert again.paid_at == LATER
    unpaid = await store.invoices.amend(account.id, complete.id, Amendment(paid=False), MUCH_LATER)
    assert unpaid is not None
    assert (unpaid.paid, unpaid.paid_at) == (False, None)
    assert await store.invoices.get(account.id, complete.id) == unpaid


async def test_only_a_complete_invoice_is_paid_or_approved(store: Store, account: Account) -> None:
    record = await queue_new(store, account.id)
    with pytest.raises(NotComplete):
        await store.invoices.amend(account.id, record.invoice.id, Amendment(paid=True), LATER)
    with pytest.raises(NotComplete):
        await store.invoices.request_approval(account.id, record.invoice.id, "a@example.com", "hash", LATER)
    assert await store.invoices.get(account.id, record.invoice.id) == record.invoice


async def test_a_tag_is_set_and_cleared_in_any_state(store: Store, account: Account) -> None:
    record = await queue_new(store, account.id)
    tagged = await store.invoices.amend(
        account.id, record.invoice.id, Amendment(sets_tag=True, entity_tag="north"), LATER
    )
    assert tagged is not None
    assert tagged.entity_tag == "north"
    cleared = await store.invoices.amend(
        account.id, record.invoice.id, Amendment(sets_tag=True, entity_tag=None), LATER
    )
    assert cleared is not None
    assert cleared.entity_tag is None


async def test_changes_are_made_together_or_not_at_all(store: Store, account: Account, complete: Invoice) -> None:
    both = await store.invoices.amend(account.id, complete.id, Amendment(True, True, "north"), LATER)
    assert both is not None
    assert (both.paid, both.entity_tag) == (True, "north")
    record = await queue_new(store, account.id)
    with pytest.raises(ServiceError):
        await store.invoices.amend(account.id, record.invoice.id, Amendment(True, True, "north"), LATER)
    assert await store.invoices.get(account.id, record.invoice.id) == record.invoice


async def test_an_approval_is_answered_once(
    store: Store, account: Account, complete: Invoice, open_again: Callable[[], Store]
) -> None:
    asked = await store.invoices.request_approval(account.id, complete.id, "a@example.com", "hash", LATER)
    assert asked is not None
    assert (asked.approval_status, asked.approval_email) == (ApprovalStatus.REQUESTED, "a@example.com")
    assert await store.invoices.answer_approval(account.id, complete.id, "other", True, LATER) is None
    stores = [store, open_again()]
    answers = await asyncio.gather(
        *(
            stores[i % 2].invoices.answer_approval(account.id, complete.id, "hash", approved, LATER)
            for i, approved in enumerate([True, False, True, False])
        )
    )
    (answer,) = [answer for answer in answers if answer is not None]
    assert answer.approval_status in {ApprovalStatus.APPROVED, ApprovalStatus.REJECTED}
    assert await store.invoices.get(account.id, complete.id) == answer


async def test_a_new_request_voids_the_one_before(store: Store, account: Account, complete: Invoice) -> None:
    await store.invoices.request_approval(account.id, complete.id, "a@example.com", "old", LATER)
    await store.invoices.request_approval(account.id, complete.id, "b@example.com", "new", LATER)
    assert await store.invoices.answer_approval(account.id, complete.id, "old", True, LATER) is None
    answered = await store.invoices.answer_approval(account.id, complete.id, "new", False, LATER)
    assert answered is not None
    assert (answered.approval_status, answered.approval_email) == (ApprovalStatus.REJECTED, "b@example.com")


async def test_nobody_changes_another_accounts_invoice(store: Store, complete: Invoice) -> None:
    outsider = new_id()
    assert await store.invoices.amend(outsider, complete.id, Amendment(paid=True), LATER) is None
    assert await store.invoices.amend(outsider, complete.id, Amendment(sets_tag=True, entity_tag="x"), LATER) is None
    assert await store.invoices.request_approval(outsider, complete.id, "a@example.com", "hash", LATER) is None
    assert await store.intake.rerun(complete, outsider, MONTH, None) is None


async def test_what_the_account_set_outlives_a_new_run(store: Store, account: Account, complete: Invoice) -> None:
    await store.invoices.amend(account.id, complete.id, Amendment(paid=True), LATER)
    await store.invoices.request_approval(account.id, complete.id, "a@example.com", "hash", LATER)
    tagged = await store.invoices.amend(account.id, complete.id, Amendment(sets_tag=True, entity_tag="north"), LATER)
    assert tagged is not None
    assert await store.intake.rerun(tagged, account.id, MONTH, None) is not None
    saved = await store.queue.save_result(await claim_next(store), Extraction(vendor_name="Bolt"), MUCH_LATER)
    assert saved is not None
    assert (saved.vendor_name, saved.entity_tag, saved.paid_at) == ("Bolt", "north", LATER)
    assert saved.approval_status is ApprovalStatus.REQUESTED


class TestOnce:
    """Changes with an id, which is that of a request that may be repeated."""

    async def test_an_amendment(self, store: Store, account: Account, complete: Invoice) -> None:
        paid, unpaid = Amendment(paid=True), Amendment(paid=False)
        change = new_id()
        await store.invoices.amend(account.id, complete.id, paid, LATER, change)
        await store.invoices.amend(account.id, complete.id, unpaid, LATER, new_id())
        again = await store.invoices.amend(account.id, complete.id, paid, MUCH_LATER, change)
        assert again is not None
        assert (again.paid, again.updated_at) == (False, LATER)

    async def test_a_request_for_approval(self, store: Store, account: Account, complete: Invoice) -> None:
        change = new_id()
        for token in ("first", "second"):
            await store.invoices.request_approval(account.id, complete.id, "a@example.com", token, LATER, change)
        assert await store.invoices.find_approval(account.id, complete.id, "first") is not None
        assert await store.invoices.find_approval(account.id, complete.id, "second") is None

    async def test_reading_again(self, store: Store, account: Account, complete: Invoice) -> None:
        change = new_id()
        queued = await store.intake.rerun(complete, account.id, MONTH, None, change_id=change)
        read = await store.queue.save_result(await claim_next(store), Extraction(vendor_name="ACME"), LATER)
        assert queued is not None
        assert read is not None
        assert await store.intake.rerun(read, account.id, MONTH, None, change_id=change) == read
        assert await store.quotas.used(account.id, MONTH) == 2

    async def test_the_latest_twenty_are_recorded(self, store: Store, account: Account, complete: Invoice) -> None:
        changes = [new_id() for _ in range(22)]
        for change in changes:
            await store.invoices.amend(account.id, complete.id, Amendment(paid=True), LATER, change)
        record = await store.invoices.find_record(account.id, complete.id)
        assert record is not None
        assert record.change_ids == tuple(changes[2:])
