"""Which of a row's numbers is the quantity, which the unit price and which the total.

The models say how likely each is; that quantity times unit price makes the total decides between likely ones.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from serve_app.domain.labels import Label
from serve_app.extraction.candidates import parse_words
from serve_app.extraction.columns import NUMBERS
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style, parse_number

# A number that no model takes for a row's, up to this, is none of the row's.
UNLIKELY = 0.02
# How likely it is that a row does not print one of the three.
ABSENT = 0.2
# How much likelier (in natural-log units) three numbers are when two multiply to the third.
MULTIPLIES = 2.0
# More numbers than these of one row are not tried.
_WIDTH = 6


@dataclass(frozen=True, slots=True)
class RowNumbers:
    """The three numbers of a row; None for what it does not print."""

    quantity: Decimal | None
    unit_price: Decimal | None
    total: Decimal | None

    @property
    def multiplies(self) -> bool | None:
        """Whether quantity times unit price is the total; None where one of them is missing."""
        if self.quantity is None or self.unit_price is None or self.total is None:
            return None
        return abs(self.quantity * self.unit_price - self.total) <= max(Decimal("0.02"), abs(self.total) / 1000)


@dataclass(frozen=True, slots=True)
class _Cell:
    value: Decimal
    likelihood: Mapping[Label, float]


def row_numbers(
    page: PageEvidence, words: Sequence[int], cells: Mapping[Label, Sequence[int]], style: Style
) -> RowNumbers:
    """The likeliest reading of a row. `words` are all of its line, `cells` those that the models label."""
    numbers = sorted(_numbers(page, words, cells, style), key=lambda one: -max(one.likelihood.values()))[:_WIDTH]
    choices = product([*numbers, None], repeat=3)
    distinct = (choice for choice in choices if len({id(one) for one in choice if one}) == sum(map(bool, choice)))
    return _values(max(distinct, key=_weight))


def _numbers(
    page: PageEvidence, words: Sequence[int], cells: Mapping[Label, Sequence[int]], style: Style
) -> Iterator[_Cell]:
    """The numbers of the line: cells of several words that are one number, then single words."""
    used: set[int] = set()
    for label in NUMBERS:
        cell = cells.get(label, ())
        whole = parse_words(page, cell, style) if len(cell) > 1 else None
        if whole is not None:
            used.update(cell)
            yield _cell(page, cell, whole)
    for word in words:
        value = parse_number(page.page.words[word].text, style) if word not in used else None
        if value is not None and max(page.probability(word, label) for label in NUMBERS) > UNLIKELY:
            yield _cell(page, [word], value)


def _cell(page: PageEvidence, words: Sequence[int], value: Decimal) -> _Cell:
    return _Cell(value, {label: sum(page.probability(word, label) for word in words) / len(words) for label in NUMBERS})


def _weight(choice: Sequence[_Cell | None]) -> float:
    scores = (
        math.log(ABSENT if cell is None else cell.likelihood[label] + 1e-3)
        for label, cell in zip(NUMBERS, choice, strict=True)
    )
    return sum(scores) + (MULTIPLIES if _values(choice).multiplies else 0)


def _values(choice: Sequence[_Cell | None]) -> RowNumbers:
    return RowNumbers(*(None if cell is None else cell.value for cell in choice))
