"""Rows printed as records, as viewers of electronic invoices do: below one another "Bezeichnung: Lamp", "Menge 4",
"Preis pro Einheit 2,50" and "Gesamtpreis 10,00". Only records whose quantity times price is their total are rows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import islice, product

from serve_app.domain.document import Box
from serve_app.extraction.candidates import Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style
from serve_app.extraction.tables.cells import cells_of
from serve_app.extraction.tables.numbers import printed_numbers
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.rows import Row

_NET = r"(?: ?\(?(?:netto|net|ht|neto|excl\.? ?btw)\)?)?"
# All of a cell, behind the number of the term (EN 16931): "BT-129 Menge".
_CAPTIONS = {
    kind: re.compile(rf"(?:BT-\d+ ?)?(?:{captions}){_NET} ?:?", re.IGNORECASE)
    for kind, captions in {
        "name": r"(?:artikel)?bezeichnung|item name|name of (?:the )?item|d[ée]signation|nom de l['’]article|"
        r"denominazione|descripci[óo]n|omschrijving|nazwa",
        "quantity": r"(?:berechnete )?menge|(?:invoiced )?quantity|quantit[ée]|quantit[àa]|cantidad|hoeveelheid|"
        r"ilo[śs][ćc]",
        "price": r"preis pro einheit|einzelpreis|st[üu]ckpreis|unit price|price per unit|(?:item )?net price|"
        r"prix unitaire|prix par unit[ée]|prezzo unitario|precio unitario|prijs per eenheid|cena jednostkowa",
        "total": r"gesamtpreis|positionssumme|line (?:total|net amount)|total price|prix total|montant de la ligne|"
        r"importo totale|importe total|totaalprijs|warto[śs][ćc]",
    }.items()
}
# No more records of a page are read.
_MOST = 200
# The captions of a record stand within so many lines.
_LINES = 8
# Captions of a column begin within this (of the page's width).
_ALIGNED = 0.03


@dataclass(frozen=True, slots=True)
class _Entry:
    """A caption with the words of its value, on a line of a page; `right` is where the next caption begins."""

    row: int
    box: Box
    value: tuple[int, ...]
    right: float
    number: Decimal | None = None


def records(pages: Sequence[PageEvidence], style: Style) -> list[Row]:
    """The rows of all records, in the order of their names. A name is above its numbers or beside them; or below them,
    perhaps on the next page, where a document begins with numbers and has as many names."""
    found = [page.once(f"records, {style}", partial(_of_page, page, style)) for page in pages]
    names = [(at, name) for at, (each, _) in enumerate(found) for name in each]
    numbers = [(at, triple) for at, (_, each) in enumerate(found) for triple in each]
    if len(names) == len(numbers) > 0 and _are_before(numbers[0], names[0]):
        return [
            replace(_row(pages[at], at, None, triple), description=pages[of].text(_whole_name(pages[of], name)))
            for (of, name), (at, triple) in zip(names, numbers, strict=True)
        ]
    return [
        _row(page, at, *pair)
        for at, (page, each) in enumerate(zip(pages, found, strict=True))
        for pair in _pairs(*each)
    ]


_Triple = tuple[_Entry, _Entry, _Entry]


def _are_before(numbers: tuple[int, _Triple], name: tuple[int, _Entry]) -> bool:
    """Whether all of a record's numbers stand above a name, or on a page before it."""
    (page, (*_, total)), (other, entry) = numbers, name
    return (page, total.row) < (other, entry.row)


def _of_page(page: PageEvidence, style: Style) -> tuple[list[_Entry], list[_Triple]]:
    """The names of a page, and the numbers of its records."""
    found = {kind: list(islice(_entries(page, caption, style), _MOST)) for kind, caption in _CAPTIONS.items()}
    names = [name for name in found["name"] if name.value]
    return names, list(_proved(found["quantity"], found["price"], found["total"]))


