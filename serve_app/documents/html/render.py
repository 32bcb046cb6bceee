"""HTML laid out as the pages of a PDF by WeasyPrint."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import weasyprint
from weasyprint.css.counters import CounterStyle
from weasyprint.formatting_structure.build import build_formatting_structure
from weasyprint.layout import layout_document
from weasyprint.text.fonts import FontConfiguration

from serve_app.documents.html.css import PAGE_WIDTH
from serve_app.documents.html.resources import OwnResources
from serve_app.documents.html.styles import adapt
from serve_app.documents.html.tree import sanitize
from serve_app.documents.html.visible import keep_visible
from serve_app.documents.limits import Limits
from serve_app.documents.progress import step_done
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode

# An A4 sheet.
_RATIO = 1.414
_MARGIN = 20
# Wider tables are cut.
_WIDEST = 4000
# A level of nesting takes about ten calls.
_RECURSION = 20_000
_PROGRESS = logging.getLogger("weasyprint.progress")

# `!important` in a user style sheet overrides everything in the document. From right to left, WeasyPrint would put
# boxes with automatic margins off the page.
_USER_STYLE = """
@page {{ size: {width}px {height}px !important; margin: {margin}px !important }}
html, body {{ height: auto !important; max-height: none !important; overflow: visible !important }}
select::before {{ content: none !important }}
html, body, body * {{ direction: ltr !important }}
tr, li, img, input, h1, h2, h3 {{ break-inside: avoid !important }}
input[value], textarea, select {{ width: auto !important; height: auto !important; max-width: none !important }}
"""


@dataclass(frozen=True, slots=True)
class Rendering:
    """A document as a PDF of its visible text. `run_on` are its pages, from 1, that begin only because the one before
    is full."""

    pdf: bytes
    run_on: frozenset[int]


def render(markup: str, limits: Limits) -> Rendering:
    """Lay a document out on pages; raise DocumentError if it is too long or breaks the engine."""
    try:
        with _page_limit(limits.max_pages), _deep_recursion():
            return _render(markup)
    except DocumentError:
        raise
    except Exception as error:
        raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "The HTML cannot be laid out.") from error


def _render(markup: str) -> Rendering:
    laid_out = _lay_out(markup, PAGE_WIDTH)
    if PAGE_WIDTH < laid_out.reach <= _WIDEST:
        laid_out = _lay_out(markup, int(laid_out.reach) + 2 * _MARGIN)
    return Rendering(laid_out.document.write_pdf(), laid_out.run_on)


@dataclass(frozen=True, slots=True)
class _LaidOut:
    """`reach` is how far right the text reaches, in CSS pixels."""

    document: weasyprint.Document
    reach: float
    run_on: frozenset[int]


def _lay_out(markup: str, width: int) -> _LaidOut:
    """The document on pages of `width` CSS pixels."""
    html = weasyprint.HTML(string=markup, url_fetcher=OwnResources(), media_type="screen")
    sanitize(html.etree_element)
    fonts, counters = _InstalledFonts(), CounterStyle()
    context = weasyprint.Document._build_layout_context(html, fonts, counters, {}, _options(width, fonts))
    adapt(html.etree_element, context.style_for)
    # Copied from `Document._render`, which has no hook between styles and boxes.
    root = build_formatting_structure(
        html.etree_element,
        context.style_for,
        context.get_image_from_uri,
        html.base_url,
        context.target_collector,
        counters,
        context.footnotes,
    )
    boxes = list(layout_document(html, root, context))
    reach = keep_visible(boxes)
    pages = [weasyprint.Page(box) for box in boxes]
    metadata = weasyprint.document.DocumentMetadata()
    document = weasyprint.Document(pages, metadata, html.url_fetcher, fonts, {}, None)
    document._html = html
    return _LaidOut(document, reach, _run_on(context, len(boxes)))


def _run_on(context: Any, count: int) -> frozenset[int]:
    """The pages that neither begin the document nor follow a break that it asks for."""
    breaks = [following["break"] for _, following, *_ in context.page_maker[:count]]
    return frozenset(number for number, asked in enumerate(breaks, 1) if number > 1 and asked == "any")


def _options(width: int, fonts: FontConfiguration) -> dict[str, Any]:
    style = _USER_STYLE.format(width=width, height=round(width * _RATIO), margin=_MARGIN)
    sheet = weasyprint.CSS(string=style, media_type="screen", font_config=fonts)
    return {**weasyprint.DEFAULT_OPTIONS, "stylesheets": [sheet], "presentational_hints": True}


class _InstalledFonts(FontConfiguration):  # type: ignore[misc]
    """This machine's fonts only: embedded ones would be decoded and written to temporary files."""

    def add_font_face(self, rule_descriptors: object, url_fetcher: object) -> None:
        """Skip the font; the next one in the font-family list is used."""


class _PageLimit(logging.Filter):
    """WeasyPrint has no page limit, but reports progress before each page; the reports stay in here."""

    def __init__(self, pages: int) -> None:
        super().__init__()
        self._pages = pages

    def filter(self, record: logging.LogRecord) -> bool:
        if "Page %d" in str(record.msg) and isinstance(record.args, tuple):
            self._check(int(str(record.args[0])))
        return False

    def _check(self, page: int) -> None:
        step_done()
        if page > self._pages:
            message = f"The HTML fills more than {self._pages} pages."
            raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)


@contextmanager
def _page_limit(pages: int) -> Iterator[None]:
    limit = _PageLimit(pages)
    _PROGRESS.addFilter(limit)
    try:
        yield
    finally:
        _PROGRESS.removeFilter(limit)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


# Every unknown property would be reported; progress is handled above.
logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
logging.getLogger("fontTools").setLevel(logging.ERROR)
_PROGRESS.setLevel(logging.INFO)
