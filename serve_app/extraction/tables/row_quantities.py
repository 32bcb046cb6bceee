"""Quantities with a caption of their own on a line of a row or below it, as mails of payment services print them:
"Qty 14"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from serve_app.domain.labels import Label
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style, parse_number
from serve_app.extraction.tables.captions import Meaning, meaning_of, tokens
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.rows import Row

# "Amount" has other meanings, too.
_QUANTITY = Meaning(frozenset({Label.LINE_QUANTITY}))
_STATED = re.compile(r"(?P<caption>[^\d|]*?[^\W\d]\.?)\s*[:=：]?\s*[x×]?\s*(?P<number>\d[\d.,]*)")
# Shops put it behind the name, where the models leave it out of the description: "Cup, grey × 4".
_TIMES = re.compile(r"(?:.*\s)?[×✕]\s?(?P<number>\d{1,4})")
# It is at most so many lines below the row.
_LINES = 3


def with_quantities(pages: Sequence[PageEvidence], rows: Sequence[Row], style: Style) -> list[Row]:
    """The rows, each of those without a quantity with the one that is printed below it, before the next row."""
    taken = {(row.place.page, pages[row.place.page].row_of(word)) for row in rows for word in row.place.words}
    return [_counted(pages[row.place.page], row, taken, style) for row in rows]


def _counted(page: PageEvidence, row: Row, taken: set[tuple[int, int]], style: Style) -> Row:
    total = row.numbers.total
    if row.numbers.quantity is not None or total is None:
        return row
    quantity = next(_quantities(page, row, taken, style), None)
    # A single amount was taken for the price, too.
    price = None if quantity != 1 and row.numbers.unit_price == total else row.numbers.unit_price
    return replace(row, numbers=RowNumbers(quantity, price, total)) if quantity else row


def _quantities(page: PageEvidence, row: Row, taken: set[tuple[int, int]], style: Style) -> Iterator[Decimal | None]:
    """The quantities that captions tell."""
    own = {page.row_of(word) for word in row.place.words}
    is_apart = "×" not in (row.description or "")
    for number in (*sorted(own), *range(max(own) + 1, max(own) + 1 + _LINES)):
        if number not in own and ((row.place.page, number) in taken or number == len(page.lines)):
            return
        for cell in page.cells_of(page.lines[number]):
            times = _TIMES.fullmatch(page.text(cell)) if is_apart else None
            stated = stated_quantity(page.text(cell)) or (times and times["number"])
            if stated:
                yield parse_number(stated, style)


def stated_quantity(text: str) -> str | None:
    """The quantity that is all of a cell, behind its caption."""
    found = _STATED.fullmatch(text)
    return found["number"] if found and meaning_of(tuple(tokens(found["caption"]))) == _QUANTITY else None
