"""Read the electronic invoice embedded in a PDF."""

import logging

from serve_app.documents.einvoice.attachments import invoice_files
from serve_app.documents.einvoice.cii import parse_cii
from serve_app.domain.invoice_data import InvoiceData

_LOG = logging.getLogger(__name__)


def read_einvoice(pdf: bytes) -> InvoiceData | None:
    """The Factur-X or ZUGFeRD invoice embedded in the PDF (1 or 2, including the XRechnung profile), or None.

    Never raises: the page is what counts, so an attachment that is broken, hostile or in another standard (Order-X,
    UBL) is ignored. If there are several, the newest standard wins.
    """
    try:
        return next(filter(None, (parse_cii(data, name) for name, data in invoice_files(pdf))), None)
    except Exception as error:
        # A hostile file can make the libraries raise anything, including RecursionError and MemoryError.
        _LOG.info("ignoring the PDF's e-invoice: %s", type(error).__name__)
        return None
