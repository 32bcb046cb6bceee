"""Renders a generated document to a PDF with a text layer: for samples, demonstrations and end-to-end tests."""

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from math import log
from pathlib import Path
from statistics import pvariance

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from serve_app.domain.document import Document, Page, Word

_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts")
# The fonts of every PDF reader, and similar installed fonts for letters they lack (Turkish, Slavic).
_SUBSTITUTES = {
    "Helvetica": ("LiberationSans-Regular.ttf", "DejaVuSans.ttf"),
    "Times-Roman": ("LiberationSerif-Regular.ttf", "DejaVuSerif.ttf"),
    "Courier": ("LiberationMono-Regular.ttf", "DejaVuSansMono.ttf"),
}
_DESCENDING = frozenset("gjpqy,;()[]{}|/Q@_çşğ")
_BASELINE, _DESCENT = 0.9, 0.2
# Boxes that are all about equally high, measured in font sizes, are the font's; others are tight around the ink.
_EVEN = 0.004


@cache
def _substitute(font: str) -> str:
    """An installed font with more letters than `font`, or `font` itself."""
    for name in _SUBSTITUTES[font]:
        for folder in _FOLDERS:
            for path in sorted(folder.rglob(name)) if folder.exists() else []:
                pdfmetrics.registerFont(TTFont(path.stem, str(path)))
                return path.stem
    return font


def _prints(text: str) -> bool:
    """Whether the fonts of every reader have all letters of `text`."""
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def _natural(text: str, font: str) -> float:
    """The width of `text` at size 1."""
    return max(0.1, float(pdfmetrics.stringWidth(text, font, 1)))


def _size(word: Word, page: Page, font: str) -> float:
    """The font size at which `word` is as wide as its box."""
    return word.box.width * page.width / _natural(word.text, font)


def _font_of(page: Page) -> str:
    """The font whose widths best explain the page's boxes: with it, sizes vary least."""
    words: Sequence[Word] = [word for word in page.words if len(word.text) > 3 and _prints(word.text)]
    if len(words) < 3:
        return "Helvetica"
    return min(_SUBSTITUTES, key=lambda font: pvariance([log(_size(word, page, font)) for word in words]))


def _is_tight(page: Page, font: str) -> bool:
    """Whether the boxes of a page end where the ink of their words ends."""
    shares = [word.box.height * page.height / _size(word, page, font) for word in page.words if len(word.text) > 2]
    usual = [share for share in shares if 0.3 < share < 1.6]
    return len(usual) > 2 and pvariance(usual) > _EVEN


def _draw_word(canvas: Canvas, page: Page, word: Word, font: str, *, tight: bool) -> None:
    if not _prints(word.text):
        font = _substitute(font)
    width, height = word.box.width * page.width, word.box.height * page.height
    size = min(max(_size(word, page, font), height * 0.7), height * 2)
    bottom = (1 - word.box.y1) * page.height
    if tight:
        baseline = bottom + (size * _DESCENT if set(word.text) & _DESCENDING else 0)
    else:
        baseline = bottom + height - size * _BASELINE
    text = canvas.beginText(word.box.x0 * page.width, baseline)
    text.setFont(font, size)
    text.setHorizScale(100 * width / (_natural(word.text, font) * size))
    text.textOut(word.text)
    canvas.drawText(text)


def render_pdf(document: Document) -> bytes:
    """The pages of a generated document as a PDF."""
    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=True)
    for page in document.pages:
        canvas.setPageSize((page.width, page.height))
        font = _font_of(page)
        tight = _is_tight(page, font)
        for word in page.words:
            _draw_word(canvas, page, word, font, tight=tight)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
