"""The open request for approval is found by its token, and by nothing else."""

from datetime import timedelta

from serve_app.domain.account import Account
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
