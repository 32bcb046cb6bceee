"""Read bytes of a supported type as pages of words."""

from collections.abc import Callable

from serve_app.documents.einvoice.document import read_xml
from serve_app.documents.html import read_html
from serve_app.documents.images.document import read_image
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf, read_pdf_slice
from serve_app.documents.slices import Slice, SliceRead
from serve_app.documents.sniff import HEIC, HTML, JPEG, PDF, PNG, XML, sniff
from serve_app.domain.document import Document
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

_READERS: dict[str, Callable[[bytes, ReadOptions], Document]] = {
    PDF: read_pdf,
    JPEG: read_image,
    PNG: read_image,
    HEIC: read_image,
    HTML: read_html,
    XML: read_xml,
}


def read_document(data: bytes, options: ReadOptions | None = None) -> Document:
    """Read a document; raise DocumentError if it cannot be read or contains no text."""
    reader = _READERS.get(sniff(data) or "")
    if reader is None:
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The file type is not supported.")
    document = reader(data, options or ReadOptions())
    _check_text(document)
    return document


def read_slice(data: bytes, options: ReadOptions, part: Slice) -> SliceRead:
    """Some pages of a document; raise DocumentError if they cannot be read, or if they are the whole document and
    contain no text."""
    if sniff(data) == PDF:
        read = read_pdf_slice(data, options, part)
    else:
        whole = read_document(data, options)
        read = SliceRead(whole, len(whole.pages))
    if len(read.document.pages) == read.count:
        _check_text(read.document)
    return read


def _check_text(document: Document) -> None:
    if not document.has_text:
        raise DocumentError(FailureCode.NO_TEXT_FOUND, "The document contains no readable text.")
