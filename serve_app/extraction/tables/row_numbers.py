"""Which of a row's numbers is the quantity, which the unit price and which the total.

The models say how likely each is; of several likely readings, the one wins whose quantity times unit price is the
total, and whose numbers stand in the columns where the other rows have theirs.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import product

from serve_app.domain.labels import Label
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.tables.columns import Span, overlap
from serve_app.extraction.tables.numbers import NUMBERS, printed_numbers

# A number up to this likely to belong to a row does not, unless it stands in a column of the table.
UNLIKELY = 0.02
# How likely it is that a row does not print one of the three.
ABSENT = 0.2
# How much likelier (in natural-log units) three numbers are when two multiply to the third.
MULTIPLIES = 3.0
# How much likelier (in natural-log units) a number is in the column where the other rows have theirs.
IN_COLUMN = 3.0
# How likely it is that a number means what it would in the other notation.
OTHERWISE = 0.3
# What keeps the logarithm of an impossible number finite.
_LEAST = 1e-3
NONE = math.log(ABSENT)
# No more numbers of one row are tried.
_WIDTH = 6
# "5.000" is five in one notation and five thousand in the other.
_EITHER = re.compile(r"\D*[1-9]\d{0,2}[.,]\d{3}\D*")
# Utilities print the price of a unit in pence or cents: "27.35p".
_IN_CENTS = re.compile(r"\d+\.\d+[p¢c](?:/\w+)?")

Roles = Mapping[Label, Span]
"""Where the quantities, prices and totals of a table stand, from left to right edge; what is not known is left out."""


@dataclass(frozen=True, slots=True)
class RowNumbers:
    """The three numbers of a row; None if not printed. `is_counted`: its quantity was read, not concluded."""

    quantity: Decimal | None
    unit_price: Decimal | None
    total: Decimal | None
    is_counted: bool = field(default=True, kw_only=True)

    @property
    def multiplies(self) -> bool | None:
        """Whether quantity times unit price is the total; None if one of them is missing or was concluded from this."""
        if self.quantity is None or self.unit_price is None or self.total is None or not self.is_counted:
            return None
        return abs(self.quantity * self.unit_price - self.total) <= max(Decimal("0.02"), abs(self.total) / 1000)


@dataclass(frozen=True, slots=True)
class Cell:
    """A number of a row, with the natural logarithms of how likely it is each of the three (`NUMBERS`), and the highest
    of these likelihoods."""

    value: Decimal
    scores: tuple[float, ...]
    span: Span
    words: tuple[int, ...]
    best: float


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
    placed = [_in_columns(cell, roles) for cell in cells]
    likely = [now for was, now in zip(cells, placed, strict=True) if was.best > UNLIKELY or now is not was]
    likely.sort(key=lambda cell: -max(cell.scores))
    return values_of(max(_choices(likely[:_WIDTH]), key=weight))


def _in_columns(cell: Cell, roles: Roles) -> Cell:
    """The cell with the evidence of the column that it is in, if it is in one."""
    columns = [label in roles and overlap(cell.span, roles[label]) for label in NUMBERS]
    if not any(columns):
        return cell
    gained = tuple(score + IN_COLUMN * is_in for score, is_in in zip(cell.scores, columns, strict=True))
    return replace(cell, scores=gained)


def weight(choice: Choice, proved: float = 0.0) -> float:
    """How likely a reading is, as a natural logarithm; and `proved` more if quantity times price is the total, and the
    quantity is not one."""
    alone = sum(NONE if cell is None else cell.scores[index] for index, cell in enumerate(choice))
    if None in choice or not (numbers := values_of(choice)).multiplies:
        return alone
    return alone + MULTIPLIES + (proved if numbers.quantity not in (0, 1) else 0)


def _choices(cells: Sequence[Cell]) -> Iterator[Choice]:
    for choice in product([*cells, None], repeat=len(NUMBERS)):
        words = [cell.words for cell in choice if cell is not None]
        if len(set(words)) == len(words):
            yield choice


def _readings(page: PageEvidence, words: tuple[int, ...], value: Decimal) -> Iterator[Cell]:
    """A number as the notation of the page has it and, if it may be a quantity, as the other one would."""
    box, likelihood = page.box(words), [page.mean(words, label) for label in NUMBERS]
    value = value / 100 if _IN_CENTS.fullmatch(page.text(words)) else value
    yield Cell(value, _scores(likelihood), (box.x0, box.x1), words, max(likelihood))
    if _EITHER.fullmatch(page.text(words)):
        other = value / 1000 if abs(value) >= 1000 else value * 1000
        quantity = [OTHERWISE * likelihood[0], 0.0, 0.0]
        yield Cell(other, _scores(quantity), (box.x0, box.x1), words, max(quantity))


def _scores(likelihood: Iterable[float]) -> tuple[float, ...]:
    return tuple(math.log(each + _LEAST) for each in likelihood)


def _priced(numbers: RowNumbers) -> RowNumbers:
    """In a row with a quantity of one, or none, a single amount is both price and total."""
    if numbers.unit_price is None and numbers.quantity in (None, Decimal(1)):
        return replace(numbers, unit_price=numbers.total)
    return numbers


def values_of(choice: Choice) -> RowNumbers:
    """The numbers as they are printed."""
    return RowNumbers(*(None if cell is None else cell.value for cell in choice))
