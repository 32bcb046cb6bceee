"""Read a PDF file as a document."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2 as pdfium

from serve_app.documents.codes import read_codes
from serve_app.documents.einvoice import read_einvoice
from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.page import read_page
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf.layer_assessment import Verdict
from serve_app.documents.pdf.lost_letters import has_lost_letters, with_letters_of
from serve_app.documents.pdf.merge import merged, without_words
from serve_app.documents.pdf.parts import cut_pages
from serve_app.documents.pdf.pdfium import opened
from serve_app.documents.pdf.scan import dpi_for, picture_of, render
from serve_app.documents.pdf.second_look import checked
from serve_app.documents.pdf.text_layer import LayerPage, read_layer
from serve_app.documents.pdf.units import user_units
from serve_app.documents.pdf.versions import compared_with_earlier
from serve_app.documents.progress import step_done
from serve_app.documents.slices import WHOLE, Slice, SliceRead
from serve_app.domain.document import Document, Page
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode


def read_pdf(data: bytes, options: ReadOptions) -> Document:
    """Read every page: its text layer if that can be trusted, else its picture.

    Raise DocumentError for a file that is encrypted, damaged, or too large.
    """
    return read_pdf_slice(data, options, WHOLE).document


def read_pdf_slice(data: bytes, options: ReadOptions, part: Slice) -> SliceRead:
    """Some pages, read and raising errors as `read_pdf` does."""
    end = time.monotonic() + part.seconds
    with opened(data, options.limits) as file, TemporaryDirectory(prefix="pdf-") as folder:
        count, units = len(file), user_units(data)
        copy = Path(folder) / "document.pdf"
        pages: list[Page] = []
        for number in part.numbers or range(1, count + 1):
            layer = read_layer(file, number, units.get(number, 1.0))
            pages.append(_read_page(layer, _File(data, file, copy), options))
            step_done()
            _check_words(pages, options)
            if time.monotonic() >= end:
                break
    pages = compared_with_earlier(data, options.limits, pages)
    einvoice = read_einvoice(data) if part.numbers is None else None
    return SliceRead(Document(tuple(pages), einvoice), count)


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it came and as PDFium opened it. It may be written to `copy` for the programs that draw a page."""

    data: bytes
    opened: pdfium.PdfDocument
    copy: Path


def _read_page(layer: LayerPage, file: _File, options: ReadOptions) -> Page:
    verdict, page = layer.assessment.verdict, layer.page
    if layer.has_odd_letters or (verdict is Verdict.BOTH and layer.has_odd_digits):
        verdict = Verdict.OCR
    is_checked = page.words and (layer.assessment.is_scan or layer.has_odd_digits)
    if verdict is Verdict.LAYER and not is_checked and not has_lost_letters(page):
        return page
    picture = _rendered(layer, file, options)
    page = with_letters_of(picture, page, options.ocr)
    if verdict is Verdict.LAYER and not is_checked:
        return page
    if verdict is Verdict.LAYER:
        page = checked(page, picture, options.ocr, is_layer_likely=not layer.has_odd_digits)
        return replace(page, codes=read_codes(picture))
    if verdict is Verdict.BOTH:
        picture = without_words(picture, page)
    seen = read_page(picture, page.number, page.width, page.height, options)
    if page.words and not seen.words:
        return page
    return merged(page, seen) if verdict is Verdict.BOTH else seen


def _rendered(layer: LayerPage, file: _File, options: ReadOptions) -> Picture:
    page = layer.page
    # PDFium and poppler take a page's unit for a point.
    dpi = layer.unit * dpi_for(page.width, page.height, layer.resolution, options.limits)
    if layer.is_one_picture:
        picture = picture_of(file.opened, page.number, min(dpi, layer.unit * layer.resolution * 72))
        if picture is not None:
            return picture
    return _drawn(page.number, file, round(dpi), options)


def _drawn(number: int, file: _File, dpi: int, options: ReadOptions) -> Picture:
    """The page as poppler draws it."""
    if not file.copy.exists():
        file.copy.write_bytes(file.data)
    try:
        return render(file.copy, number, dpi, options.limits)
    except DocumentError as error:
        if error.code is not FailureCode.DOCUMENT_UNREADABLE:
            raise
    # PDFium repairs pages that poppler sometimes cannot: pass on the repaired page.
    part = file.copy.with_name(f"page-{number}.pdf")
    part.write_bytes(cut_pages(file.data, number, number))
    return render(part, 1, dpi, options.limits)


def _check_words(pages: list[Page], options: ReadOptions) -> None:
    if sum(len(page.words) for page in pages) > options.limits.max_words:
        message = f"The document has more than {options.limits.max_words} words."
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)
