"""Write an electronic invoice that keeps the rules of EN 16931."""

from serve_app.documents.einvoice.parse import parse_einvoice
from serve_app.documents.einvoice.reader import einvoice_file, with_facturx
from serve_app.documents.einvoice.validation import validate
from serve_app.documents.einvoice.writers import write_cii, write_ubl
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.einvoice_order import EInvoiceFormat, EInvoiceMade, EInvoiceOrder, completed
from serve_app.domain.einvoice_terms import missing_terms
from serve_app.domain.einvoice_validation import Finding, FindingSeverity, Validation
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

_NOT_EMBEDDED = Finding("NOT-EMBEDDED", FindingSeverity.ERROR, "The XML cannot be embedded in this PDF.")


def write_einvoice(data: bytes, record: EInvoice | None, order: EInvoiceOrder) -> EInvoiceMade:
    """The record, or without one the electronic invoice in the file, as the order says. Raises DocumentError if there
    is none.

    Takes long for a hostile file: call it where it can be stopped (`documents/isolation/validator.py`).
    """
    record = completed(record or _record_in(data), order)
    if missing := missing_terms(record):
        return EInvoiceMade(missing=missing)
    xml = write_ubl(record) if order.format is EInvoiceFormat.UBL else write_cii(record)
    validation = validate(xml)
    if order.format is not EInvoiceFormat.FACTURX or not validation.is_valid:
        return EInvoiceMade(xml, validation=validation)
    pdf = with_facturx(data, xml)
    if pdf is None:
        return EInvoiceMade(validation=Validation(validation.specification, findings=(_NOT_EMBEDDED,)))
    return EInvoiceMade(pdf, validation=validation)


def _record_in(data: bytes) -> EInvoice:
    xml = einvoice_file(data) if data[:1024].lstrip().startswith(b"%PDF-") else data
    if xml is None:
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The file contains no electronic invoice.")
    return parse_einvoice(xml)
