"""Read a picture file as a document of one page."""

from serve_app.documents.images.decode import decode
from serve_app.documents.ocr.page import read_page
from serve_app.documents.options import ReadOptions
from serve_app.domain.document import Document

_LONG_SIDE = 842.0
"""Points. A picture does not tell the size of its paper: its longer side is assumed to be that of A4."""


def read_image(data: bytes, options: ReadOptions) -> Document:
    """Read a JPEG, PNG or HEIC by OCR; raise DocumentError for a picture that is damaged or too large."""
    picture = decode(data, options.limits.max_pixels)
    height, width = picture.shape[:2]
    point = _LONG_SIDE / max(height, width)
    return Document((read_page(picture, 1, width * point, height * point, options),))
