"""Annotated pages as the service reads them: printed by Chromium, scanned, or as HTML."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import byref, c_int, create_string_buffer
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import unquote

import pypdfium2 as pdfium
from playwright.sync_api import Page as Tab
from playwright.sync_api import sync_playwright
from pypdfium2 import raw

from models.training.annotated.marks import Mark, label_of, tags_of
from models.training.fonts import FONTS
from models.training.picture import pdf_picture, scanned_straight
from serve_app.documents.html.markup import simplify
from serve_app.documents.html.render import render
from serve_app.documents.ocr.page import read_page
from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf.text_layer import read_text_layer
from serve_app.domain.document import Box, Page
from serve_app.domain.labels import UNKNOWN, Label

_ADDRESS = "https://mark.invalid/"
_LONGEST_ADDRESS = 200
# The shares of pages in another font, and on their own paper.
_OTHER_FONT, _OWN_PAPER = 0.25, 0.6
_DPI = (130, 150, 170, 200, 200, 300)

_REQUIRED_LABELS = ("seller", "invoice_number")

# Wraps the contents of every marked element in a link: a PDF tells where links stand.
_LINK_MARKS = """(address) => {
  document.querySelectorAll('[data-l]').forEach((element, number) => {
    const link = document.createElement('a');
    link.style.all = 'unset';
    link.href = address + number + '/' + encodeURIComponent(element.dataset.l);
    link.append(...element.childNodes);
    element.append(link);
  });
}"""
_TEXTS = "(label) => [...document.querySelectorAll(`[data-l=${label}]`)].map((element) => element.innerText)"
_TYPE = "() => document.body.dataset.type || 'invoice'"
_SET_FONT = "(font) => document.querySelectorAll('body, body *').forEach((each) => each.style.fontFamily = font)"


@dataclass(frozen=True, slots=True)
class _Facts:
    """What a page says of itself, however it is drawn."""

    doc_type: str
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page's document as read, with its tags; `values` are the issuer's fullest name and the number of the invoice,
    if the page has them; `lost` counts the marked elements without a word."""

    kind: str
    doc_type: str
    values: dict[str, str]
    pages: tuple[Page, ...]
    tags: tuple[list[str], ...]
    lost: int


@contextmanager
def browser_tab() -> Iterator[Tab]:
    """A tab of Chromium."""
    with sync_playwright() as playwright:
        program = shutil.which("chromium-headless-shell")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            yield browser.new_page()
        finally:
            browser.close()


def printed(tab: Tab, file: Path, rng: Random) -> Drawn:
    """The page as a PDF, in its own looks or in others."""
    facts = _opened(tab, file)
    data = _print(tab, rng)
    return _drawn("text-pdf", facts, read_text_layer(data, ReadOptions().limits), _marks(data))


def scanned(tab: Tab, file: Path, rng: Random) -> Drawn:
    """The page printed, scanned, and read by OCR."""
    facts = _opened(tab, file)
    data = _print(tab, rng)
    return _drawn("scan", facts, tuple(_scans(data, rng)), _marks(data))


def as_html(tab: Tab, file: Path) -> Drawn:
    """The page as the service reads HTML."""
    facts = _opened(tab, file)
    data = render(simplify(tab.content()), ReadOptions().limits).pdf
    return _drawn("html", facts, read_text_layer(data, ReadOptions().limits), _marks(data))


def _opened(tab: Tab, file: Path) -> _Facts:
    """Open a page, turn its marks into links, and tell what the page itself says."""
    tab.goto(file.absolute().as_uri())
    doc_type: str = tab.evaluate(_TYPE)
    names, numbers = ([" ".join(text.split()) for text in tab.evaluate(_TEXTS, label)] for label in _REQUIRED_LABELS)
    name = {"vendor_name": max(names, key=len)} if names else {}
    number = {"invoice_number": numbers[0]} if numbers else {}
    tab.evaluate(_LINK_MARKS, _ADDRESS)
    return _Facts(doc_type, name | number)


def _print(tab: Tab, rng: Random) -> bytes:
    if rng.random() < _OTHER_FONT:
        tab.evaluate(_SET_FONT, rng.choice(FONTS))
    return tab.pdf(print_background=True, **_paper(rng))


def _drawn(kind: str, facts: _Facts, pages: tuple[Page, ...], marks: Sequence[Mark]) -> Drawn:
    tags = tuple(tags_of(page, [mark for mark in marks if mark.page == page.number]) for page in pages)
    lost = _lost({mark.number: mark.label for mark in marks}, tags)
    return Drawn(kind, facts.doc_type, facts.values, pages, tags, lost)


def _scans(data: bytes, rng: Random) -> Iterator[Page]:
    """The pages as OCR reads them, with boxes on the page as it was printed."""
    file = pdfium.PdfDocument(data)
    try:
        for number, page in enumerate(file, start=1):
            scan = scanned_straight(pdf_picture(page, rng.choice(_DPI)), rng)
            width, height = page.get_size()
            yield _as_shown(read_page(scan, number, width, height, ReadOptions()), width, height)
    finally:
        file.close()


def _as_shown(page: Page, width: float, height: float) -> Page:
    """The page with boxes as it was printed, though it was straightened before it was read."""
    words = tuple(replace(word, box=page.shown(word.box)) for word in page.words)
    return replace(page, width=width, height=height, words=words, to_shown=None)


def _paper(rng: Random) -> dict[str, Any]:
    """The page's own paper and margins, smaller or larger, or others."""
    scale = rng.choice((0.8, 0.9, 1, 1, 1, 1.1))
    if rng.random() < _OWN_PAPER:
        return {"prefer_css_page_size": True, "scale": scale}
    edge = f"{rng.choice((5, 8, 10, 15))}mm"
    margin = {side: edge for side in ("top", "bottom", "left", "right")}
    return {"format": rng.choice(("A4", "A4", "Letter")), "margin": margin, "scale": scale}


def _marks(data: bytes) -> list[Mark]:
    file = pdfium.PdfDocument(data)
    try:
        return [mark for number, page in enumerate(file, start=1) for mark in _marks_of(file, page, number)]
    finally:
        file.close()


def _marks_of(file: pdfium.PdfDocument, page: pdfium.PdfPage, number: int) -> Iterator[Mark]:
    width, height = page.get_size()
    place, link, rect = c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
    while raw.FPDFLink_Enumerate(page, byref(place), byref(link)):
        text = create_string_buffer(_LONGEST_ADDRESS)
        raw.FPDFAction_GetURIPath(file, raw.FPDFLink_GetAction(link), text, _LONGEST_ADDRESS)
        address = text.value.decode()
        if not address.startswith(_ADDRESS):
            continue
        mark, label = address.removeprefix(_ADDRESS).split("/")
        raw.FPDFLink_GetAnnotRect(link, byref(rect))
        low, high = sorted((rect.bottom, rect.top))
        box = Box(rect.left / width, 1 - high / height, rect.right / width, 1 - low / height)
        yield Mark(int(mark), label_of(unquote(label)), number, box)


def _lost(labels: Mapping[int, str], tags: Sequence[Sequence[str]]) -> int:
    """How many values no word begins. A currency may be part of the word of its amount."""
    labelled = sum(label not in (UNKNOWN, Label.CURRENCY) for label in labels.values())
    return labelled - sum(tag.startswith("B-") and tag != f"B-{Label.CURRENCY}" for page in tags for tag in page)
