"""Convert every colour mode of JPEG, PNG and HEIC to RGB, as it looks on the ground that it was made for."""

from math import ceil, sqrt

import cv2
import numpy as np
from PIL import Image

from serve_app.documents.images.picture import Picture

_ENOUGH_PIXELS = 4_000_000
"""To see on which ground there is print."""
_CLEARLY = 2
"""How many times the contrast of a white ground, like paper, a black one must have."""


def to_rgb(image: Image.Image) -> Picture:
    """The pixels of a decoded picture, 8 bits each of red, green and blue."""
    if image.mode.startswith("I"):
        image = _from_16_bits(image)
    if image.mode == "CMYK" and "adobe" not in image.info and image.format == "JPEG":
        # Pillow assumes that every CMYK JPEG is inverted, as Adobe writes them; without Adobe's marker it is not.
        image = Image.fromarray(255 - np.asarray(image), "CMYK")
    if image.has_transparency_data:
        image = image.convert("RGBA")
        image = _on_ground(image, _ground(image))
    return np.asarray(image.convert("RGB"))


def _from_16_bits(image: Image.Image) -> Image.Image:
    """16-bit grey; Pillow's own conversion would clip everything above 255."""
    return Image.fromarray((np.asarray(image).astype(np.uint32) >> 8).clip(0, 255).astype(np.uint8), "L")


def _ground(image: Image.Image) -> str:
    """White, like paper; black for light print that was copied from a dark page."""
    if image.getchannel("A").getextrema()[0] == 255:
        return "white"
    small = image.reduce(ceil(sqrt(image.width * image.height / _ENOUGH_PIXELS)))
    return "black" if _visible(small, "black") > _CLEARLY * _visible(small, "white") else "white"


def _on_ground(image: Image.Image, colour: str) -> Image.Image:
    return Image.alpha_composite(Image.new("RGBA", image.size, colour), image)


def _visible(image: Image.Image, ground: str) -> int:
    """How much contrast there is on the ground: the sum of all differences of neighbouring grey values."""
    grey = np.asarray(_on_ground(image, ground).convert("L"))
    steps = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return int(steps.sum())
