"""A store in which everything has happened, and everything agrees."""

from dataclasses import dataclass
from decimal import Decimal

from serve_app.domain.account import Account, Plan
from serve_app.domain.batch import Section, records_of
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Failure, FailureCode
from serve_app.domain.record import InvoiceRecord, evidence_key_of, pictures_key_of
from serve_app.domain.usage import Usage
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.store.base import Files, Store
from tests.support import NOON, claim_next, queue_new


@dataclass(frozen=True, slots=True)
class Scene:
    """An account with a file of two invoices, one of them a duplicate of a third; and a document that failed."""

    account: Account
    first: InvoiceRecord
    endpoint: WebhookEndpoint


async def make_scene(store: Store, files: Files) -> Scene:
    """All of it finished, told and filed."""
    account = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(account)
    secrets = (EndpointSecret("sealed"),)
    endpoint = WebhookEndpoint(new_id(), account.id, f"https://example.com/{new_id()}", (), secrets, NOON)
    await store.endpoints.add(endpoint, at_most=10)
    first = await add_document(store, files, account, numbers=("1", "2"))
    await add_document(store, files, account, numbers=("2",))
    await add_document(store, files, account, numbers=())
    await spread(store)
    return Scene(account, first, endpoint)


async def add_document(store: Store, files: Files, account: Account, numbers: tuple[str, ...]) -> InvoiceRecord:
    """A document with an invoice for each of these numbers, read at once; without any it fails."""
    record = await queue_new(store, account.id)
    await files.write(record.file_key, f"bytes of {record.invoice.id}".encode())
    claim = await claim_next(store)
    if not numbers:
        await store.queue.fail(claim, Failure(code=FailureCode.DOCUMENT_UNREADABLE, message="broken"), NOON)
        return record
    parts = [Section(page, page, _extraction(number)) for page, number in enumerate(numbers, 1)]
    first, siblings = records_of(claim, parts, NOON)
    evidence = evidence_key_of(account.id, record.invoice.id, claim.attempt)
    await files.write(evidence, b"evidence")
    await files.write(f"{pictures_key_of(record.file_key)}/1", b"picture")
    await store.queue.save_result(claim, first, NOON, siblings, evidence_key=evidence)
    return record


async def spread(store: Store) -> None:
    """Log all events, and make their deliveries."""
    while (await store.outbox.spread_pending(100)).invoices:
        pass


def _extraction(number: str) -> Extraction:
    usage = Usage(pages=1, ocr_pages=0, cpu_ms=350, gpu_ms=None)
    amount = Decimal("12.50") * int(number)
    return Extraction(vendor_name="Acme Ltd", invoice_number=number, amount=amount, usage=usage)
