"""Some pages of a PDF as a file of their own."""

from collections.abc import Sequence
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
        return _bound(file, [(number, 0) for number in range(first, last + 1)])


def count_pages(data: bytes) -> int:
    """How many pages a PDF has. Raise DocumentError if it cannot be read."""
    with opened(data) as file:
        return len(file)


def bind_pages(data: bytes, sheets: Sequence[tuple[int, int]] | None = None, password: str | None = None) -> bytes:
    """Pages of a PDF in this order as a PDF, without what belongs to the whole file: each is the number of a page (from
    1) and how far it is turned to the right beyond what the file says (0, 90, 180 or 270 degrees). None stands for all
    pages as they are.

    Raise DocumentError if the file cannot be read with this password, and ValueError for pages that it does not have.
    """
    with opened(data, password=password) as file:
        requested = [(number, 0) for number in range(1, len(file) + 1)] if sheets is None else sheets
        numbers = range(1, len(file) + 1)
        if not requested or any(number not in numbers for number, _ in requested):
            raise ValueError("The document has no pages like these.")
        return _bound(file, requested)


def _bound(file: pdfium.PdfDocument, sheets: Sequence[tuple[int, int]]) -> bytes:
    bound = pdfium.PdfDocument.new()
    try:
        bound.import_pages(file, [number - 1 for number, _ in sheets])
        for index, (_, turn) in enumerate(sheets):
            if turn:
                page = bound[index]
                page.set_rotation((page.get_rotation() + turn) % 360)
                page.close()
        buffer = BytesIO()
        bound.save(buffer)
    except pdfium.PdfiumError as error:
        message = "Some pages of the PDF are damaged and cannot be cut out."
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, message) from error
    finally:
        bound.close()
    return buffer.getvalue()
