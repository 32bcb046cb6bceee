"""Quantities and prices on lines of their own, as tills print them: "2 @ 1.50" above or below the row whose total they
make.

Which row such a line belongs to, nothing but the product tells: some tills print it first, others last.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from serve_app.extraction.candidates import Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style
from serve_app.extraction.tables.numbers import printed_numbers
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.rows import Row

_CENT = Decimal("0.01")
_Factors = tuple[Decimal, Decimal]


def with_multipliers(pages: Sequence[PageEvidence], rows: Sequence[Row], style: Style) -> list[Row]:
    """The rows, each with the quantity and the price beside it that make its total; a row that took those of its
    neighbour is left with its total."""
    found = [_factors_of(pages[row.place.page], row, style) for row in rows]
    taken = {factors for factors in found if factors is not None}
    return [
        _counted(row, factors) if factors else _without(row, taken) for row, factors in zip(rows, found, strict=True)
    ]


def _counted(row: Row, factors: _Factors) -> Row:
    return replace(row, numbers=RowNumbers(*factors, row.numbers.total))


def _without(row: Row, taken: set[_Factors]) -> Row:
    numbers = row.numbers
    is_other = numbers.multiplies is False and (numbers.quantity, numbers.unit_price) in taken
    return replace(row, numbers=RowNumbers(None, numbers.total, numbers.total)) if is_other else row


def _factors_of(page: PageEvidence, row: Row, style: Style) -> _Factors | None:
    """The two numbers side by side, on a line of the row or next to it, whose product is the row's total."""
    if row.numbers.total is None or row.numbers.multiplies:
        return None
    # Beside a quantity, a price and a total that were read, two other numbers are rather a discount or a tax.
    is_read = row.numbers.multiplies is not None
    made = (factors for line in _lines_around(page, row.place, is_read) for factors in _pairs(page, line, style))
    return next((pair for pair in made if _makes(pair, row.numbers.total)), None)


def _lines_around(page: PageEvidence, place: Place, is_read: bool) -> Iterator[Sequence[int]]:
    rows = {page.row_of(word) for word in place.words}
    for row in (*(() if is_read else sorted(rows)), min(rows) - 1, max(rows) + 1):
        if 0 <= row < len(page.lines):
            yield page.lines[row]


def _pairs(page: PageEvidence, line: Sequence[int], style: Style) -> Iterator[_Factors]:
    values = [value for _, value in printed_numbers(page, line, style)]
    return pairwise(values)


def _makes(factors: _Factors, total: Decimal) -> bool:
    quantity, price = factors
    is_trivial = quantity in (0, 1) or price in (0, 1) or total in factors
    return not is_trivial and abs(quantity * price - total) < _CENT