def _pairs(names: Sequence[_Entry], numbers: Sequence[_Triple]) -> Iterator[tuple[_Entry, _Triple]]:
    """Each name with the nearest numbers that may be its own."""
    left = list(numbers)
    for name in names:
        mine = min(
            (each for each in left if _may_be_of(name, each)), key=lambda each: _distance(name, each), default=None
        )
        if mine is not None:
            left.remove(mine)
            yield name, mine


def _row(page: PageEvidence, number: int, name: _Entry | None, numbers: _Triple) -> Row:
    words = (*name.value, *_continuation(page, name)) if name else ()
    cells = RowNumbers(*(entry.number for entry in numbers))
    place = Place(number, tuple(sorted({*words, *(word for entry in numbers for word in entry.value)})))
    return Row(page.text(words), cells, place)


def _whole_name(page: PageEvidence, name: _Entry) -> list[int]:
    """The words of a name over all lines of its cell, in whose middle its caption stands: the cells right above and
    below it that begin where it does, on whose lines no caption stands before them."""
    words = list(name.value)
    for step in (-1, 1):
        row = name.row + step
        while 0 <= row < len(page.lines) and (part := _part_of(page, page.lines[row], name)):
            words = [*part, *words] if step < 0 else [*words, *part]
            row += step
    return words


def _part_of(page: PageEvidence, line: Sequence[int], name: _Entry) -> tuple[int, ...]:
    cells = list(cells_of(page, line))
    if not cells or page.box(cells[0]).x0 < name.box.x1:
        return ()
    return cells[0] if abs(page.box(cells[0]).x0 - page.box(name.value).x0) < _ALIGNED else ()


def _proved(quantities: Sequence[_Entry], prices: Sequence[_Entry], totals: Sequence[_Entry]) -> Iterator[_Triple]:
    """A quantity, a price and a total below one another, of which two make the third."""
    for quantity in quantities:
        near = [_below(quantity, entries) for entries in (prices, totals)]
        for price, total in product(*near):
            is_made = RowNumbers(quantity.number, price.number, total.number).multiplies
            if price.row < total.row and is_made:
                yield quantity, price, total


def _below(upper: _Entry, entries: Sequence[_Entry]) -> list[_Entry]:
    return [
        entry
        for entry in entries
        if upper.row < entry.row <= upper.row + _LINES and abs(entry.box.x0 - upper.box.x0) < _ALIGNED
    ]


def _entries(page: PageEvidence, caption: re.Pattern[str], style: Style) -> Iterator[_Entry]:
    for row, line in enumerate(page.lines):
        cells = list(cells_of(page, line))
        for at, cell in enumerate(cells):
            if caption.fullmatch(page.text(cell)):
                value = cells[at + 1] if at + 1 < len(cells) else ()
                right = page.box(cells[at + 2]).x0 if at + 2 < len(cells) else 1.0
                number = next((each for _, each in printed_numbers(page, value, style)), None)
                yield _Entry(row, page.box(cell), value, right, number)


def _may_be_of(name: _Entry, numbers: _Triple) -> bool:
    """Whether a quantity stands below a name, or on its line in another column."""
    quantity = numbers[0]
    is_beside = quantity.row == name.row and quantity.box.x0 > name.box.x0
    return is_beside or name.row < quantity.row <= name.row + _LINES


def _distance(name: _Entry, numbers: _Triple) -> tuple[bool, int]:
    """How far a record is from a name: what is in its column, or on its line, is its own."""
    quantity = numbers[0]
    is_own = quantity.row == name.row or abs(quantity.box.x0 - name.box.x0) < _ALIGNED
    return not is_own, quantity.row - name.row


def _continuation(page: PageEvidence, name: _Entry) -> list[int]:
    """The words on the lines below a name's value that go on with it: under it, without a caption before them."""
    words: list[int] = []
    for line in page.lines[name.row + 1 : name.row + 1 + _LINES]:
        column = [word for word in line if name.box.x0 - _ALIGNED <= page.page.words[word].box.x0 < name.right]
        if not column or page.page.words[column[0]].box.x0 < name.box.x1:
            break
        words += column
    return words
