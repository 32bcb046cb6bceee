"""Which of a row's numbers is the quantity, which the unit price and which the total.

The models say how likely each is; of several likely readings, the one wins whose quantity times unit price is the
total, and whose numbers stand in the columns where the other rows have theirs.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product

from serve_app.domain.document import Box
from serve_app.domain.labels import Label
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style
from serve_app.extraction.table_numbers import NUMBERS, printed_numbers

# A number up to this likely to belong to a row does not, unless it stands in a column of the table.
UNLIKELY = 0.02
# How likely it is that a row does not print one of the three.
ABSENT = 0.2
# How much likelier (in natural-log units) three numbers are when two multiply to the third.
MULTIPLIES = 2.0
# How much likelier (in natural-log units) a number is in the column where the other rows have theirs.
IN_COLUMN = 3.0
# Cells are in one column if they overlap by this share of the narrower one's width.
OVERLAP = 0.5
# How likely it is that a number means what it would in the other notation.
OTHERWISE = 0.3
# No more numbers of one row are tried.
_WIDTH = 6
# "5.000" is five in one notation and five thousand in the other.
_EITHER = re.compile(r"\D*[1-9]\d{0,2}[.,]\d{3}\D*")

Span = tuple[float, float]
Roles = Mapping[Label, Span]
"""Where the quantities, prices and totals of a table stand, from left to right edge; what is not known is left out."""


@dataclass(frozen=True, slots=True)
class RowNumbers:
    """The three numbers of a row; None if not printed. `is_counted`: its quantity was read, not concluded."""

    quantity: Decimal | None
    unit_price: Decimal | None
    total: Decimal | None
    is_counted: bool = True

    @property
    def multiplies(self) -> bool | None:
        """Whether quantity times unit price is the total; None if one of them is missing or was concluded from this."""
        if self.quantity is None or self.unit_price is None or self.total is None or not self.is_counted:
            return None
        return abs(self.quantity * self.unit_price - self.total) <= max(Decimal("0.02"), abs(self.total) / 1000)


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a row, its place, and how likely it is each of the three."""

    value: Decimal
    likelihood: Mapping[Label, float]
    box: Box
    words: tuple[int, ...]

    @property
    def best(self) -> float:
        return max(self.likelihood.values())

    @property
    def span(self) -> Span:
        return self.box.x0, self.box.x1


Choice = Sequence[Cell | None]
"""What is read as quantity, price and total; None for what is not printed."""


def cells_of_row(page: PageEvidence, lines: Iterable[Sequence[int]], style: Style) -> list[Cell]:
    """The numbers on the lines of a row, each as often as it can be read."""
    printed = [found for line in lines for found in printed_numbers(page, line, style)]
    return [cell for words, value in printed for cell in _readings(page, words, value)]


def read_rows(rows: Iterable[Sequence[Cell]], roles: Roles, *, may_lack_digits: bool) -> list[RowNumbers]:
    """The likeliest reading of each row of a table. `may_lack_digits`: it was read by OCR, which often misses a digit
    that stands alone."""
    read = [_read_row(cells, roles) for cells in rows]
    if may_lack_digits and any(row.quantity is not None for row in read):
        read = [_counted(row) for row in read]
    return [_priced(row) for row in read]


def _counted(numbers: RowNumbers) -> RowNumbers:
    """Beside rows with quantities, one that prints the same amount as price and as total has a quantity of one."""
    if numbers.quantity is None and numbers.unit_price and numbers.unit_price == numbers.total:
        return replace(numbers, quantity=Decimal(1), is_counted=False)
    return numbers


def _read_row(cells: Sequence[Cell], roles: Roles) -> RowNumbers:
    likely = [cell for cell in cells if cell.best > UNLIKELY or any(overlap(cell.span, span) for span in roles.values())]
    likely = sorted(likely, key=lambda cell: -max(_likelihood(cell, label, roles) for label in NUMBERS))[:_WIDTH]
    return values_of(max(_choices(likely), key=lambda choice: _weight(choice, roles)))


def overlap(one: Span, other: Span) -> bool:
    """Whether two cells, or a cell and a column, are above each other."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return shared > OVERLAP * min(one[1] - one[0], other[1] - other[0])


def weight(choice: Choice) -> float:
    """How likely a reading is, as a natural logarithm, whatever the other rows are like."""
    return _weight(choice, {})


def _choices(cells: Sequence[Cell]) -> Iterator[Choice]:
    for choice in product([*cells, None], repeat=len(NUMBERS)):
        words = [cell.words for cell in choice if cell is not None]
        if len(set(words)) == len(words):
            yield choice


def _readings(page: PageEvidence, words: tuple[int, ...], value: Decimal) -> Iterator[Cell]:
    """A number as the notation of the page has it and, if it may be a quantity, as the other one would."""
    box, likelihood = page.box(words), {label: page.mean(words, label) for label in NUMBERS}
    yield Cell(value, likelihood, box, words)
    if _EITHER.fullmatch(page.text(words)):
        other = value / 1000 if abs(value) >= 1000 else value * 1000
        quantity = {label: OTHERWISE * likelihood[label] if label is Label.LINE_QUANTITY else 0.0 for label in NUMBERS}
        yield Cell(other, quantity, box, words)


def _priced(numbers: RowNumbers) -> RowNumbers:
    """In a row with a quantity of one, or none, a single amount is both price and total."""
    if numbers.unit_price is None and numbers.quantity in (None, Decimal(1)):
        return replace(numbers, unit_price=numbers.total)
    return numbers


def _weight(choice: Choice, roles: Roles) -> float:
    scores = (
        math.log(ABSENT) if cell is None else _likelihood(cell, label, roles)
        for label, cell in zip(NUMBERS, choice, strict=True)
    )
    return sum(scores) + (MULTIPLIES if values_of(choice).multiplies else 0)


def _likelihood(cell: Cell, label: Label, roles: Roles) -> float:
    is_in = label in roles and overlap(cell.span, roles[label])
    return math.log(cell.likelihood[label] + 1e-3) + (IN_COLUMN if is_in else 0)


def values_of(choice: Choice) -> RowNumbers:
    """The numbers as they are printed."""
    return RowNumbers(*(None if cell is None else cell.value for cell in choice))
