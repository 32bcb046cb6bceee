"""Places of values: by the words around them on a vendor's invoices, in general by their outline, page and words."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from serve_app.domain.own_field import OwnField, OwnFieldType
from serve_app.domain.own_field_example import FieldPlace, Neighbour
from serve_app.extraction.own_fields.page_lines import Line, Pages, Start, Word
from serve_app.extraction.own_fields.printed_values import Printed, Shapes, outline_of, printed_at

MOST_NEIGHBOURS = 8
_MIN_LETTERS = 3
_NEAR_X, _NEAR_Y = 500, 90
"""How far a value may be from where its neighbours say, in `evidence.UNITS`."""
_AROUND_X, _AROUND_Y = 4000, 1500
"""How far neighbours are."""
_MOST_OCCURRENCES = 6
"""A word that is printed more often says nothing about places."""
_MIN_SUPPORT = 0.4
_GENERAL_WEIGHTS = (0.45, 0.25, 0.3)
"""Of the outline, the place on the page and the words around it."""
_MIN_GENERAL, _MARGIN = 0.6, 0.1
_MOST_CAPITALS = 5
"""With which a code may begin that has digits further on."""


class Placed(NamedTuple):
    """A value that stands where others stood; `support` is from 0 to 1."""

    start: Start
    printed: Printed
    support: float


def neighbours_of(words: Sequence[Word], value: Line, caption: Line) -> tuple[Neighbour, ...]:
    """The nearest words of the page that are no part of the value or of its caption."""
    left_out = {word.number for word in (*value, *caption)}
    x, y = value[0].x0, value[0].middle
    found = [
        Neighbour(word.letters, word.x0 - x, word.middle - y)
        for word in words
        if word.number not in left_out and _is_steady(word)
    ]
    found = [each for each in found if abs(each.x) < _AROUND_X and abs(each.y) < _AROUND_Y]
    return tuple(sorted(found, key=lambda each: abs(each.x) + 3 * abs(each.y))[:MOST_NEIGHBOURS])


def _is_steady(word: Word) -> bool:
    """Whether a template may print it on each invoice."""
    return len(word.letters) >= _MIN_LETTERS and not word.has_digit


def of_vendor(field: OwnField, pages: Pages, places: Sequence[FieldPlace], shapes: Shapes) -> Placed | None:
    """The value that the most neighbours of earlier ones point at."""
    best: Placed | None = None
    support = _support(pages, [place for place in places if place.neighbours])
    for start, share in sorted(support.items(), key=lambda each: -each[1]):
        if share < _MIN_SUPPORT or (best is not None and share < best.support):
            break
        page = pages.by_number[start.page]
        printed = printed_at(field, page.segment(start.line, start.word), pages, shapes)
        if printed is not None and (best is None or _fits(printed, shapes) > _fits(best.printed, shapes)):
            best = Placed(start, printed, share)
    return best


def _fits(printed: Printed, shapes: Shapes) -> bool:
    return outline_of(printed.value) in shapes


def _support(pages: Pages, places: Sequence[FieldPlace]) -> Mapping[Start, float]:
    """For each word that neighbours point at, the highest share of an earlier value's neighbours."""
    found: dict[Start, float] = defaultdict(float)
    for number, page in pages.by_number.items():
        words = [
            (word, Start(number, line, place))
            for line, each in enumerate(page.lines)
            for place, word in enumerate(each)
        ]
        by_letters: dict[str, list[Word]] = defaultdict(list)
        for word, _ in words:
            by_letters[word.letters].append(word)
        rows = _rows(words)
        for place in places:
            votes: dict[Start, float] = defaultdict(float)
            for neighbour in place.neighbours:
                for start, weight in _pointed_at(neighbour, by_letters, rows).items():
                    votes[start] += weight / len(place.neighbours)
            for start, share in votes.items():
                found[start] = max(found[start], share)
    return found


_ROW = 2 * _NEAR_Y
Rows = Mapping[int, Sequence[tuple[Word, Start]]]


def _rows(words: Sequence[tuple[Word, Start]]) -> Rows:
    rows: dict[int, list[tuple[Word, Start]]] = defaultdict(list)
    for word, start in words:
        rows[word.middle // _ROW].append((word, start))
    return rows


def _pointed_at(neighbour: Neighbour, by_letters: Mapping[str, Sequence[Word]], rows: Rows) -> dict[Start, float]:
    """The words where the value of a neighbour stands, the nearer the better."""
    found: dict[Start, float] = {}
    occurrences = by_letters.get(neighbour.word, ())
    for word in occurrences if len(occurrences) <= _MOST_OCCURRENCES else ():
        x, y = word.x0 - neighbour.x, word.middle - neighbour.y
        row = y // _ROW
        for other, start in (each for at in (row - 1, row, row + 1) for each in rows.get(at, ())):
            away_x, away_y = abs(other.x0 - x), abs(other.middle - y)
            if away_x < _NEAR_X and away_y < _NEAR_Y and other is not word:
                weight = 1 - away_x / _NEAR_X / 2 - away_y / _NEAR_Y / 2
                found[start] = max(found.get(start, 0.0), weight)
    return found


def in_general(field: OwnField, pages: Pages, places: Sequence[FieldPlace], shapes: Shapes) -> Placed | None:
    """The value that is most like those of other vendors, if no other one is as like them."""
    ranked = sorted(_alike(field, pages, places, shapes), key=lambda each: -each.support)
    if not ranked or ranked[0].support < _MIN_GENERAL:
        return None
    others = [each for each in ranked if each.printed.value != ranked[0].printed.value]
    return None if others and ranked[0].support - others[0].support < _MARGIN else ranked[0]


def _alike(field: OwnField, pages: Pages, places: Sequence[FieldPlace], shapes: Shapes) -> Iterator[Placed]:
    total = sum(shapes.values())
    for number, page in pages.by_number.items():
        for line, word in page.starts():
            first = page.lines[line][word]
            if field.type is not OwnFieldType.CHOICE and not _may_begin(field, first):
                continue
            printed = printed_at(field, page.segment(line, word), pages, shapes)
            if printed is None:
                continue
            outline = shapes.get(outline_of(printed.value), 0) / total
            if field.type is OwnFieldType.TEXT and not outline:
                continue
            around = _words_around(page.lines, first)
            likeness = max(_likeness(place, number, first, around) for place in places)
            support = _GENERAL_WEIGHTS[0] * (outline > 0) + likeness
            yield Placed(Start(number, line, word), printed, support)


def _may_begin(field: OwnField, word: Word) -> bool:
    """Whether a value that has an outline may begin here: words without digits are too many."""
    return word.has_digit or (
        field.type is OwnFieldType.TEXT and word.text.isupper() and len(word.text) <= _MOST_CAPITALS
    )


def _likeness(place: FieldPlace, page: int, word: Word, around: frozenset[str]) -> float:
    position = place.position
    if position is None:
        return 0.0
    is_page = position.page == page - 1
    near = max(0.0, 1 - abs(position.x - word.x0) / 4000 - abs(position.y - word.middle) / 4000) if is_page else 0.0
    own = {neighbour.word for neighbour in place.neighbours}
    words = len(own & around) / len(own) if own else 0.0
    return _GENERAL_WEIGHTS[1] * near + _GENERAL_WEIGHTS[2] * words


def _words_around(lines: Sequence[Line], value: Word) -> frozenset[str]:
    return frozenset(
        word.letters
        for line in lines
        if line and abs(line[0].middle - value.middle) < _AROUND_Y
        for word in line
        if abs(word.x0 - value.x0) < _AROUND_X
    )
