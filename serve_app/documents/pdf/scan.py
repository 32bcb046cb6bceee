"""Pages that must be read as pictures: one picture as it is, others rendered by poppler."""

from io import BytesIO
from math import isfinite, sqrt
from pathlib import Path
from typing import cast

import numpy as np
import pypdfium2 as pdfium
from pdf2image import convert_from_path
from pdf2image.exceptions import PDFPageCountError, PDFPopplerTimeoutError, PDFSyntaxError
from PIL import Image
from PIL.PpmImagePlugin import PpmImageFile

from serve_app.documents.images.picture import Picture
from serve_app.documents.limits import Limits
from serve_app.documents.pdf.pdfium import loaded
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

DPI = 300
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


def picture_of(file: pdfium.PdfDocument, number: int, dpi: float) -> Picture | None:
    """Page `number` (from 1) of an open file, which is one picture, at its own dpi or fewer: to enlarge it would add
    pixels, but no detail. None if PDFium cannot decode the picture; it leaves the page empty then."""
    with loaded(file, number - 1) as page:
        # The bitmap has so many whole pixels that those of a picture as large as the page are not resampled.
        side = max(page.get_size())
        scale = (round(side * dpi / 72) - 0.5) / side
        bitmap = page.render(scale=scale, may_draw_forms=False, rev_byteorder=True)
        try:
            pixels = bitmap.to_numpy()[:, :, :3].copy()
        finally:
            bitmap.close()
    return pixels if pixels.min() < pixels.max() else None


def render(path: Path, number: int, dpi: int, limits: Limits) -> Picture:
    """Page `number` (from 1) of the file as a picture; raise DocumentError if it cannot be rendered in time."""
    return _rendered(path, number, limits, dpi=dpi, long_side=None)


def render_long_side(path: Path, number: int, pixels: int, limits: Limits) -> Picture:
    """The same with so many pixels on its longer side."""
    return _rendered(path, number, limits, dpi=DPI, long_side=pixels)


def _rendered(path: Path, number: int, limits: Limits, *, dpi: int, long_side: int | None) -> Picture:
    # OCR of the page needs the other half of the time.
    seconds = max(1, int(limits.page_seconds / 2))
    try:
        (image,) = convert_from_path(
            path,
            dpi=dpi,
            # Its stubs forget None.
            size=long_side,  # type: ignore[arg-type]
            first_page=number,
            last_page=number,
            use_cropbox=True,
            timeout=seconds,
        )
        return _pixels(image)
    except PDFPopplerTimeoutError as error:
        message = f"Page {number} of the PDF takes more than {seconds} s to render."
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message) from error
    except (PDFPageCountError, PDFSyntaxError, OSError, ValueError) as error:
        message = f"Page {number} of the PDF is damaged and cannot be rendered."
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, message) from error


def _pixels(image: Image.Image) -> Picture:
    """The pixels of an image as poppler wrote it, which are the end of its file. Pillow would copy them four times."""
    width, height = image.size
    content = cast(BytesIO, cast(PpmImageFile, image).fp).getvalue()
    size = 3 * width * height
    return np.frombuffer(content, np.uint8, size, len(content) - size).reshape(height, width, 3)
