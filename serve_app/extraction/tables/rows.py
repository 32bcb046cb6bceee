"""Printed lines of a table gathered into rows: anchored on the numeric columns, not on where a description begins.

A line with a price or a total in it is a row; description lines without numbers belong to the row above, or to the row
below when they begin a new description that the row below continues. Numbers on a next line that the row still lacks
are its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, auto
from itertools import zip_longest

from serve_app.domain.document import TextSource
from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.tax_rates import tax_rates
from serve_app.extraction.tables.columns import with_columns
from serve_app.extraction.tables.lines import Line, table_lines, with_aligned_descriptions
from serve_app.extraction.tables.numbers import NUMBERS
from serve_app.extraction.tables.regions import Region
from serve_app.extraction.tables.row_columns import columns_of
from serve_app.extraction.tables.row_numbers import RowNumbers, cells_of_row, read_rows

# A description this many line heights from the row belongs to something else.
FAR = 3.5
# Numbers of one row that are below each other are at most this many line heights apart.
STACKED = 5.0
# A row without a description takes the words on its lines that are this likely to be one.
DESCRIBES = 0.4
# Where no more than this share of the lines with prices describe something, other lines do.
_BESIDE = 0.34
# Lines that are this much farther from one row than from the other belong to the nearer one.
FARTHER = 1.1


@dataclass(frozen=True, slots=True)
class Row:
    """One line item as read, with the words that print it; `tax_rate` is in percent. `lacks_quantity`: its table has a
    column of quantities, where nothing was read in it. `table` is the table's place among those of the document."""

    description: str | None
    numbers: RowNumbers
    place: Place
    tax_rate: Decimal | None = None
    lacks_quantity: bool = False
    table: int = 0

    @property
    def amount(self) -> Decimal | None:
        """Its total, or else its price."""
        return self.numbers.total if self.numbers.total is not None else self.numbers.unit_price

    @property
    def is_bare(self) -> bool:
        """Whether it prints a single amount, and no quantity."""
        one, other = self.numbers.unit_price, self.numbers.total
        return self.numbers.quantity is None and (one is None or other is None or one == other)

    @property
    def is_blank(self) -> bool:
        """Whether it is a line that a form keeps free: nothing described, nothing counted, and an amount of zero."""
        return self.description is None and not self.numbers.quantity and not self.amount


_NUMBERS = frozenset(NUMBERS)


@dataclass(slots=True)
class _Group:
    """Lines that make a row; its numbers are on the `anchors`."""

    lines: list[Line]
    anchors: list[Line]

    def lacks(self, line: Line) -> bool:
        """Whether a line has only numbers that the row does not have yet."""
        known = frozenset[Label]().union(*(anchor.numbers for anchor in self.anchors))
        if line.begins:
            # It may print the total of the row above, which has all but that, beside more of its text.
            return line.numbers == frozenset({Label.LINE_TOTAL}) == _NUMBERS - known
        return not known & line.numbers and line.is_near(self.lines[-1], STACKED)

    @property
    def is_described(self) -> bool:
        return any(line.description for line in self.lines)


class _Order(Enum):
    """Where a table has the descriptions of its rows: on the lines of their numbers, on lines above or on lines
    below."""

    BESIDE = auto()
    ABOVE = auto()
    BELOW = auto()


def _order(lines: Sequence[Line]) -> _Order:
    """Tills print what was sold, and below it what it costs; others number and price first. The ends of the table
    tell."""
    priced = [line for line in lines if line.has_money]
    if not priced or sum(bool(line.description) for line in priced) > _BESIDE * len(priced):
        return _Order.BESIDE
    ends = [line.has_money for line in lines if line.has_money or line.begins]
    is_first, is_last = ends[0], ends[-1]
    return _Order.BESIDE if is_first is is_last else _Order.BELOW if is_first else _Order.ABOVE


