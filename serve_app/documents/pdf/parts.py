"""Some pages of a PDF as a file of their own."""

from io import BytesIO

import pypdfium2 as pdfium

from serve_app.documents.pdf.pdfium import opened
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode


def cut_pages(data: bytes, first: int, last: int) -> bytes:
    """Pages `first` to `last` (from 1, both included) as a PDF, as shown, without what belongs to the whole file:
    attachments, bookmarks, encryption.

    Raise DocumentError if the file cannot be read, and ValueError for pages that it does not have.
    """
    with opened(data) as file:
        if not 1 <= first <= last <= len(file):
            raise ValueError(f"The document has no pages {first} to {last}.")
        part = pdfium.PdfDocument.new()
        try:
            part.import_pages(file, list(range(first - 1, last)))
            buffer = BytesIO()
            part.save(buffer)
        except pdfium.PdfiumError as error:
            message = f"Pages {first} to {last} of the PDF are damaged and cannot be cut out."
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, message) from error
        finally:
            part.close()
    return buffer.getvalue()
