"""Invoices in the states that tests of the API need."""

from datetime import datetime

from serve_app.domain.account import Account
from serve_app.domain.invoice import Extraction, Failure, FailureCode, Invoice
from serve_app.store.base import Store
from tests.support import NOON, claim_next, newest_events, queue_new

FAILURE = Failure(code=FailureCode.NO_TEXT_FOUND, message="The document has no text.")


async def complete_one(
    store: Store, account: Account, extraction: Extraction | None = None, created_at: datetime = NOON
) -> Invoice:
    """A complete invoice whose event is in the log."""
    await queue_new(store, account.id, created_at)
    await store.queue.save_result(await claim_next(store), extraction or Extraction(vendor_name="ACME"), NOON)
    return await _latest(store, account)


async def fail_one(store: Store, account: Account, created_at: datetime = NOON) -> Invoice:
    """A failed invoice whose event is in the log."""
    await queue_new(store, account.id, created_at)
    await store.queue.fail(await claim_next(store), FAILURE, NOON)
    return await _latest(store, account)


async def _latest(store: Store, account: Account) -> Invoice:
    return (await newest_events(store, account.id))[0].data.invoice
