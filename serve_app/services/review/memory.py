"""What an account's confirmed invoices teach: it is shown, and can be forgotten."""

from collections.abc import Collection, Sequence
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.errors import InvoiceNotFound
from serve_app.domain.memory import MOST_EXAMPLES, StoredExample
from serve_app.extraction.memory.keys import keys_of_document
from serve_app.services.people.audit import AuditTrail
from serve_app.services.processing.memory import examples_of, merged_names, with_names
from serve_app.services.review.evidence import evidence_of
from serve_app.store.base import Files, Invoices, Memory, Vendors
from serve_app.system.thread_pools import COMPUTING

_MOST = 1000


class MemoryService:
    """Looks examples up, and removes them; the invoices that they are of stay confirmed."""

    def __init__(self, invoices: Invoices, memory: Memory, vendors: Vendors, files: Files, audit: AuditTrail) -> None:
        self._invoices = invoices
        self._memory = memory
        self._vendors = vendors
        self._files = files
        self._audit = audit

    async def about(self, account_id: UUID, invoice_id: UUID) -> Sequence[StoredExample]:
        """What confirmed invoices of the same vendor, or else of the same layout, teach now. Raises InvoiceNotFound."""
        return await self._about(account_id, invoice_id, MOST_EXAMPLES)

    async def forget(self, account_id: UUID, invoice_ids: Collection[UUID], actor: Actor) -> int:
        """Let these invoices teach nothing any more; how many did."""
        forgotten = await self._memory.forget(account_id, invoice_ids)
        for invoice_id in invoice_ids:
            await self._audit.record(actor, account_id, "invoice.forgotten", str(invoice_id))
        return forgotten

    async def forget_vendor(self, account_id: UUID, invoice_id: UUID, actor: Actor) -> int:
        """Forget all that is known about the vendor of an invoice; of how many invoices. Raises InvoiceNotFound."""
        taught = await self._about(account_id, invoice_id, _MOST)
        return await self.forget(account_id, [each.invoice_id for each in taught], actor)

    async def _about(self, account_id: UUID, invoice_id: UUID, most: int) -> list[StoredExample]:
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        keys = await COMPUTING.run(keys_of_document, await evidence_of(self._files, record))
        merged = await merged_names(self._vendors, account_id, keys)
        return await examples_of(self._memory, account_id, with_names(keys, merged), most)
