"""Whole documents through the reader deployment, as a dispatcher reads them."""

from dataclasses import replace

from serve_app.documents.packing import unpack
from serve_app.domain.clock import utc_now
from serve_app.domain.document import Document
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import FileInfo, Invoice, Source
from serve_app.domain.record import InvoiceRecord, new_record
from serve_app.services.ports import DocumentReader
from serve_app.services.processing.kept_pages import KeptPages
from serve_app.services.processing.long_runs import LongRuns
from serve_app.services.processing.reading import PagedReading, ReadingLimits
from serve_app.settings import Settings
from serve_app.store.factory import open_files

LIMITS = ReadingLimits(max_words=400_000, max_seconds=900, retry_seconds=60)


class WholeDocuments:
    """Reads files by their keys, in as many calls as each one takes."""

    def __init__(self, reader: DocumentReader, settings: Settings) -> None:
        self._files = open_files(settings)
        self._reading = PagedReading(reader, LIMITS, settings.max_page_reads, LongRuns(64))

    async def read(self, key: str) -> Document:
        """All pages of a document."""
        claim = _claim_of(key)
        kept = KeptPages(self._files, claim)
        packets = (await self._reading.read(claim, kept)).packets
        await kept.discard()
        return unpack(packets)


def _claim_of(key: str) -> InvoiceRecord:
    invoice = Invoice(
        id=new_id(), source=Source.API, created_at=utc_now(), updated_at=utc_now(),
        file=FileInfo(name="a.pdf", mime_type="application/pdf", size_bytes=1),
    )  # fmt: skip
    return replace(new_record(invoice, new_id()), file_key=key, attempt=1)
