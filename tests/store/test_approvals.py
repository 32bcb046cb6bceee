"""The open request for approval is found by its token, and by nothing else."""

from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.approval import ApprovalTimes
from serve_app.domain.ids import new_id
from serve_app.store.base import Store
from tests.support import NOON
from tests.support.mails import complete_invoice

LATER = NOON + timedelta(hours=1)


async def test_an_open_request_is_found_by_its_token_until_it_is_answered(store: Store, account: Account) -> None:
    invoice = await complete_invoice(store, account.id)
    assert await store.invoices.find_approval(account.id, invoice.id, "hash") is None
    asked = await store.invoices.request_approval(account.id, invoice.id, "a@example.com", "hash", LATER)
    assert asked is not None
    assert await store.invoices.find_approval(account.id, invoice.id, "hash") == asked
    assert await store.invoices.find_approval(account.id, invoice.id, "other") is None
    await store.invoices.answer_approval(account.id, invoice.id, "hash", True, LATER)
    assert await store.invoices.find_approval(account.id, invoice.id, "hash") is None


async def test_a_token_finds_nothing_of_another_account_or_invoice(store: Store, account: Account) -> None:
    invoice = await complete_invoice(store, account.id)
    await store.invoices.request_approval(account.id, invoice.id, "a@example.com", "hash", LATER)
    assert await store.invoices.find_approval(new_id(), invoice.id, "hash") is None
    assert await store.invoices.find_approval(account.id, new_id(), "hash") is None


async def test_a_request_says_when_it_was_made_and_answered(store: Store, account: Account) -> None:
    asked, never = [await complete_invoice(store, account.id) for _ in range(2)]
    await store.invoices.request_approval(account.id, asked.id, "a@example.com", "hash", NOON)
    ids = [asked.id, never.id]
    times = await store.invoices.approval_times(account.id, ids)
    assert times == {asked.id: ApprovalTimes(NOON), never.id: ApprovalTimes()}
    await store.invoices.answer_approval(account.id, asked.id, "hash", True, LATER)
    assert (await store.invoices.approval_times(account.id, ids))[asked.id] == ApprovalTimes(NOON, LATER)
    await store.invoices.request_approval(account.id, asked.id, "a@example.com", "other", LATER)
    assert (await store.invoices.approval_times(account.id, ids))[asked.id] == ApprovalTimes(LATER)
    assert await store.invoices.approval_times(new_id(), ids) == {}


async def test_an_open_request_can_be_withdrawn_and_its_link_does_nothing(store: Store, account: Account) -> None:
    invoice = await complete_invoice(store, account.id)
    assert await store.invoices.withdraw_approval(account.id, invoice.id, NOON) is None
    await store.invoices.request_approval(account.id, invoice.id, "a@example.com", "hash", NOON)
    assert await store.invoices.withdraw_approval(new_id(), invoice.id, NOON) is None
    withdrawn = await store.invoices.withdraw_approval(account.id, invoice.id, LATER)
    assert withdrawn is not None
    assert (withdrawn.approval_status, withdrawn.approval_email, withdrawn.updated_at) == (None, None, LATER)
    assert await store.invoices.answer_approval(account.id, invoice.id, "hash", True, LATER) is None


async def test_what_was_answered_stays_answered(store: Store, account: Account) -> None:
    invoice = await complete_invoice(store, account.id)
    await store.invoices.request_approval(account.id, invoice.id, "a@example.com", "hash", NOON)
    await store.invoices.answer_approval(account.id, invoice.id, "hash", True, NOON)
    assert await store.invoices.withdraw_approval(account.id, invoice.id, LATER) is None
