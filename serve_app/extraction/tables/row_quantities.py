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
# Parts of a cell: "Množství: 42 kg | Cena/ks: 189,00".
_MARKS = re.compile(r"\s*[|;·]\s*")
_STATED = re.compile(
    r"(?P<caption>[^\d|]*?[^\W\d]\.?)\s*[:=：]?\s*[x×€$£¥₹]?\s*(?P<number>\d[\d.,]*)(?P<unit> ?[^\d\s|]{1,5})?"
)
# Shops put it behind the name, where the models leave it out of the description: "Cup, grey × 4".
_TIMES = re.compile(r"(?:.*\s)?[×✕]\s?(?P<number>\d{1,4})")
# It is at most so many lines below the row.
_LINES = 3


def with_quantities(pages: Sequence[PageEvidence], rows: Sequence[Row], style: Style) -> list[Row]:
    """The rows, each of those without a quantity with the one that is printed below it, before the next row."""
    taken = {(row.place.page, pages[row.place.page].row_of(word)) for row in rows for word in row.place.words}
    return [_counted(pages[row.place.page], row, taken, style) for row in rows]


def _counted(page: PageEvidence, row: Row, taken: set[tuple[int, int]], style: Style) -> Row:
    if row.numbers.quantity is not None or row.amount is None:
        return row
    quantity, price = next(_quantities(page, row, taken, style), (None, None))
    return _with(row, quantity, price) if quantity else row


def _with(row: Row, quantity: Decimal, price: Decimal | None) -> Row:
    """A row with the quantity, and perhaps the price of one, that are told of it."""
    total = row.numbers.total
    if total is None:
        # What was taken for the price is the total, if the price is told, too.
        stated = RowNumbers(quantity, price, row.amount)
        return replace(row, numbers=stated) if price is not None and stated.multiplies else row
    if price is None:
        # A single amount was taken for the price, too.
        price = None if quantity != 1 and row.numbers.unit_price == total else row.numbers.unit_price
    return replace(row, numbers=RowNumbers(quantity, price, total))


def _quantities(
    page: PageEvidence, row: Row, taken: set[tuple[int, int]], style: Style
) -> Iterator[tuple[Decimal | None, Decimal | None]]:
    """The quantities that captions tell, each with the price of one, if it is told, too."""
    own = {page.row_of(word) for word in row.place.words}
    for number in (*sorted(own), *range(max(own) + 1, max(own) + 1 + _LINES)):
        if number not in own and ((row.place.page, number) in taken or number == len(page.lines)):
            return
        for cell in page.cells_of(page.lines[number]):
            text = page.text(cell)
            is_apart = "×" not in (row.description or "")
            times = _TIMES.fullmatch(text) if is_apart else None
            if (stated := stated_quantity(text)) or times:
                number, price = stated or (times["number"] if times else "", "")
                yield parse_number(number, style), parse_number(price, style)


def stated_quantity(text: str) -> tuple[str, str] | None:
    """The quantity that is all of a cell, or behind it the price of one; only then, it may have a unit."""
    quantity, *others = (_STATED.fullmatch(part) for part in _MARKS.split(text)[:2])
    if quantity is None or meaning_of(tuple(tokens(quantity["caption"]))) != _QUANTITY:
        return None
    price = next((other for other in others if other and _names_price(other["caption"])), None)
    if price is None and (others or quantity["unit"]):
        return None
    return quantity["number"], price["number"] if price else ""


def _names_price(caption: str) -> bool:
    """Whether a caption begins with one of prices; a unit or a currency may follow: "Cena/ks", "Price each"."""
    phrase = tuple(tokens(caption))
    known = (meaning_of(phrase[:end]) for end in range(1, len(phrase) + 1))
    return any(meaning is not None and Label.LINE_UNIT_PRICE in meaning.labels for meaning in known)
