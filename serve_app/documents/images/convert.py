"""Turns pictures of kinds that the API does not take (TIFF, WebP, and others on request) into a PDF."""

import math
from collections.abc import Iterator
from io import BytesIO

from PIL import Image, ImageOps

from serve_app.documents.images.colours import to_rgb
from serve_app.documents.images.decode import strict_decoding
from serve_app.documents.images.image_pdf import ImagePage, image_pdf
from serve_app.documents.limits import Limits
from serve_app.documents.progress import step_done
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

_FORMATS = ("TIFF", "WEBP", "GIF", "BMP")
_QUALITIES = (85, 60)
"""Of the JPEG pages: the second one if the file gets too large with the first."""
_ENOUGH_PIXELS = 16_000_000
_LEAST_SIDE = 8
_LONG_INCHES = 11.69
"""The longer side of A4, which is assumed where a picture does not say how large its paper is."""
_PLAUSIBLE_INCHES = (2.0, 25.0)
_SUBFILE, _IS_REDUCED, _STRIP_START, _STRIP_LENGTH = 254, 1, 273, 279


def picture_as_pdf(data: bytes, limits: Limits, max_bytes: int) -> bytes:
    """Each page of the picture as a page; the same picture always gives the same bytes. Sizes are checked before
    anything is decoded. Raises DocumentError: document_too_large, document_unreadable."""
    try:
        with strict_decoding():
            for quality in _QUALITIES:
                made = image_pdf(_pages(data, limits, quality))
                if len(made) <= max_bytes:
                    return made
    except (DocumentError, MemoryError):
        raise
    except Exception as error:  # The decoders can raise anything.
        message = "The picture is damaged or incomplete and cannot be read."
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, message) from error
    raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, "The picture is too large as a PDF.")


def _pages(data: bytes, limits: Limits, quality: int) -> Iterator[ImagePage]:
    with Image.open(BytesIO(data), formats=_FORMATS) as image:
        count = 0
        for number in range(limits.max_pages + 1):
            if not _has_frame(image, number):
                break
            if number == limits.max_pages:
                message = f"The document has more than {limits.max_pages} pages."
                raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)
            if _is_page(image):
                count += 1
                yield _page(image, limits.max_pixels, quality)
                step_done()
        if count == 0:
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The picture is too small to hold text.")


def _has_frame(image: Image.Image, number: int) -> bool:
    """Move to the page; only a TIFF has more than one: other kinds move."""
    if number and image.format != "TIFF":
        return False
    try:
        image.seek(number)
    except EOFError:
        return False
    return True


def _is_page(image: Image.Image) -> bool:
    """Not a small copy of another page, which some programs write beside it."""
    subfile = getattr(image, "tag_v2", {}).get(_SUBFILE, 0)
    return min(image.size) >= _LEAST_SIDE and not (isinstance(subfile, int) and subfile & _IS_REDUCED)


def _page(image: Image.Image, max_pixels: int, quality: int) -> ImagePage:
    if image.width * image.height > max_pixels:
        raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, f"The picture has more than {max_pixels} pixels.")
    resolution = _resolution(image)
    shown = ImageOps.exif_transpose(image)
    points = (shown.width / resolution[0] * 72, shown.height / resolution[1] * 72)
    if shown.mode == "1":
        return ImagePage(shown.size, points, "fax", _as_fax(shown))
    is_grey = shown.mode == "L"
    plain = shown if is_grey else Image.fromarray(to_rgb(shown))
    if plain.width * plain.height > 2 * _ENOUGH_PIXELS:
        plain = plain.reduce(math.ceil((plain.width * plain.height / _ENOUGH_PIXELS) ** 0.5))
    buffer = BytesIO()
    plain.save(buffer, "JPEG", quality=quality)
    return ImagePage(plain.size, points, "grey" if is_grey else "colour", buffer.getvalue())


def _resolution(image: Image.Image) -> tuple[float, float]:
    """Pixels an inch, across and down."""
    found = image.info.get("dpi")
    if isinstance(found, tuple) and len(found) == 2 and all(float(value) > 0 for value in found):
        across, down = float(found[0]), float(found[1])
        least, most = _PLAUSIBLE_INCHES
        if least <= max(image.width / across, image.height / down) <= most:
            return across, down
    assumed = max(image.size) / _LONG_INCHES
    return assumed, assumed


def _as_fax(image: Image.Image) -> bytes:
    """CCITT group 4 in one strip, as PDFs have it."""
    buffer = BytesIO()
    image.save(buffer, "TIFF", compression="group4", strip_size=math.ceil(image.width / 8) * image.height)
    with Image.open(buffer) as written:
        tags = getattr(written, "tag_v2", {})
        (start,), (length,) = tags[_STRIP_START], tags[_STRIP_LENGTH]
    return buffer.getvalue()[start : start + length]
