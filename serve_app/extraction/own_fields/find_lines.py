"""Finds the values of own fields on the lines, in two ways: under the heading of their column or behind a caption in
the row, and by their place among the values of the row that were read."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple, Self
from uuid import UUID

from serve_app.domain.evidence import Evidence
from serve_app.domain.invoice import Citation, LineItem
from serve_app.domain.memory import Keys
from serve_app.domain.own_field import OwnField, OwnFieldType
from serve_app.domain.own_field_example import FieldPlace, Neighbour, OwnFieldExample
from serve_app.extraction.own_fields.captions import MIN_LIKENESS, Caption, Captions, Heading, Place, under
from serve_app.extraction.own_fields.find import (
    ByCaption,
    FoundValue,
    Seen,
    agreed,
    captions_of,
    of_same_vendor,
    scored,
)
from serve_app.extraction.own_fields.page_lines import Pages, Start, Word
from serve_app.extraction.own_fields.places import Placed
from serve_app.extraction.own_fields.printed_values import Shapes, outline_of, printed_at
from serve_app.extraction.own_fields.rows import Row, rows_of

_MOST_OF_VENDOR, _MOST_OF_OTHERS = 5, 20
"""The newest examples that are compared with a document."""
_NEAR_X, _NEAR_Y = 300, 90
"""How far a value may be from where the values of its row say, in `evidence.UNITS`."""
_MIN_SUPPORT = 0.4
_OF_OTHERS = 0.7
"""How far the place among the columns of another vendor's table is to be trusted."""

Found = dict[str, list[FoundValue | None]]


def find_on_lines(
    fields: Iterable[OwnField],
    evidence: Evidence,
    keys: Keys,
    examples: Sequence[OwnFieldExample],
    items: Sequence[LineItem],
    places: Sequence[Citation | None],
    invoice_id: UUID | None = None,
) -> Found:
    """The values of each field on these lines, which are printed there, of a document with these keys. `examples` are
    the newest first; what the invoice itself has taught does not count."""
    others = [each for each in examples if each.invoice_id != invoice_id]
    own = of_same_vendor(others, keys)
    pages = Pages(evidence)
    rows = rows_of(pages, items, places)
    return {field.name: _find(field, pages, rows, _seen(field, own, others)) for field in fields}


def _seen(field: OwnField, own: Sequence[OwnFieldExample], examples: Sequence[OwnFieldExample]) -> Seen:
    """What is known of the field, with the values of one row for each caption of an invoice."""
    ids = {each.invoice_id for each in own}
    of_vendor = [each.rows[field.name] for each in own if field.name in each.rows][:_MOST_OF_VENDOR]
    others = [each.rows[field.name] for each in examples if each.invoice_id not in ids and field.name in each.rows]
    printed = [place for rows in (*of_vendor, *others[:_MOST_OF_OTHERS]) for place in _each_once(rows) if place.value]
    return Seen([place for rows in of_vendor for place in _each_once(rows)], printed)


def _each_once(rows: Sequence[FieldPlace]) -> list[FieldPlace]:
    """Of the rows that have the same caption and outline, one."""
    return list({(each.value is None, _caption(each), outline_of(each.text)): each for each in rows}.values())


def _caption(place: FieldPlace) -> tuple[str, str]:
    return (place.position.before, place.position.above) if place.position else ("", "")


def _find(field: OwnField, pages: Pages, rows: Sequence[Row | None], seen: Seen) -> list[FoundValue | None]:
    if seen.is_not_printed:
        return [None] * len(rows)
    known, shapes = captions_of(field, seen), seen.shapes
    captions = Captions(list(known))
    # Each page is searched once, however many rows it has.
    printed = {row.page.page.page: _Printed.on(row, captions) for row in rows if row is not None}
    by_caption = [
        None if row is None else _by_caption(field, pages, row, printed[row.page.page.page], known, shapes)
        for row in rows
    ]
    has_caption = any(by_caption)
    found: list[FoundValue | None] = []
    for row, caption in zip(rows, by_caption, strict=True):
        place = None if row is None else _by_place(field, pages, row, seen, has_caption=has_caption)
        found.append(agreed(pages, caption, place, seen))
    return found


