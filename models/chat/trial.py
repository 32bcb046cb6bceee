"""The page that a chat model has to read before it may serve."""

import io
from collections.abc import Callable

from PIL import Image, ImageDraw

from models.chat.answers import Value
from models.chat.client import ChatFailure
from serve_app.domain.document import Box, Page, Word
from serve_app.domain.labels import Label

_WIDTH, _HEIGHT, _LETTER, _LINE = 595, 842, 8, 24
_LINES = (
    "Acme Ltd.",
    "Invoice No. 4711",
    "Date 03/11/2026",
    "Consulting 2 500.00 1,000.00",
    "VAT 190.00",
    "Total EUR 1,190.00",
)
# What even a weak model finds there.
_EXPECTED = {Label.INVOICE_NUMBER: "4711", Label.TOTAL: "1,190.00"}


def trial(ask: Callable[[Page], list[Value]]) -> None:
    """Ask about the page. Raises ChatFailure if the answer lacks its number or its total."""
    found = {value.label: value.text for value in ask(trial_page())}
    for label, text in _EXPECTED.items():
        if text not in found.get(label, ""):
            raise ChatFailure(f"on a page of six lines it does not find {text} as {label}")


def trial_page() -> Page:
    """Six lines, as words and as a picture."""
    words, picture = [], Image.new("RGB", (_WIDTH, _HEIGHT), "white")
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(_LINES):
        x, y = 60.0, 60.0 + row * _LINE
        for text in line.split():
            draw.text((x, y), text, fill="black", font_size=14)
            width = draw.textlength(text, font_size=14)
            words.append(Word(text, Box(x / _WIDTH, y / _HEIGHT, (x + width) / _WIDTH, (y + 14) / _HEIGHT)))
            x += width + _LETTER
    written = io.BytesIO()
    picture.save(written, "PNG")
    return Page(1, float(_WIDTH), float(_HEIGHT), tuple(words), picture=written.getvalue())
