"""What the adapters ask of the services: the same submission, quota, rate limit and isolation as `/v1`."""

from dataclasses import replace
from hashlib import sha256
from uuid import UUID

from serve_app.api.simulated_errors import raise_if_asked
from serve_app.domain.account import Account
from serve_app.domain.errors import InvoiceNotFound
from serve_app.domain.ids import parse_id
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import InvoiceQuery
from serve_app.services.bundle import Services
from serve_app.services.intake.created import Replay
from serve_app.services.intake.submit import Upload
from serve_app.system.thread_pools import HASHING

HELD_SECONDS = 10.0
"""How long a poll is held, so that programs that poll every second stay within the rate limit."""


async def submit(services: Services, account: Account, upload: Upload, call_id: str | None = None) -> UUID:
    """The id of the invoice, which is the same if a call is repeated with its id and document. Raises what
    `InvoiceCreation` raises."""
    key = None if call_id is None else await HASHING.run(_idempotency_key, call_id, upload.data)
    begun = await services.creation.begin(account, key)
    if isinstance(begun, Replay):
        return begun.invoice_id
    async with services.creation.released_on_failure(begun):
        # The document was received before, because the key depends on it.
        if not account.is_live:
            raise_if_asked(upload.name)
        upload = await services.uploads.without_signature(upload)
    created = await services.creation.accept(begun, upload, wait=False)
    return created.invoice.id


async def result_of(services: Services, account: Account, id: str | UUID, seconds: float = HELD_SECONDS) -> Invoice:
    """The invoice, for whose run the call waits for at most so many seconds, and no longer than calls of `/v1`. Raises
    InvoiceNotFound."""
    invoice_id = parse_id(id) if isinstance(id, str) else id
    if invoice_id is None:
        raise InvoiceNotFound
    invoice = await services.invoices.get(account.id, invoice_id)
    if not invoice.is_finished:
        await services.wait.until_finished(invoice_id, min(seconds, services.settings.wait_seconds))
        invoice = await services.invoices.get(account.id, invoice_id)
    return invoice


async def invoices_of_file(services: Services, account: Account, invoice: Invoice) -> list[Invoice]:
    """All invoices of the invoice's file, in their order."""
    if invoice.batch is None:
        return [invoice]
    query = replace(InvoiceQuery(), batch=invoice.batch.id)
    page = await services.invoices.list(account.id, query, invoice.batch.count)
    return sorted(page.items, key=lambda each: each.batch.index if each.batch else 0)


def _idempotency_key(call_id: str, data: bytes) -> str:
    """Bound to the document, because programs may give all their calls the same id."""
    return "compat-" + sha256(call_id.encode() + b"\0" + sha256(data).digest()).hexdigest()
