"""Quantities with a caption of their own on a line of a row or below it, as mails of payment services print them:
"Qty 14"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style, parse_number
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.rows import Row

# All of a cell; a unit and the price of one may follow: "Množství: 42 kg | Cena/ks: 189,00".
_PRICE = (
    r"(?:unit price|price|einzelpreis|preis|prix(?: unitaire)?|prezzo(?: unitario)?|precio(?: unitario)?|prijs|cena|"
    r"hind|hinta|pris|fiyat)(?: ?/ ?\w+| each| za \w+)?\.?\s*[:=]?\s*\D{0,4}(?P<price>\d[\d.,]*)(?: ?[^\d\s]{1,3})?"
)
_QUANTITY = re.compile(
    r"(?:qty|qt|quantity|menge|anzahl|st[üu]ckzahl|qt[ée]|quantit[ée]|cant(?:idad)?|quantit[àa]|q\.?t[àa]|"
    r"quantidade|qtde?|aantal|ilo[śs][ćc]|antall?|mno[žz]stv[íi]|miktar|adet)\.?\s*[:=]?\s*[x×]?\s*(?P<number>\d[\d.,]*)"
    rf"(?:(?: ?[^\d\s|]{{1,5}})?\s*[|;·]\s*{_PRICE}(?:\s*[|;·].*)?)?",
    re.IGNORECASE,
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
            found = _QUANTITY.fullmatch(text) or (_TIMES.fullmatch(text) if is_apart else None)
            if found:
                yield parse_number(found["number"], style), parse_number(found.groupdict().get("price") or "", style)
