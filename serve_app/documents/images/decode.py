"""Decode a picture file to pixels, as a viewer shows them."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import NoReturn

import numpy as np
import pillow_heif
from PIL import Image, ImageFile

from serve_app.documents.images.colours import to_rgb
from serve_app.documents.images.picture import Picture
from serve_app.documents.sniff import HEIC, sniff
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

_ORIENTATION = 0x0112
"""EXIF tag: how the camera was held."""
_AS_SHOWN = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_ENOUGH_PIXELS = 16_000_000
"""A page at 400 dpi. Larger pictures are shrunk: no engine reads better with more, and memory is limited."""
_LEAST_SIDE = 8
"""Pixels: anything smaller cannot hold text."""


def decode(data: bytes, max_pixels: int) -> Picture:
    """The first (or primary) picture of a JPEG, PNG or HEIC file as RGB, turned as EXIF says, on white.

    The size is checked before anything is decoded. Raises DocumentError: document_too_large, document_unreadable.
    A file that ends too early is unreadable, whatever its first part shows: what is missing may be the total.
    """
    try:
        with strict_decoding():
            return _decode(data, max_pixels)
    except (DocumentError, MemoryError):
        raise
    except Image.DecompressionBombError:
        _refuse_size(max_pixels)
    except Exception as error:  # The decoders can raise anything.
        message = "The picture is damaged or incomplete and cannot be read."
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, message) from error


@contextmanager
def strict_decoding() -> Iterator[None]:
    """Truncated files are errors, whatever another library set process-wide; odd metadata is not."""
    before = ImageFile.LOAD_TRUNCATED_IMAGES
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with warnings.catch_warnings():
            # Pillow warns at its own pixel cap; ours is checked here.
            warnings.simplefilter("ignore")
            yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before


def _decode(data: bytes, max_pixels: int) -> Picture:
    image = _opened(data, max_pixels)
    if min(image.size) < _LEAST_SIDE:
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The picture is too small to hold text.")
    orientation = _orientation(image)
    image.draft(None, _enough(image.size))
    image.load()
    if image.width * image.height > 2 * _ENOUGH_PIXELS and image.mode not in ("P", "1"):
        image = _shrunk(image)
    picture = to_rgb(image)
    return np.asarray(Image.fromarray(picture).transpose(_AS_SHOWN[orientation])) if orientation else picture


def _opened(data: bytes, max_pixels: int) -> Image.Image:
    """The picture, its pixels not yet decoded (except for HEIC)."""
    if sniff(data) == HEIC:
        file = pillow_heif.open_heif(data)
        chosen = file[file.primary_index]
        _check_size(chosen.size, max_pixels)
        # The decoder has already turned it, so EXIF's orientation no longer applies.
        image: Image.Image = chosen.to_pillow()
        image.info.pop("exif", None)
        return image
    image = Image.open(BytesIO(data), formats=("JPEG", "PNG"))
    _check_size(image.size, max_pixels)
    return image


def _check_size(size: tuple[int, int], max_pixels: int) -> None:
    if size[0] * size[1] > max_pixels:
        _refuse_size(max_pixels)


def _refuse_size(max_pixels: int) -> NoReturn:
    message = f"The picture has more than {max_pixels} pixels."
    raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)


def _orientation(image: Image.Image) -> int | None:
    """The rotation that EXIF asks for; None if there is none or EXIF is broken."""
    try:
        value = image.getexif().get(_ORIENTATION)
    except Exception:  # Parsing broken metadata can raise anything.
        return None
    return value if value in _AS_SHOWN else None


def _enough(size: tuple[int, int]) -> tuple[int, int]:
    ratio = min(1.0, (_ENOUGH_PIXELS / (size[0] * size[1])) ** 0.5)
    return int(size[0] * ratio), int(size[1] * ratio)


def _shrunk(image: Image.Image) -> Image.Image:
    factor = round((image.width * image.height / _ENOUGH_PIXELS) ** 0.5)
    return image.reduce(max(factor, 1))
