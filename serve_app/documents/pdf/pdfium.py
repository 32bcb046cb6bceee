"""PDFium in this process: one lock, one way to open a file."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from serve_app.documents.limits import Limits
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

# PDFium keeps global state: one call at a time in a process.
PDFIUM = RLock()

_LOCKED = (pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY)


@contextmanager
def opened(data: bytes, limits: Limits | None = None, password: str | None = None) -> Iterator[pdfium.PdfDocument]:
    """The open file, with PDFium locked; without a password, only an empty one is tried.

    Raise DocumentError if it is encrypted with another password, damaged, has no pages, or has more of them than
    `limits` allow.
    """
    with PDFIUM:
        file = _open(data, password)
        try:
            _check_pages(len(file), limits)
            yield file
        finally:
            file.close()


def _open(data: bytes, password: str | None) -> pdfium.PdfDocument:
    _forget_last_error()
    try:
        return pdfium.PdfDocument(data, password=password)
    except pdfium.PdfiumError as error:
        if pdfium_c.FPDF_GetLastError() in _LOCKED or "password" in str(error).lower():
            raise DocumentError(FailureCode.DOCUMENT_ENCRYPTED, "The PDF is protected with a password.") from error
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The PDF is damaged and cannot be opened.") from error


def _forget_last_error() -> None:
    """PDFium keeps the error of an earlier file, also when it opens one that has no pages: let a load fail that says
    nothing of passwords."""
    pdfium_c.FPDF_LoadMemDocument(b"", 0, None)


def _check_pages(count: int, limits: Limits | None) -> None:
    if count <= 0:
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The PDF has no pages.")
    if limits is not None and count > limits.max_pages:
        message = f"The document has {count} pages; at most {limits.max_pages} are read."
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)


@contextmanager
def loaded(file: pdfium.PdfDocument, index: int) -> Iterator[pdfium.PdfPage]:
    """The page at `index` (from 0); raise DocumentError if it is damaged."""
    try:
        page = file[index]
    except pdfium.PdfiumError as error:
        message = f"Page {index + 1} of the PDF is damaged and cannot be read."
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, message) from error
    try:
        yield page
    finally:
        page.close()


def quick(function: Any, *arguments: Any, result: Any = ctypes.c_int) -> Callable[..., Any]:
    """The same C function with plain argument types: called for every character, the checks of the library's own
    wrapper cost more than the work."""
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    call: Callable[..., Any] = ctypes.PYFUNCTYPE(result, *arguments)(address)
    return call


def handle(wrapper: Any) -> int:
    """The address of a page, a text page or any other object of the library."""
    return ctypes.cast(getattr(wrapper, "raw", wrapper), ctypes.c_void_p).value or 0
