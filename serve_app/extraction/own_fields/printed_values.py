"""The value that begins at a word, by the type of the field."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from serve_app.domain.folding import folded
from serve_app.domain.own_field import OwnField, OwnFieldType, plain_number
from serve_app.extraction.dates.dates import find_dates
from serve_app.extraction.memory.placement import shape_of
from serve_app.extraction.notation.numbers import parse_number
from serve_app.extraction.own_fields.page_lines import Line, Pages

_DATE_WORDS = 4
_TEXT_WORDS = 6
_MARKS = ".,;:"


class Printed(NamedTuple):
    """A value as it is stored, and how many words it has. `is_clear`: it can be read in no other way."""

    value: str
    words: int
    is_clear: bool = True


Shapes = Mapping[str, int]
"""How often values of each outline were pointed at."""


def outline_of(text: str) -> str:
    """What texts of one kind have in common, however long their parts are: `A-A 9` of `B-XY 1234`."""
    return re.sub(r"(.)\1+", r"\1", shape_of(text))


def printed_at(field: OwnField, words: Line, pages: Pages, shapes: Shapes) -> Printed | None:
    """The value that begins with the first of these words, which are not set apart; None if there is none."""
    match field.type:
        case OwnFieldType.DATE:
            return _date(words, pages)
        case OwnFieldType.NUMBER:
            number = parse_number(words[0].text, pages.style)
            return None if number is None else Printed(plain_number(number), 1)
        case OwnFieldType.CHOICE:
            return _choice(field, words)
        case _:
            return _text(words, shapes)


def _date(words: Line, pages: Pages) -> Printed | None:
    for number in range(1, min(_DATE_WORDS, len(words)) + 1):
        text = " ".join(word.text for word in words[:number]).strip(_MARKS)
        found = find_dates(text)
        if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)):
            orders = pages.orders if found[0].is_ambiguous else pages.orders[:1]
            days = dict.fromkeys(day for order in orders if (day := found[0].value(order)))
            return Printed(next(iter(days)).isoformat(), number, len(days) == 1) if days else None
    return None


def _choice(field: OwnField, words: Line) -> Printed | None:
    for choice in sorted(field.choices, key=len, reverse=True):
        number = len(choice.split())
        printed = " ".join(word.text for word in words[:number]).strip(_MARKS)
        if folded(printed) == folded(choice):
            return Printed(choice, number)
    return None


def _text(words: Line, shapes: Shapes) -> Printed | None:
    """As many words as make an outline that was pointed at; else one with digits and what belongs to it, or all up to
    the next caption."""
    end = next((number for number, word in enumerate(words) if word.ends_caption), len(words))
    texts = [word.text for word in words[: min(end, _TEXT_WORDS)]]
    if not texts:
        return None
    lengths = range(1, len(texts) + 1)
    number = max(lengths, key=lambda length: (shapes.get(outline_of(joined(texts[:length])), 0), length))
    if outline_of(joined(texts[:number])) not in shapes:
        number = _usual_length(texts)
    value = joined(texts[:number])
    return Printed(value, number) if any(map(str.isalnum, value)) else None


def _usual_length(texts: list[str]) -> int:
    if not any(map(str.isdigit, texts[0])):
        return len(texts)
    length = 1
    while length < len(texts) and not any(map(str.isalpha, texts[length])):
        length += 1
    return length


def joined(texts: Iterable[str]) -> str:
    """Words as one text, without the marks around it."""
    return " ".join(texts).strip(_MARKS + " ")
