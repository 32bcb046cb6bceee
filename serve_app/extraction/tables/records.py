"""Rows printed as records, as viewers of electronic invoices do: below one another "Bezeichnung: Lamp", "Menge 4",
"Preis pro Einheit 2,50" and "Gesamtpreis 10,00". Only records whose quantity times price is their total are rows.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, product

from serve_app.domain.document import Box
from serve_app.domain.labels import Label
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.tables.captions import meaning_of, tokens
from serve_app.extraction.tables.numbers import printed_numbers
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.rows import Row

# The number of a term (EN 16931) before a caption, "BT-129 Menge", and what may follow it.
_TERM = re.compile(r"BT-\d+ ?")
_NET = WordPattern(r" ?\(?{sums.net}\)? ?:?$")
# Other captions of descriptions stand before a second text here: "Beschreibung", after "Bezeichnung".
_NAME = WordPattern("{rows.item}")
# No more captions of a page are read.
_MOST = 800
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
    """The rows of all records, in the order of their names. A name is above its numbers or beside them."""
    return [_row(page, at, *pair) for at, page in enumerate(pages) for pair in _pairs(*page.once(_of_page, style))]


_Triple = tuple[_Entry, _Entry, _Entry]


def _of_page(page: PageEvidence, style: Style) -> tuple[list[_Entry], list[_Triple]]:
    """The names of a page, and the numbers of its records."""
    found: dict[Label, list[_Entry]] = defaultdict(list)
    for labels, entry in islice(_entries(page, style), _MOST):
        for label in labels:
            found[label].append(entry)
    names = [name for name in found[Label.LINE_DESCRIPTION] if name.value]
    return names, list(_proved(found[Label.LINE_QUANTITY], found[Label.LINE_UNIT_PRICE], found[Label.LINE_TOTAL]))


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


def _row(page: PageEvidence, number: int, name: _Entry, numbers: _Triple) -> Row:
    words = (*name.value, *_continuation(page, name))
    cells = RowNumbers(*(entry.number for entry in numbers))
    place = Place(number, tuple(sorted({*words, *(word for entry in numbers for word in entry.value)})))
    return Row(page.text(words), cells, place)


def _proved(quantities: Sequence[_Entry], prices: Sequence[_Entry], totals: Sequence[_Entry]) -> Iterator[_Triple]:
    """A quantity, a price and a total below one another, of which two make the third."""
    for quantity in quantities:
        near = [_below(quantity, entries) for entries in (prices, totals)]
        for price, total in product(*near):
            is_made = RowNumbers(quantity.number, price.number, total.number).multiplies
            if price.row < total.row and is_made:
                yield quantity, price, total


def _below(upper: _Entry, entries: Sequence[_Entry]) -> list[_Entry]:
    # They are in the order of their lines.
    first, end = (bisect_right(entries, row, key=_row_of) for row in (upper.row, upper.row + _LINES))
    return [entry for entry in entries[first:end] if abs(entry.box.x0 - upper.box.x0) < _ALIGNED]


def _row_of(entry: _Entry) -> int:
    return entry.row


def _entries(page: PageEvidence, style: Style) -> Iterator[tuple[frozenset[Label], _Entry]]:
    """The captions of a page, each with what it may caption."""
    for row, line in enumerate(page.lines):
        cells = page.cells_of(line)
        for at, cell in enumerate(cells):
            if labels := _captioned(_TERM.sub("", page.text(cell), count=1)):
                value = cells[at + 1] if at + 1 < len(cells) else ()
                right = page.box(cells[at + 2]).x0 if at + 2 < len(cells) else 1.0
                number = next((each for _, each in printed_numbers(page, value, style)), None)
                yield labels, _Entry(row, page.box(cell), value, right, number)


def _captioned(text: str) -> frozenset[Label]:
    """What the text of a cell captions, if it is all of a caption."""
    caption = _NET.sub("", text)
    if _NAME.fullmatch(caption.rstrip(" :")):
        return frozenset({Label.LINE_DESCRIPTION})
    meaning = meaning_of(tuple(tokens(text))) or meaning_of(tuple(tokens(caption)))
    return meaning.labels - {Label.LINE_DESCRIPTION} if meaning else frozenset()


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
