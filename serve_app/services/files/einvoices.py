"""The electronic invoices of files, as they were received."""

from pathlib import PurePosixPath
from uuid import UUID

from serve_app.domain.einvoice import MIME_TYPE
from serve_app.domain.errors import DocumentGone, InvoiceNotFound, NoEInvoice
from serve_app.services.files.links import Download
from serve_app.services.ports import XmlFinder
from serve_app.store.base import Files, Invoices

_PDF = "application/pdf"


class EInvoiceFiles:
    """Finds the XML of an invoice: its file, or what its PDF contains."""

    def __init__(self, invoices: Invoices, files: Files, finder: XmlFinder) -> None:
        self._invoices = invoices
        self._files = files
        self._finder = finder

    async def original(self, account_id: UUID, invoice_id: UUID) -> Download:
        """The XML as it is. Raises InvoiceNotFound, DocumentGone, NoEInvoice, Unavailable."""
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        if record.document_gone_at is not None:
            raise DocumentGone
        file = record.invoice.file
        if file.mime_type not in (MIME_TYPE, _PDF):
            raise NoEInvoice
        data = await self._files.read(record.file_key)
        xml = data if file.mime_type == MIME_TYPE else await self._finder.find_xml(data)
        if not xml:
            raise NoEInvoice
        return Download(xml, f"{PurePosixPath(file.name or str(invoice_id)).stem}.xml", MIME_TYPE)
