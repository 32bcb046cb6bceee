"""Machine-readable codes, such as QR codes, found in the picture of a page."""

import numpy as np
import zxingcpp
from numpy.typing import NDArray

from serve_app.documents.images.picture import Picture
from serve_app.domain.code_kinds import MOST_CHARACTERS, MOST_CODES
from serve_app.domain.document import Box, PrintedCode

# Code 128 carries the access keys of Brazil. Codes of goods (EAN, UPC) say nothing of an invoice.
_FORMATS = zxingcpp.BarcodeFormats(
    [
        zxingcpp.BarcodeFormat.QRCode,
        zxingcpp.BarcodeFormat.Aztec,
        zxingcpp.BarcodeFormat.DataMatrix,
        zxingcpp.BarcodeFormat.PDF417,
        zxingcpp.BarcodeFormat.Code128,
    ]
)


def read_codes(picture: Picture) -> tuple[PrintedCode, ...]:
    """The codes of an upright picture, in reading order, with boxes in fractions of it. A code that is damaged beyond
    repair is not among them."""
    grey = _grey(picture)
    height, width = grey.shape
    found = zxingcpp.read_barcodes(grey, formats=_FORMATS, try_rotate=False, text_mode=zxingcpp.TextMode.Plain)
    codes = {(each.text, _box(each.position, width, height)) for each in found if 0 < len(each.text) <= MOST_CHARACTERS}
    ordered = sorted(codes, key=lambda code: (code[1].y0, code[1].x0, code[0]))
    return tuple(PrintedCode(text, box) for text, box in ordered[:MOST_CODES])


def _grey(picture: Picture) -> NDArray[np.uint8]:
    """A rough grey is enough: codes are black on white."""
    grey = picture if picture.ndim == 2 else picture[:, :, 1]
    return np.ascontiguousarray(grey)


def _box(position: zxingcpp.Position, width: int, height: int) -> Box:
    corners = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    xs = [min(max(corner.x / width, 0.0), 1.0) for corner in corners]
    ys = [min(max(corner.y / height, 0.0), 1.0) for corner in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))
