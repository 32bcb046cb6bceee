"""Convert every colour mode of JPEG, PNG and HEIC to RGB, as it looks on white paper."""

import numpy as np
from PIL import Image

from serve_app.documents.images.picture import Picture

_WHITE = (255, 255, 255, 255)


def to_rgb(image: Image.Image) -> Picture:
    """The pixels of a decoded picture, 8 bits each of red, green and blue."""
    if image.mode.startswith("I"):
        image = _from_16_bits(image)
    if image.mode == "CMYK" and "adobe" not in image.info and image.format == "JPEG":
        # Pillow assumes that every CMYK JPEG is inverted, as Adobe writes them; without Adobe's marker it is not.
        image = Image.fromarray(255 - np.asarray(image), "CMYK")
    if image.has_transparency_data:
        image = Image.alpha_composite(Image.new("RGBA", image.size, _WHITE), image.convert("RGBA"))
    return np.asarray(image.convert("RGB"))


def _from_16_bits(image: Image.Image) -> Image.Image:
    """16-bit grey; Pillow's own conversion would clip everything above 255."""
    return Image.fromarray((np.asarray(image).astype(np.uint32) >> 8).clip(0, 255).astype(np.uint8), "L")
