"""An invoice in every state that one can be in."""

from datetime import timedelta
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.clock import utc_now
from serve_app.domain.record import Amendment
from serve_app.store.base import Files, Store
from tests.api.invoices import FAILURE
from tests.support import PDF_BYTES, claim_next, make_record, queue_invoice
from tests.support.mails import READ

_HOUR = timedelta(hours=1)


async def add_invoice_in_every_state(store: Store, files: Files, account: Account) -> None:
    """Complete (plain, paid and tagged, waiting for approval), failed and processing ones, with their files."""
    complete = [await _complete(store, files, account) for _ in range(3)]
    await store.invoices.amend(account.id, complete[1], Amendment(True, True, "north"), utc_now())
    await store.invoices.request_approval(account.id, complete[2], "boss@example.com", "hash", utc_now())
    await _queue(store, files, account)
    await store.queue.fail(await claim_next(store, _HOUR), FAILURE, utc_now())
    await _queue(store, files, account)
    await claim_next(store, _HOUR)


async def _queue(store: Store, files: Files, account: Account) -> None:
    record = make_record(account.id, utc_now())
    await files.write(record.file_key, PDF_BYTES)
    await queue_invoice(store, record)


async def _complete(store: Store, files: Files, account: Account) -> UUID:
    await _queue(store, files, account)
    saved = await store.queue.save_result(await claim_next(store, _HOUR), READ, utc_now())
    assert saved is not None
    return saved.id
