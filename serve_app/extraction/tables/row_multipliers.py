"""Quantities and prices as tills print them: "2 @ 1.50" above or below the row whose total they make, or on its line,
perhaps in one word: "1szt*5,69=".

Which row such a line belongs to, nothing but the product tells: some tills print it first, others last.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import chain, pairwise

from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style, parse_number
from serve_app.extraction.tables.numbers import printed_numbers
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.rows import Row

_CENT = Decimal("0.01")
_Factors = tuple[Decimal, Decimal]
_PRODUCT = re.compile(
    r"(?<![\w.,])(?P<quantity>\d{1,4}(?:[.,]\d{1,3})?) ?(?:[^\W\d_]{1,4}\.? ?)?[x×*@] ?[^\w\s.,]?"
    r"(?P<price>\d+(?:[.,]\d+)*)(?![\d.,])=?",
    re.IGNORECASE,
)
_PRICE = r"(?P<price>\d+(?:[.,]\d+)*)"
# A sign of money, or that of a price, shows which number is the price: "@98×2", "98円 x 2", "$4.50 x 2".
_PRICE_FIRST = re.compile(
    rf"(?:(?<=[@¥$€£])|(?<=[@¥$€£] )|(?<![\w.,])(?=[\d.,]+ ?[円元])){_PRICE} ?[円元]? ?[x×*] ?"
    r"(?P<quantity>\d{1,4})(?![\d.,])",
    re.IGNORECASE,
)


def with_multipliers(pages: Sequence[PageEvidence], rows: Sequence[Row], style: Style) -> list[Row]:
    """The rows, each with the quantity and the price beside it that make its total; a row that took those of its
    neighbour is left with its total."""
    found = [_factors_of(pages[row.place.page], row, style) for row in rows]
    taken = {factors for factors in found if factors is not None}
    return [
        _counted(row, factors, style) if factors else _without(row, taken)
        for row, factors in zip(rows, found, strict=True)
    ]


def _counted(row: Row, factors: _Factors, style: Style) -> Row:
    """The row with its quantity and price, and without them in its description."""
    total = row.numbers.total or Decimal(0)

    def left(found: re.Match[str]) -> str:
        return "" if any(_is_product(each, total) for each in _products(found[0], style)) else found[0]

    name = _PRODUCT.sub(left, row.description or "").strip()
    return replace(row, numbers=RowNumbers(*factors, row.numbers.total), description=name or row.description)


def _without(row: Row, taken: set[_Factors]) -> Row:
    numbers = row.numbers
    is_other = numbers.multiplies is False and (numbers.quantity, numbers.unit_price) in taken
    return replace(row, numbers=RowNumbers(None, numbers.total, numbers.total)) if is_other else row


def _factors_of(page: PageEvidence, row: Row, style: Style) -> _Factors | None:
    """The product that is written on a line of the row or next to it, or else two numbers side by side there, if they
    make the row's total."""
    total = row.numbers.total
    if total is None:
        return None
    if row.numbers.multiplies:
        lines = _lines_around(page, row.place, is_read=False)
        marked = (each for line in lines for each in _products_of(_PRICE_FIRST, page.text(line), style))
        return next((each for each in marked if _is_product(each, total)), None)
    # Beside a quantity, a price and a total that were read, two other numbers are rather a discount or a tax.
    is_read = row.numbers.multiplies is not None
    written = (
        each for line in _lines_around(page, row.place, is_read=False) for each in _products(page.text(line), style)
    )
    beside = (each for line in _lines_around(page, row.place, is_read=is_read) for each in _pairs(page, line, style))
    made = chain(
        (each for each in written if _is_product(each, total)), (each for each in beside if _makes(each, total))
    )
    return next(made, None)


def _products(text: str, style: Style) -> Iterator[_Factors]:
    for pattern in (_PRICE_FIRST, _PRODUCT):
        yield from _products_of(pattern, text, style)


def _products_of(pattern: re.Pattern[str], text: str, style: Style) -> Iterator[_Factors]:
    for found in pattern.finditer(text):
        quantity, price = (parse_number(found[name], style) for name in ("quantity", "price"))
        if quantity and price:
            yield quantity, price


def _lines_around(page: PageEvidence, place: Place, *, is_read: bool) -> Iterator[Sequence[int]]:
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
    return not is_trivial and _is_product(factors, total)


def _is_product(factors: _Factors, total: Decimal) -> bool:
    quantity, price = factors
    return abs(quantity * price - total) < _CENT
