"""The electronic invoices of files, as they were received or written anew."""

from pathlib import PurePosixPath
from uuid import UUID

from serve_app.domain.einvoice import MIME_TYPE, EInvoice
from serve_app.domain.einvoice_from_values import record_of
from serve_app.domain.einvoice_order import EInvoiceFormat, EInvoiceMade, EInvoiceOrder
from serve_app.domain.einvoice_validation import FindingSeverity
from serve_app.domain.errors import (
    DocumentGone,
    EInvoiceIncomplete,
    EInvoiceInvalid,
    InvalidParameter,
    InvoiceNotFound,
    NoEInvoice,
    NotComplete,
)
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.services.files.links import Download
from serve_app.services.ports import EInvoiceWriter, PageTools
from serve_app.services.processing.fair_semaphore import FairSemaphore
from serve_app.store.base import Files, Invoices
from serve_app.system.thread_pools import WAITING

_PDF = "application/pdf"


class EInvoiceFiles:
    """Finds the XML of an invoice, its file or what its PDF contains, and writes electronic invoices."""

    def __init__(self, invoices: Invoices, files: Files, tools: PageTools, writer: EInvoiceWriter) -> None:
        self._invoices = invoices
        self._files = files
        self._tools = tools
        self._writer = writer
        self._turns = FairSemaphore()

    async def close(self) -> None:
        """For the end of the process."""
        await WAITING.run(self._writer.close)

    async def original(self, account_id: UUID, invoice_id: UUID) -> Download:
        """The XML as it is. Raises InvoiceNotFound, DocumentGone, NoEInvoice, Unavailable."""
        record = await self._with_document(account_id, invoice_id)
        file = record.invoice.file
        if file.mime_type not in (MIME_TYPE, _PDF):
            raise NoEInvoice
        data = await self._files.read(record.file_key)
        xml = data if file.mime_type == MIME_TYPE else await self._tools.find_xml(data)
        if not xml:
            raise NoEInvoice
        return Download(xml, _name(record.invoice, "xml"), MIME_TYPE)

    async def write(self, account_id: UUID, invoice_id: UUID, order: EInvoiceOrder) -> Download:
        """A valid electronic invoice: of the one in the file if it says what the invoice says, else of the values.
        Raises EInvoiceIncomplete, EInvoiceInvalid, NotComplete, InvalidParameter, InvoiceNotFound, DocumentGone,
        PartNotFound, Unavailable."""
        record = await self._with_document(account_id, invoice_id)
        invoice, has_pages = record.invoice, order.format is EInvoiceFormat.FACTURX
        if invoice.status is not Status.COMPLETE:
            raise NotComplete
        if has_pages and invoice.file.mime_type != _PDF:
            raise InvalidParameter("format: `facturx` needs an invoice that came as a PDF.", "format")
        of_values = None if _is_of_file(invoice) else record_of(invoice, order.zero_rate)
        data = await self._pages(record) if has_pages or of_values is None else b""
        async with self._turns.turn(owner=account_id):
            made = await self._made(data, of_values, order)
        kind = ("pdf", _PDF) if has_pages else ("xml", MIME_TYPE)
        return Download(made.data, _name(invoice, kind[0]), kind[1])

    async def _made(self, data: bytes, record: EInvoice | None, order: EInvoiceOrder) -> EInvoiceMade:
        made = await self._writer.write(data, record, order)
        if made.missing:
            raise EInvoiceIncomplete(made.missing)
        if made.validation is None or not made.validation.is_valid:
            raise EInvoiceInvalid(_broken_rules(made))
        return made

    async def _with_document(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord:
        record = await self._invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        if record.document_gone_at is not None:
            raise DocumentGone
        return record

    async def _pages(self, record: InvoiceRecord) -> bytes:
        """The file, without the pages of other invoices."""
        data, batch = await self._files.read(record.file_key), record.invoice.batch
        return data if batch is None else await self._tools.cut(data, batch.first_page, batch.last_page)


def _is_of_file(invoice: Invoice) -> bool:
    """Whether the file's electronic invoice is this invoice, with every value that a person may have entered."""
    check = invoice.einvoice
    return check is not None and check.matches_page and invoice.batch is None and not invoice.review.fields


def _broken_rules(made: EInvoiceMade) -> tuple[str, ...]:
    """Those that make it invalid; if it was not checked, why."""
    findings = made.validation.findings if made.validation else ()
    errors = [finding for finding in findings if finding.severity is FindingSeverity.ERROR] or findings
    return tuple(f"{finding.rule}: {finding.text.rstrip('.')}" for finding in errors)


def _name(invoice: Invoice, ending: str) -> str:
    return f"{PurePosixPath(invoice.file.name or str(invoice.id)).stem}.{ending}"
