"""Pages that a model is tried on before it serves."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from serve_app.domain.document import Box, Page, Word


def page_of(texts: Sequence[str]) -> Page:
    """A page with these words in eight columns."""
    words = tuple(Word(text, _box(number, len(texts))) for number, text in enumerate(texts))
    return Page(1, 595.0, 842.0, words)


def full_page() -> Page:
    """A page with a picture, and with more words than any model's window."""
    page = page_of([f"{number}.00" for number in range(600)])
    return Page(page.number, page.width, page.height, page.words, picture=white_picture())


def white_picture() -> bytes:
    """A picture of an empty page."""
    written = BytesIO()
    Image.new("RGB", (595, 842), "white").save(written, "PNG")
    return written.getvalue()


def _box(number: int, count: int) -> Box:
    column, row, rows = number % 8, number // 8, count // 8 + 1
    return Box(column / 8, row / rows, (column + 0.8) / 8, (row + 0.8) / rows)