@dataclass(slots=True)
class _Gatherer:
    """Takes the lines of a table one by one; `waiting` are descriptions that belong to the row above or below."""

    order: _Order
    groups: list[_Group] = field(default_factory=list)
    waiting: list[Line] = field(default_factory=list)

    def take(self, line: Line, following: Line | None) -> None:
        above = self.groups[-1] if self.groups else None
        if not line.has_money and not _is_completed(line, following):
            self._take_text(line)
        elif above is not None and not self.waiting and above.lacks(line):
            above.lines.append(line)
            above.anchors.append(line)
        else:
            if self.order is _Order.BELOW or (line.begins and self._is_nearer_above(line)):
                # If a row begins its own description, the waiting lines belong to the row above.
                self.settle()
            lines = [*(waiting for waiting in self.waiting if waiting.is_near(line, FAR)), line]
            self.groups.append(_Group(lines, list(lines)))
            self.waiting = []

    def _take_text(self, line: Line) -> None:
        """A line without an amount continues the text of the row above, or is the text missing there, or waits."""
        above = self.groups[-1] if self.groups and line.is_near(self.groups[-1].lines[-1], FAR) else None
        is_next = line.begins and (self.order is _Order.ABOVE or (above is not None and above.is_described))
        if above is not None and not self.waiting and not is_next:
            above.lines.append(line)
        else:
            self.waiting.append(line)

    def _is_nearer_above(self, line: Line) -> bool:
        """Whether the waiting lines are no farther from the row above than from this one."""
        if not self.waiting or not self.groups:
            return False
        above = self.waiting[0].box.y_center - self.groups[-1].lines[-1].box.y_center
        return above <= FARTHER * (line.box.y_center - self.waiting[-1].box.y_center)

    def settle(self) -> None:
        """Give the waiting lines to the row above if that is near."""
        if self.waiting and self.groups and self.waiting[0].is_near(self.groups[-1].lines[-1], FAR):
            self.groups[-1].lines.extend(self.waiting)
            self.waiting = []


def rows_of(page: PageEvidence, region: Region, style: Style) -> list[Row]:
    """The rows of a region that print a price or a total."""
    page = with_columns(page, region, style)
    lines = with_aligned_descriptions(page, list(table_lines(page, region)))
    gatherer = _Gatherer(_order(lines))
    for line, following in zip_longest(lines, lines[1:]):
        gatherer.take(line, following)
    gatherer.settle()
    printed = [cells_of_row(page, [line.words for line in group.anchors], style) for group in gatherer.groups]
    numbers = read_rows(printed, columns_of(printed), may_lack_digits=page.page.source is TextSource.OCR)
    rows = [_row(page, region, group, read) for group, read in zip(gatherer.groups, numbers, strict=True)]
    return [row for row in rows if row.amount is not None]


def _is_completed(line: Line, following: Line | None) -> bool:
    """Whether a line with a quantity alone is the first of a row whose amounts follow on the next line."""
    return (
        bool(line.numbers) and following is not None and following.has_money and _Group([line], [line]).lacks(following)
    )


def _row(page: PageEvidence, region: Region, group: _Group, numbers: RowNumbers) -> Row:
    words = _describing(page, region, group, numbers)
    everything = sorted({*words, *(word for line in group.lines for word in line.labelled)})
    rates = {rate for line in group.anchors for rate in tax_rates(page.text(line.words))}
    return Row(
        description=page.text(words) if words else None,
        numbers=numbers,
        place=Place(region.page, tuple(everything)),
        # Of two percentages one is a discount, and nothing tells which.
        tax_rate=rates.pop() if len(rates) == 1 else None,
        lacks_quantity=numbers.quantity is None
        and any(caption.meaning.labels == {Label.LINE_QUANTITY} for caption in region.captions),
    )


def _describing(page: PageEvidence, region: Region, group: _Group, numbers: RowNumbers) -> list[int]:
    """The words that describe a row: those that the models see; else those in its column; or, in a table without
    captions, those before its only amount."""
    words = [word for line in group.lines for word in line.description]
    if not words:
        words = [word for line in group.lines for word in line.words if _may_describe(page, region, word)]
    is_bare = not words and not region.captions and numbers.total is not None
    return _before_amount(page, group.anchors[0]) if is_bare else words


def _before_amount(page: PageEvidence, line: Line) -> list[int]:
    """The words before the only number of a line, which nothing says is a sum: they describe it."""
    amounts = [word for word in line.words if any(map(str.isdigit, page.page.words[word].text))]
    if len(amounts) != 1 or amounts[0] != line.words[-1] or page.captions(amounts).before:
        return []
    words = [word for word in line.words[:-1] if any(map(str.isalpha, page.page.words[word].text))]
    # A word alone is rather a heading: "Charges".
    return words if len(words) > 1 else []


def _may_describe(page: PageEvidence, region: Region, word: int) -> bool:
    """Whether a word is in the column of descriptions, that of the last caption to its left, or looks a little like
    one where no captions are known."""
    if not region.captions:
        return page.probability(word, Label.LINE_DESCRIPTION) >= DESCRIBES
    box = page.page.words[word].box
    before = [caption for caption in region.captions if caption.box.x0 <= box.x0 + box.height]
    last = max(before, key=lambda caption: caption.box.x0, default=None)
    return last is not None and Label.LINE_DESCRIPTION in last.meaning.labels