class _Printed(NamedTuple):
    """The captions of a page: where values may begin behind them, and headings over its table."""

    places: Sequence[Place]
    headings: Sequence[Heading]

    @classmethod
    def on(cls, row: Row, captions: Captions) -> Self:
        """Those on the page of a row."""
        places = [
            each for each in captions.places(row.page) if not each.caption.is_above and each.likeness >= MIN_LIKENESS
        ]
        return cls(places, list(captions.headings(row.page, row.table)))


def _by_caption(
    field: OwnField, pages: Pages, row: Row, on_page: _Printed, known: Counter[Caption], shapes: Shapes
) -> ByCaption | None:
    number = row.page.page.page
    found: list[ByCaption] = []
    for place in on_page.places:
        if place.line in row.lines:
            words = row.page.segment(place.line, place.word)
            if printed := printed_at(field, words, pages, shapes):
                found.append(scored(Start(number, place.line, place.word), printed, place, known, shapes))
    for heading in on_page.headings:
        start = under(row.page, row.lines, heading)
        if start is not None and not row.is_known(row.page.lines[start[0]][start[1]]):
            words = list(takewhile(_is_left_of(heading), row.page.segment(*start)))
            if words and (printed := printed_at(field, words, pages, shapes)):
                found.append(scored(Start(number, *start), printed, heading, known, shapes))
    return max(found, key=lambda each: each.score, default=None)


def _is_left_of(heading: Heading) -> Callable[[Word], bool]:
    return lambda word: word.x0 < heading.right


def _by_place(field: OwnField, pages: Pages, row: Row, seen: Seen, *, has_caption: bool) -> Placed | None:
    """In tables of other vendors only where a caption has found something."""
    own = [place for place in seen.of_vendor if place.value is not None]
    if own:
        return _of_vendor(field, pages, row, own, seen.shapes)
    return _in_general(field, pages, row, seen) if has_caption and seen.all else None


def _of_vendor(field: OwnField, pages: Pages, row: Row, places: Sequence[FieldPlace], shapes: Shapes) -> Placed | None:
    """The value that the values of its row point at, as on earlier invoices."""
    support: dict[tuple[int, int], float] = defaultdict(float)
    for place in places:
        for number, index, word in row.words():
            votes = sum(_vote(row, each, word) for each in place.neighbours)
            if place.neighbours and not row.is_known(word):
                support[number, index] = max(support[number, index], votes / len(place.neighbours))
    for start, share in sorted(support.items(), key=lambda each: -each[1]):
        if share < _MIN_SUPPORT:
            return None
        if printed := printed_at(field, row.page.segment(*start), pages, shapes):
            return Placed(Start(row.page.page.page, *start), printed, share)
    return None


def _vote(row: Row, neighbour: Neighbour, word: Word) -> float:
    """How near the word is to where the value of a column says that the field is."""
    cell = row.cells.get(neighbour.word)
    if cell is None:
        return 0.0
    away_x = abs(cell.x0 - neighbour.x - word.x0) / _NEAR_X
    away_y = abs(cell.middle - neighbour.y - word.middle) / _NEAR_Y
    return 1 - away_x / 2 - away_y / 2 if max(away_x, away_y) < 1 else 0.0


def _in_general(field: OwnField, pages: Pages, row: Row, seen: Seen) -> Placed | None:
    """The only value of an outline that was seen which stands between the same columns as on other invoices."""
    between = {_between(place.neighbours) for place in seen.all if place.neighbours}
    found = [
        Placed(Start(row.page.page.page, number, index), printed, _OF_OTHERS)
        for number, index in _starts(row)
        if _columns_beside(row, row.page.lines[number][index]) in between
        and (printed := printed_at(field, row.page.segment(number, index), pages, seen.shapes))
        and (field.type is not OwnFieldType.TEXT or outline_of(printed.value) in seen.shapes)
    ]
    return found[0] if len(found) == 1 else None


def _starts(row: Row) -> Iterator[tuple[int, int]]:
    return ((number, index) for number, index, word in row.words() if not row.is_known(word))


def _between(neighbours: Sequence[Neighbour]) -> tuple[str, str]:
    """The columns left and right of a value; empty for none."""
    left = max((each for each in neighbours if each.x <= 0), key=lambda each: each.x, default=None)
    right = min((each for each in neighbours if each.x > 0), key=lambda each: each.x, default=None)
    return left.word if left else "", right.word if right else ""


def _columns_beside(row: Row, word: Word) -> tuple[str, str]:
    return _between([Neighbour(name, cell.x0 - word.x0, 0) for name, cell in row.cells.items()])
