"""Removes documents before the values that were read in them."""

import logging
from datetime import datetime
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.erased import Erased
from serve_app.domain.record import InvoiceRecord, evidence_folder_of, first_of, pictures_key_of
from serve_app.domain.retention import Removal
from serve_app.services.upkeep.receipts import receipted
from serve_app.store.base import Files, Store

_BATCH = 100

log = logging.getLogger(__name__)


class OldDocuments:
    """With a document go the pictures of its pages and what runs saw on them. A round that was cut off begins again at
    the document at which it was; one whose invoice is not finished holds up those that came after it."""

    def __init__(self, store: Store, files: Files, clock: Clock = utc_now) -> None:
        self._store = store
        self._files = files
        self._clock = clock

    async def remove(self, account_id: UUID, before: datetime) -> None:
        """Remove the account's documents that came before `before`, with a receipt for each hundred."""
        while old := await self._old(account_id, before):
            async with receipted(self._store.retention, self._clock, account_id, Removal.DOCUMENTS, before) as removed:
                for record in old:
                    if not await self._store.retention.note_document_gone(record, self._clock()):
                        return
                    await self._delete(record)
                    await self._store.retention.documents_gone_until(record)
                    # Of a file with several invoices, once.
                    removed.erased += Erased(files=int(record.invoice.id == first_of(record.file_key)))
            log.info("old documents removed", extra={"account_id": str(account_id), "files": removed.erased.files})

    async def _old(self, account_id: UUID, before: datetime) -> list[InvoiceRecord]:
        oldest = await self._store.retention.oldest_with_documents(account_id, _BATCH)
        old = [record for record in oldest if record.invoice.created_at < before]
        # Nothing to do, and no receipt, while the first one is not finished.
        return old if old and old[0].invoice.is_finished else []

    async def _delete(self, record: InvoiceRecord) -> None:
        await self._files.delete(record.file_key)
        for folder in (pictures_key_of(record.file_key), evidence_folder_of(record.account_id, record.invoice.id)):
            for key in await self._files.keys_in(folder):
                await self._files.delete(key)
