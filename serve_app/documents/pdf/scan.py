"""Pages that must be read as pictures, rendered by PDFium."""

import time
from math import ceil, isfinite, sqrt
from typing import cast

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from serve_app.documents.images.picture import Picture
from serve_app.documents.limits import Limits
from serve_app.documents.pdf.pdfium import loaded
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

DPI = 300
_POINTS_AN_INCH = 72
# Below this resolution, print is illegible.
MIN_DPI = 36
# Pixels of an A4 page at 300 dpi; a smaller page with a sharper picture may use the same number.
_PAGE_PIXELS = 8_700_000
# More pixels make OCR slower, not better, as long as the dpi stays above the minimum.
_MOST_PIXELS = 40_000_000


def dpi_for(width: float, height: float, resolution: float, limits: Limits) -> int:
    """The dpi at which to render a page of `width` by `height` points.

    `resolution` is that of its sharpest picture, in pixels per point. Raise DocumentError if the page has more pixels
    than `limits` allow even at the minimum dpi.
    """
    area = width * height / 72**2
    if not (isfinite(area) and area > 0 and MIN_DPI**2 * area <= limits.max_pixels):
        message = f"A page of {width / 72:.0f} by {height / 72:.0f} inches is too large to be read as a picture."
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)
    ideal = max(DPI, min(72 * resolution, sqrt(_PAGE_PIXELS / area)))
    highest = sqrt(min(limits.max_pixels, _MOST_PIXELS) / area)
    return int(max(MIN_DPI, min(ideal, highest)))


def render(file: pdfium.PdfDocument, number: int, dpi: int, limits: Limits) -> Picture:
    """Page `number` (from 1) of an open file as a picture, in colour; raise DocumentError if it cannot be rendered in
    time."""
    with loaded(file, number - 1) as page:
        return _rendered(page, number, dpi / _POINTS_AN_INCH, limits)


def render_long_side(file: pdfium.PdfDocument, number: int, pixels: int, limits: Limits) -> Picture:
    """The same with so many pixels on its longer side."""
    with loaded(file, number - 1) as page:
        return _rendered(page, number, pixels / max(*page.get_size(), 1.0), limits)


def _rendered(page: pdfium.PdfPage, number: int, scale: float, limits: Limits) -> Picture:
    # The scale is rounded, and must not make a side a pixel longer.
    width, height = (max(1, ceil(side * scale - 1e-6)) for side in page.get_size())
    bitmap = pdfium.PdfBitmap.new_native(width, height, pdfium_c.FPDFBitmap_BGR, rev_byteorder=True)
    try:
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        _draw(page, number, bitmap, limits)
        return cast(Picture, np.ascontiguousarray(bitmap.to_numpy()))
    finally:
        bitmap.close()


def _draw(page: pdfium.PdfPage, number: int, bitmap: pdfium.PdfBitmap, limits: Limits) -> None:
    # OCR of the page needs the other half of the time.
    seconds = limits.page_seconds / 2
    end = time.monotonic() + seconds
    pause = pdfium_c.IFSDK_PAUSE(version=1)
    pdfium.internal.set_callback(pause, "NeedToPauseNow", lambda _: time.monotonic() > end)
    flags = pdfium_c.FPDF_ANNOT | pdfium_c.FPDF_REVERSE_BYTE_ORDER
    place = 0, 0, bitmap.width, bitmap.height, 0
    status = pdfium_c.FPDF_RenderPageBitmap_Start(bitmap, page, *place, flags, pause)
    pdfium_c.FPDF_RenderPage_Close(page)
    if page.formenv:
        pdfium_c.FPDF_FFLDraw(page.formenv, bitmap, page, *place, flags)
    if status == pdfium_c.FPDF_RENDER_TOBECONTINUED:
        message = f"Page {number} of the PDF takes more than {seconds:.0f} s to render."
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)
    if status != pdfium_c.FPDF_RENDER_DONE:
        message = f"Page {number} of the PDF is damaged and cannot be rendered."
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, message)
