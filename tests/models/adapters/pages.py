"""Pages to read in tests of adapters."""

import io

from PIL import Image

from serve_app.domain.document import Box, Document, Page, Word


def page_of(*texts: str, number: int = 1, picture: bytes | None = None) -> Page:
    """Words in rows of eight."""
    words = tuple(
        Word(text, Box(n % 8 / 8, n // 8 / 50, (n % 8 + 0.8) / 8, (n // 8 + 0.8) / 50)) for n, text in enumerate(texts)
    )
    return Page(number, 600.0, 800.0, words, picture=picture)


def document_of(*texts: str) -> Document:
    return Document((page_of(*texts),))


def picture(shade: int = 255) -> bytes:
    """A small page of one colour."""
    written = io.BytesIO()
    Image.new("L", (60, 80), shade).save(written, "PNG")
    return written.getvalue()
