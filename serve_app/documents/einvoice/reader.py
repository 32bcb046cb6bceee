"""Find the electronic invoice in a PDF."""

import logging
from collections.abc import Iterator
from dataclasses import replace

from serve_app.documents.einvoice.attachments import attach, attach_facturx, invoice_files
from serve_app.documents.einvoice.parse import parse_einvoice
from serve_app.documents.einvoice.profiles import profile_in_pdf
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.errors import DocumentError

_LOG = logging.getLogger(__name__)


def read_einvoice(pdf: bytes) -> EInvoice | None:
    """The electronic invoice embedded in the PDF (Factur-X, ZUGFeRD 1 or 2, XRechnung), or None.

    Never raises: the page is what counts, so an attachment that is broken, hostile or in another standard (Order-X)
    is ignored. If there are several, the newest standard wins.
    """
    try:
        return next((found for found, _ in _embedded(pdf)), None)
    except Exception as error:
        # A hostile file can make the libraries raise anything, including RecursionError and MemoryError.
        _LOG.info("ignoring the PDF's e-invoice: %s", type(error).__name__)
        return None


def einvoice_file(pdf: bytes) -> bytes | None:
    """The XML that `read_einvoice` reads, as it is; None if there is none. Never raises."""
    try:
        return next((data for _, data in _embedded(pdf)), None)
    except Exception as error:
        _LOG.info("ignoring the PDF's e-invoice: %s", type(error).__name__)
        return None


def with_einvoice(pdf: bytes, name: str, xml: bytes) -> bytes | None:
    """The PDF with the XML embedded, as if its sender had done so; None if it cannot hold it, or has one. Never
    raises."""
    try:
        made = attach(pdf, name, xml)
        return made if einvoice_file(pdf) is None and einvoice_file(made) == xml else None
    except Exception as error:
        _LOG.info("not embedding an e-invoice: %s", type(error).__name__)
        return None


def with_facturx(pdf: bytes, xml: bytes) -> bytes | None:
    """The PDF as a Factur-X invoice of that XML, which replaces one that it has; None if it cannot hold it. Never
    raises."""
    try:
        made = attach_facturx(pdf, xml)
        return made if einvoice_file(made) == xml else None
    except Exception as error:
        _LOG.info("not embedding an e-invoice: %s", type(error).__name__)
        return None


def _embedded(pdf: bytes) -> Iterator[tuple[EInvoice, bytes]]:
    for name, data in invoice_files(pdf):
        try:
            found = parse_einvoice(data)
        except DocumentError:
            continue
        yield replace(found, profile=profile_in_pdf(found, name)), data
