"""One page of a stored file as a picture, for the models that look at pages and for people."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import cv2
import numpy as np

from serve_app.documents.einvoice import parse_einvoice, to_page
from serve_app.documents.html.charset import decode as decode_text
from serve_app.documents.html.markup import simplify
from serve_app.documents.html.render import render as render_html
from serve_app.documents.images.decode import decode as decode_picture
from serve_app.documents.images.picture import Picture, sheet_side
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf.scan import render as render_pdf
from serve_app.documents.pdf.scan import render_long_side
from serve_app.documents.pdf.units import user_units
from serve_app.documents.sniff import HTML, PDF, XML, sniff
from serve_app.domain.document import Homography, Page
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

# Pixels of the longer side: what Donut was trained on. LayoutLMv3 takes 224.
LONG_SIDE = 1600
_POINTS_AN_INCH = 72
# Of 100: print stays sharp, and an A4 page has about 100 kB.
_QUALITY = 75


def draw_page(data: bytes, page: Page, options: ReadOptions) -> bytes:
    """The page, upright as its words were read, as a grey PNG with a longer side of LONG_SIDE pixels.

    Raise DocumentError if the file cannot be drawn.
    """
    shown = _shown(data, page, options)
    scale = LONG_SIDE / max(page.width, page.height)
    size = max(1, round(page.width * scale)), max(1, round(page.height * scale))
    grey = cast(Picture, cv2.cvtColor(shown, cv2.COLOR_RGB2GRAY))
    upright = (
        cv2.resize(grey, size, interpolation=cv2.INTER_AREA) if page.to_shown is None else _warped(grey, page, size)
    )
    return cv2.imencode(".png", upright)[1].tobytes()


def show_page(data: bytes, number: int, options: ReadOptions) -> bytes:
    """Page `number` (from 1) as its file shows it, in colour, as a JPEG with a longer side of LONG_SIDE pixels; a long
    strip in a picture file is as sharp as a sheet of its width.

    Raise DocumentError if the file cannot be drawn or has no such page.
    """
    kind = sniff(data)
    if kind in (PDF, HTML, XML):
        shown = _rendered(data, kind, lambda file: render_long_side(file, number, LONG_SIDE, options.limits), options)
    elif number == 1:
        shown = _no_larger(decode_picture(data, options.limits.max_pixels))
    else:
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The picture has only one page.")
    bgr = cv2.cvtColor(shown, cv2.COLOR_RGB2BGR)
    return cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()


def _no_larger(shown: Picture) -> Picture:
    height, width = shown.shape[:2]
    scale = LONG_SIDE / sheet_side(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return shown if scale >= 1 else cast(Picture, cv2.resize(shown, size, interpolation=cv2.INTER_AREA))


def _rendered(data: bytes, kind: str, render: Callable[[Path], Picture], options: ReadOptions) -> Picture:
    pdf = data if kind == PDF else render_html(_markup(data, kind), options.limits).pdf
    with TemporaryDirectory(prefix="pdf-") as folder:
        file = Path(folder) / "document.pdf"
        file.write_bytes(pdf)
        return render(file)


def _markup(data: bytes, kind: str) -> str:
    return simplify(to_page(parse_einvoice(data)) if kind == XML else decode_text(data))


def _shown(data: bytes, page: Page, options: ReadOptions) -> Picture:
    kind = sniff(data)
    if kind not in (PDF, HTML, XML):
        return decode_picture(data, options.limits.max_pixels)
    unit = user_units(data).get(page.number, 1.0)
    dpi = max(1, round(LONG_SIDE / max(page.width, page.height) * _POINTS_AN_INCH * unit))
    return _rendered(data, kind, lambda file: render_pdf(file, page.number, dpi, options.limits), options)


def _warped(shown: Picture, page: Page, size: tuple[int, int]) -> Picture:
    """`to_shown` maps fractions of the upright page to fractions of the shown one; this does the same for pixels."""
    height, width = shown.shape[:2]
    homography: Homography = page.to_shown or (1, 0, 0, 0, 1, 0, 0, 0, 1)
    to_shown = (
        np.diag([width, height, 1.0]) @ np.array(homography).reshape(3, 3) @ np.diag([1 / size[0], 1 / size[1], 1])
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cast(Picture, cv2.warpPerspective(shown, to_shown, size, flags=flags, borderValue=(255.0,)))
