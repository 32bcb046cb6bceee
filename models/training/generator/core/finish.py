"""From a drawn document to a sample: boxes, reading order, tags and the truth of what was printed."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Protocol

from models.training.generator.core.canvas import Ink
from models.training.generator.core.noise import Noise, disturb, draw_noise
from models.training.generator.core.pen import Pen
from models.training.generator.core.spots import Spot
from models.training.sample import Sample
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.invoice import Extraction
from serve_app.domain.labels import OUTSIDE, Label
from serve_app.domain.reading_order import reading_order

# On a page that is not an invoice, numbers and dates are look-alikes, and everything else is unlabelled.
_ELSEWHERE = {
    Label.INVOICE_NUMBER: Label.OTHER_NUMBER,
    Label.OTHER_NUMBER: Label.OTHER_NUMBER,
    Label.ISSUE_DATE: Label.OTHER_DATE,
    Label.DUE_DATE: Label.OTHER_DATE,
    Label.OTHER_DATE: Label.OTHER_DATE,
}
_LOW, _HIGH = frozenset("gjpqy,;()[]{}|/Q@_çşğ"), frozenset("acemnorsuvwxz.,-_:;~=")


class Sized(Protocol):
    """What has a width and a height in points."""

    @property
    def width(self) -> float: ...

    @property
    def height(self) -> float: ...


def _font_box(ink: Ink, factor: float) -> Spot:
    return Spot(ink.text, ink.x, ink.y, ink.x + ink.width, ink.y + ink.size * factor, ink.label, ink.entity)


@lru_cache(maxsize=1 << 16)
def _ink_edges(text: str) -> tuple[float, float]:
    """Where the ink of a word starts and ends, in font sizes below its line's top."""
    chars = set(text)
    return 0.37 if chars <= _HIGH else 0.17, 1.1 if chars & _LOW else 0.9


def _tight_box(ink: Ink, factor: float) -> Spot:
    """A box around the ink itself, as OCR and some PDF readers give it."""
    top, bottom = _ink_edges(ink.text)
    return Spot(
        ink.text, ink.x, ink.y + ink.size * top, ink.x + ink.width, ink.y + ink.size * bottom, ink.label, ink.entity
    )


def _spots(inks: Iterable[Ink], tight: bool, factor: float) -> list[Spot]:
    shape = _tight_box if tight else _font_box
    return [shape(ink, factor) for ink in inks]


def page_of(number: int, sheet: Sized, spots: Sequence[Spot]) -> tuple[Page, list[Spot]]:
    """The page and its spots in reading order; anything outside the page is cut off."""
    boxes, inside = [], []
    for spot in spots:
        x0, y0 = max(0.0, spot.x0 / sheet.width), max(0.0, spot.y0 / sheet.height)
        x1, y1 = min(1.0, spot.x1 / sheet.width), min(1.0, spot.y1 / sheet.height)
        if x1 > x0 and y1 > y0:
            boxes.append(Box(x0, y0, x1, y1))
            inside.append(spot)
    order = reading_order(boxes)
    words = tuple(Word(inside[i].text, boxes[i], inside[i].confidence) for i in order)
    return Page(number, sheet.width, sheet.height, words), [inside[i] for i in order]


def tags_of(spots: Iterable[Spot], is_invoice: bool, seen: set[tuple[int, Label]]) -> tuple[str, ...]:
    """One tag per word. The first word of a value begins it; its words on later lines continue it."""
    tags = []
    for spot in spots:
        label = spot.label if is_invoice else _ELSEWHERE.get(spot.label) if spot.label else None
        if label is None:
            tags.append(OUTSIDE)
            continue
        key = (spot.entity, label)
        tags.append(f"{'I' if key in seen else 'B'}-{label}")
        seen.add(key)
    return tuple(tags)


def truth_of(pen: Pen) -> Extraction:
    """What a person reads on the page: only what was printed counts."""
    case, printed = pen.case, pen.canvas.first
    if not pen.is_invoice:
        return Extraction()
    amount = case.total if Label.TOTAL in printed else case.amount_due if Label.AMOUNT_DUE in printed else None
    taxed = Label.TAX in printed or Label.TAX_LINE in printed
    return Extraction(
        vendor_name=printed.get(Label.SELLER) or pen.brand or None,
        invoice_number=printed.get(Label.INVOICE_NUMBER),
        amount=amount,
        currency=case.currency if pen.currency_shown else None,
        issued_at=case.issued if Label.ISSUE_DATE in printed else None,
        due_at=case.due if Label.DUE_DATE in printed else None,
        tax=case.tax if taxed else None,
        line_items=pen.rows,
        pages=len(pen.canvas.sheets),
    )


def finish(pen: Pen, rng: Random, family: str, *, noisy: bool) -> Sample:
    """The sample of a drawn document."""
    noise: Noise | None = draw_noise(rng) if noisy else None
    tight, factor = rng.random() < (0.8 if noisy else 0.4), rng.uniform(0.92, 1.25)
    pages, tags = [], []
    seen: set[tuple[int, Label]] = set()
    for number, sheet in enumerate(pen.canvas.sheets, 1):
        spots = _spots(sheet.inks, tight, factor)
        if noise is not None:
            spots = disturb(spots, noise, rng, sheet.width, sheet.height)
        page, ordered = page_of(number, sheet, spots)
        pages.append(page)
        tags.append(tags_of(ordered, pen.is_invoice, seen))
    return Sample(
        Document(tuple(pages)), tuple(tags), truth_of(pen), family, pen.case.language, pen.is_invoice, pen.brand
    )
