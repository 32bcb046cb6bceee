"""Keeps what a run saw, in a file beside the document, for the people who check the result."""

import logging
from collections.abc import Sequence
from functools import partial

from serve_app.domain.batch import Section, sibling_id
from serve_app.domain.errors import ServiceError
from serve_app.domain.record import InvoiceRecord, evidence_folder_of, evidence_key_of
from serve_app.services.processing.retry import with_retries
from serve_app.store.base import Files, Invoices

log = logging.getLogger(__name__)


class RunEvidence:
    """The evidence of one run, a file for each invoice. It is written before the result that names it: a crash between
    the two leaves a file that nobody reads, which the next run or the deletion of the invoice removes. If the files
    stay out of reach, the result is saved without."""

    def __init__(self, files: Files, invoices: Invoices, claim: InvoiceRecord, timeout_seconds: float) -> None:
        self._files = files
        self._invoices = invoices
        self._claim = claim
        self._timeout_seconds = timeout_seconds
        self._written: list[str] = []

    async def write(self, sections: Sequence[Section]) -> list[str | None]:
        """The key of each invoice's file; None if it has none."""
        return [await self._write(index, section.evidence) for index, section in enumerate(sections, 1)]

    async def _write(self, index: int, data: bytes | None) -> str | None:
        if data is None:
            return None
        invoice_id = sibling_id(self._claim.invoice.id, index)
        key = evidence_key_of(self._claim.account_id, invoice_id, self._claim.attempt)
        try:
            await with_retries(partial(self._files.write, key, data), self._timeout_seconds, "files", on=ServiceError)
        except ServiceError as error:
            log.warning("evidence not kept: %r", error)
            return None
        self._written.append(key)
        return key

    async def settle(self, *, is_saved: bool) -> None:
        """Remove the files of the runs before, or, if the result was not saved, those of this one."""
        try:
            for key in await self._superseded() if is_saved or await self._are_named() else self._written:
                await self._files.delete(key)
        except ServiceError as error:
            log.warning("evidence of another run not removed: %r", error)

    async def _are_named(self) -> bool:
        """Whether the result was saved after all, by a write whose answer was lost."""
        record = await self._invoices.find_record(self._claim.account_id, self._claim.invoice.id)
        return record is not None and record.evidence_key in self._written

    async def _superseded(self) -> list[str]:
        if self._claim.attempt == 1:
            return []
        folder = evidence_folder_of(self._claim.account_id, self._claim.invoice.id)
        return [key for key in await self._files.keys_in(folder) if key not in self._written]
