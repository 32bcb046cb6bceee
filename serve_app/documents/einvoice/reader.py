"""A PDF file to the electronic invoice that it carries."""

import logging

from serve_app.documents.einvoice.attachments import invoice_files
from serve_app.documents.einvoice.cii import parse_cii
from serve_app.domain.einvoice import EInvoice

_LOG = logging.getLogger(__name__)


def read_einvoice(pdf: bytes) -> EInvoice | None:
    """The invoice that the PDF carries as Factur-X or ZUGFeRD (1 or 2, XRechnung profile included), or None.

    Never raises: the page is what counts, so an attachment that is broken, hostile, or of another standard (Order-X,
    UBL) is as good as none. Where a file carries several, the newest standard wins.
    """
    try:
        return next(filter(None, (parse_cii(data, name) for name, data in invoice_files(pdf))), None)
    except Exception as error:
        # Whatever a hostile file makes the libraries raise (RecursionError and MemoryError among them).
        _LOG.info("no e-invoice is read from the PDF: %s", type(error).__name__)
        return None
