"""Pictures of printed pages, made on the spot."""

from dataclasses import dataclass
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from serve_app.domain.document import Box, Page

INVOICE = (
    "Northwind Traders Ltd",
    "Invoice number  INV-2024-0815",
    "Invoice date  17 March 2024",
    "Office chairs  4 x 120.00",
    "Value added tax  96.00",
    "Total amount due  576.00",
)


@dataclass(frozen=True)
class Printed:
    """A picture, and where each of its words was printed, in fractions."""

    image: Image.Image
    places: dict[str, Box]


def printed(lines: tuple[str, ...] = INVOICE, *, height: int = 20, font: str = "DejaVuSans.ttf") -> Printed:
    """Black lines on a white sheet, `height` the font's size in pixels."""
    size = (height * max(map(len, lines)) * 2 // 3 + 4 * height, 2 * height * len(lines) + 4 * height)
    image = Image.new("L", size, 255)
    draw, letters = ImageDraw.Draw(image), ImageFont.truetype(font, height)
    places = {}
    for row, line in enumerate(lines):
        at = 2.0 * height
        for word in line.split(" "):
            left, top, right, bottom = draw.textbbox((at, 2 * height + row * 2 * height), word or " ", font=letters)
            draw.text((at, 2 * height + row * 2 * height), word, font=letters, fill=0)
            places[word] = Box(left / size[0], top / size[1], right / size[0], bottom / size[1])
            at += draw.textlength(word + " ", font=letters)
    places.pop("", None)
    return Printed(image, places)


def pixels(image: Image.Image) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.asarray(image.convert("RGB"))


def file_of(image: Image.Image, kind: str, **settings: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, kind, **settings)
    return buffer.getvalue()


def text_of(page: Page) -> str:
    return " ".join(word.text for word in page.words)


def centre_error(page: Page, places: dict[str, Box]) -> float:
    """The farthest that a word's centre, on the page as shown, is from where it was printed; in fractions."""
    found = {word.text: page.shown(word.box) for word in page.words}
    shared = found.keys() & places.keys()
    assert len(shared) >= len(places) * 0.8, f"of {sorted(places)} only {sorted(shared)} were read"
    return max(
        max(abs(found[text].x_center - places[text].x_center), abs(found[text].y_center - places[text].y_center))
        for text in shared
    )
