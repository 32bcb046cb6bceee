"""Which of a row's numbers is the quantity, which the unit price and which the total.

The models say how likely each is; of several likely readings, the one whose quantity times unit price is the total
wins.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product

from serve_app.domain.labels import Label
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style
from serve_app.extraction.table_numbers import NUMBERS, printed_numbers

# A number up to this likely to belong to a row does not.
UNLIKELY = 0.02
# How likely it is that a row does not print one of the three.
ABSENT = 0.2
# How much likelier (in natural-log units) three numbers are when two multiply to the third.
MULTIPLIES = 2.0
# No more numbers of one row are tried.
_WIDTH = 6


@dataclass(frozen=True, slots=True)
class RowNumbers:
    """The three numbers of a row; None if not printed."""

    quantity: Decimal | None
    unit_price: Decimal | None
    total: Decimal | None

    @property
    def multiplies(self) -> bool | None:
        """Whether quantity times unit price is the total; None if one of them is missing."""
        if self.quantity is None or self.unit_price is None or self.total is None:
            return None
        return abs(self.quantity * self.unit_price - self.total) <= max(Decimal("0.02"), abs(self.total) / 1000)


@dataclass(frozen=True, slots=True)
class _Cell:
    value: Decimal
    likelihood: Mapping[Label, float]

    @property
    def best(self) -> float:
        return max(self.likelihood.values())


def row_numbers(page: PageEvidence, lines: Iterable[Sequence[int]], style: Style) -> RowNumbers:
    """The likeliest reading of the lines with a row's numbers."""
    numbers = [_cell(page, *printed) for line in lines for printed in printed_numbers(page, line, style)]
    likely = sorted((number for number in numbers if number.best > UNLIKELY), key=lambda number: -number.best)[:_WIDTH]
    choices = product([*likely, None], repeat=3)
    distinct = (
        choice for choice in choices if len({id(number) for number in choice if number}) == sum(map(bool, choice))
    )
    return _priced(_values(max(distinct, key=_weight)))


def _priced(numbers: RowNumbers) -> RowNumbers:
    """In a row with a quantity of one, or none, a single amount is both price and total."""
    if numbers.unit_price is None and numbers.quantity in (None, Decimal(1)):
        return replace(numbers, unit_price=numbers.total)
    return numbers


def _cell(page: PageEvidence, words: Sequence[int], value: Decimal) -> _Cell:
    return _Cell(value, {label: page.mean(words, label) for label in NUMBERS})


def _weight(choice: Sequence[_Cell | None]) -> float:
    scores = (
        math.log(ABSENT if cell is None else cell.likelihood[label] + 1e-3)
        for label, cell in zip(NUMBERS, choice, strict=True)
    )
    return sum(scores) + (MULTIPLIES if _values(choice).multiplies else 0)


def _values(choice: Sequence[_Cell | None]) -> RowNumbers:
    return RowNumbers(*(None if cell is None else cell.value for cell in choice))
