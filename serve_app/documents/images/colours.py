"""Every colour mode of JPEG, PNG and HEIC to RGB, as it looks on white paper."""

import numpy as np
from PIL import Image

from serve_app.documents.images.picture import Picture

_WHITE = (255, 255, 255, 255)


def to_rgb(image: Image.Image) -> Picture:
    """The pixels of a decoded picture, 8 bits each of red, green and blue."""
    if image.mode.startswith("I"):
        image = _from_16_bits(image)
    if image.mode == "CMYK" and "adobe" not in image.info and image.format == "JPEG":
        # Pillow takes every CMYK JPEG for inverted, as Adobe writes them; without Adobe's mark it is as it says.
        image = Image.fromarray(255 - np.asarray(image), "CMYK")
    if image.has_transparency_data:
        image = Image.alpha_composite(Image.new("RGBA", image.size, _WHITE), image.convert("RGBA"))
    return np.asarray(image.convert("RGB"))


def _from_16_bits(image: Image.Image) -> Image.Image:
    """Grey of 16 bits; Pillow's own conversion would cut off everything above 255."""
    return Image.fromarray((np.asarray(image).astype(np.uint32) >> 8).clip(0, 255).astype(np.uint8), "L")
