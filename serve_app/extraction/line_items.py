"""The rows of the table: anchored on their numeric columns, not on where a description begins.

A printed line with a price or a total in it is a row; description lines without numbers belong to the row above, or to
the row below when they begin a new description that the row below continues.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from serve_app.domain.labels import Label
from serve_app.extraction.candidates import Place
from serve_app.extraction.columns import NUMBERS, with_columns
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style
from serve_app.extraction.row_numbers import RowNumbers, row_numbers

_CELLS = (Label.LINE_DESCRIPTION, *NUMBERS)
# A description this many line heights away from the row belongs to something else.
FAR = 3.5
_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Row:
    """One line item as read, with the words that print it."""

    description: str | None
    numbers: RowNumbers
    place: Place


@dataclass(slots=True)
class _Line:
    """The cells of one printed line: words by label."""

    page: int
    words: tuple[int, ...]
    center: float
    height: float
    cells: dict[Label, list[int]] = field(default_factory=dict)
    begins: bool = False

    @property
    def is_row(self) -> bool:
        return Label.LINE_TOTAL in self.cells or Label.LINE_UNIT_PRICE in self.cells

    def is_near(self, other: "_Line") -> bool:
        return self.page == other.page and abs(self.center - other.center) <= FAR * max(self.height, other.height)


def line_items(pages: Sequence[PageEvidence], style: Style) -> list[Row]:
    """All rows of the document, in reading order."""
    pages = [with_columns(page, style) for page in pages]
    lines = [line for number, page in enumerate(pages) for line in _table_lines(number, page)]
    rows = [_row(pages, group, style) for group in _group(lines)]
    return [row for row in rows if row.numbers.unit_price is not None or row.numbers.total is not None]


def _table_lines(number: int, page: PageEvidence) -> Iterator[_Line]:
    for words in page.lines:
        cells: dict[Label, list[int]] = {}
        for word in words:
            label = page.best_label(word)
            if label in _CELLS:
                cells.setdefault(label, []).append(word)
        if cells:
            box = page.box([word for group in cells.values() for word in group])
            description = cells.get(Label.LINE_DESCRIPTION)
            begins = description is not None and page.begins_span(description[0], Label.LINE_DESCRIPTION)
            height = max(page.page.words[word].box.height for group in cells.values() for word in group)
            yield _Line(number, words, box.y_center, height, cells, begins)


def _group(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Lines that make one row each; the row's own line is in it once."""
    groups: list[list[_Line]] = []
    waiting: list[_Line] = []
    for line in lines:
        if line.is_row:
            # A row that begins its own description leaves the waiting lines to the row above.
            above = line.begins and waiting and groups and waiting[0].is_near(groups[-1][-1])
            if above:
                groups[-1].extend(waiting)
            groups.append([line] if above else [*(one for one in waiting if one.is_near(line)), line])
            waiting = []
        elif _belongs_above(line, groups, waiting):
            groups[-1].append(line)
        else:
            waiting.append(line)
    if waiting and groups and waiting[0].is_near(groups[-1][-1]):
        groups[-1].extend(waiting)
    return groups


def _belongs_above(line: _Line, groups: Sequence[list[_Line]], waiting: Sequence[_Line]) -> bool:
    """Whether a line without numbers goes on the row above: it continues a text there, or is the text missing there."""
    if waiting or not groups or not line.is_near(groups[-1][-1]):
        return False
    has_text = any(Label.LINE_DESCRIPTION in one.cells for one in groups[-1])
    return not line.begins or not has_text


def _row(pages: Sequence[PageEvidence], group: Sequence[_Line], style: Style) -> Row:
    page = pages[group[0].page]
    line = next(line for line in group if line.is_row)
    words = [word for one in group for word in one.cells.get(Label.LINE_DESCRIPTION, ())]
    everything = sorted(word for one in group for cell in one.cells.values() for word in cell)
    numbers = row_numbers(page, line.words, line.cells, style)
    return Row(page.text(words) if words else None, numbers, Place(group[0].page, tuple(everything)))


def sum_of(rows: Sequence[Row]) -> Decimal | None:
    """The sum of the rows' totals; None unless every row has one (computed from quantity and price where needed)."""
    totals = [_total(row.numbers) for row in rows]
    known = [total for total in totals if total is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(totals) else None


def _total(numbers: RowNumbers) -> Decimal | None:
    if numbers.total is not None:
        return numbers.total
    if numbers.quantity is not None and numbers.unit_price is not None:
        return (numbers.quantity * numbers.unit_price).quantize(_CENT)
    return numbers.unit_price
