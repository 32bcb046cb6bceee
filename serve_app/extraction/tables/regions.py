"""Where the item tables of a document are: below their heads, up to the next table, and on the following pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from serve_app.domain.labels import Label
from serve_app.extraction.evidence import LABELS, Matrix, PageEvidence
from serve_app.extraction.tables.headers import Caption, Head, heads

# Heads count if the lines below have at least this share of what the models take for prices and sums of rows.
UNDER_HEADS = 0.2
# Sums of the document, which belong to no row.
SUMS = (Label.TOTAL, Label.AMOUNT_DUE, Label.PAID, Label.SUBTOTAL)
# A description is weaker evidence for a row than a number: there is small print, too.
DESCRIBED = 0.25
_DESCRIPTION = LABELS.index(Label.LINE_DESCRIPTION)
_OF_ROWS = [LABELS.index(label) for label in (Label.LINE_QUANTITY, Label.LINE_UNIT_PRICE, Label.LINE_TOTAL)]
_OF_DOCUMENT = [LABELS.index(label) for label in SUMS]
_MONEY = [LABELS.index(Label.LINE_UNIT_PRICE), LABELS.index(Label.LINE_TOTAL)]


@dataclass(frozen=True, slots=True)
class Region:
    """Printed lines of a page (indices `start` to `stop`, without the latter) that may hold rows, and the captions over
    them; no captions if none are known."""

    page: int
    start: int
    stop: int
    captions: tuple[Caption, ...] = ()


def regions(pages: Sequence[PageEvidence]) -> list[Region]:
    """The item tables, in reading order; all pages if there are no heads of tables."""
    headed = _under_heads(pages)
    whole = [Region(number, 0, len(page.lines)) for number, page in enumerate(pages)]
    found = headed if _money(pages, headed) > UNDER_HEADS * _money(pages, whole) else whole
    return [_narrowed(pages[region.page], region) for region in found]


def _narrowed(page: PageEvidence, region: Region) -> Region:
    """The run of lines with the most evidence for rows and the least for sums of the document: a table ends where they
    begin, but not at a subtotal or a carry-over within it. (Kadane's maximum subarray.)"""
    best, start, stop = 0.0, region.start, region.start
    gain, begin = 0.0, region.start
    for index in range(region.start, region.stop):
        gain += _evidence(page, page.lines[index])
        if gain <= 0:
            gain, begin = 0.0, index + 1
        elif gain >= best:
            best, start, stop = gain, begin, index + 1
    return replace(region, start=start, stop=stop)


def _evidence(page: PageEvidence, line: Sequence[int]) -> float:
    """The evidence that a line is part of a row, less that for a sum of the document."""
    scores = page.inside[list(line)]
    described = DESCRIBED * scores[:, _DESCRIPTION].max(initial=0.0)
    return float(scores[:, _OF_ROWS].sum() + described - scores[:, _OF_DOCUMENT].sum())


def _under_heads(pages: Sequence[PageEvidence]) -> list[Region]:
    found: list[Region] = []
    captions: tuple[Caption, ...] = ()
    for number, page in enumerate(pages):
        start = 0
        for head in [*heads(page), Head(len(page.lines), len(page.lines), ())]:
            if captions and head.first > start:
                found.append(Region(number, start, head.first, captions))
            if head.first < len(page.lines):
                captions = head.captions if head.is_of_items else ()
            start = head.last + 1
    return found


def _money(pages: Sequence[PageEvidence], found: Sequence[Region]) -> float:
    """How many prices and sums of rows the models expect in the regions."""
    amounts = (_money_of(pages[region.page], region).tolist() for region in found)
    return float(sum(chain.from_iterable(amounts)))


def _money_of(page: PageEvidence, region: Region) -> Matrix:
    """For each word of a region, the probability of a price or a sum of a row."""
    words = list(chain.from_iterable(page.lines[region.start : region.stop]))
    money: Matrix = page.inside[words][:, _MONEY].sum(axis=1)
    return money
