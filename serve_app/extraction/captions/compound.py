"""Captions that several together make: a sum with or without tax, and the place before a letter's date."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from serve_app.domain.document import Word
from serve_app.extraction.captions.found import FoundCaption, stand_together
from serve_app.extraction.knowledge import Caption, Connectives, languages
from serve_app.extraction.notation.plain import plain

_RATE = re.compile(r"\(?\d{1,2}(?:[.,]\d{1,2})?\s?%?\)?|%")
_DATES = frozenset({Caption.ISSUE_DATE, Caption.DATE, Caption.DUE_DATE, Caption.OTHER_DATE})
# "Invoice date / delivery date", "Rechnungs- = Lieferdatum".
_BOTH = frozenset("/=&+")
_SUMS = frozenset({Caption.TOTAL, Caption.AMOUNT_DUE, Caption.SUBTOTAL})
_DAY = re.compile(r"\d{1,2}(?:\D|$)")
_NUMERIC_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")


def joined(line: Sequence[Word], found: Sequence[FoundCaption]) -> list[FoundCaption]:
    """The captions of a line, those of a sum with or without tax as one: what follows them is no tax; and two names of
    one date as one, with what either means."""
    return list(_with_dates(line, list(_joined(line, found))))


def _with_dates(line: Sequence[Word], found: Sequence[FoundCaption]) -> Iterator[FoundCaption]:
    rest = list(found)
    while rest:
        one = rest.pop(0)
        if rest and _is_date(one) and _is_date(rest[0]) and _is_joined(line, one, rest[0]):
            other = rest.pop(0)
            one = replace(one, meanings=tuple(dict.fromkeys((*one.meanings, *other.meanings))), last=other.last)
        yield one


def _is_date(one: FoundCaption) -> bool:
    return not _DATES.isdisjoint(one.meanings)


def _is_joined(line: Sequence[Word], one: FoundCaption, other: FoundCaption) -> bool:
    between = [plain(word.text).strip("():") for word in line[one.last + 1 : other.first]]
    is_and = len(between) == 1 and between[0] in _BOTH | _connectives().both
    is_linked = is_and or (not between and line[one.last].text.endswith("/"))
    return is_linked and stand_together(line, one.last, other.first)


def _joined(line: Sequence[Word], found: Sequence[FoundCaption]) -> Iterator[FoundCaption]:
    rest = list(found)
    while rest:
        one = rest.pop(0)
        joint = _joint(line, one, rest[0]) if rest else ""
        if joint:
            is_net = joint in _connectives().without_tax
            one = replace(one, meanings=(Caption.SUBTOTAL,) if is_net else one.meanings, last=rest.pop(0).last)
        elif Caption.TAX in one.meanings and _is_without(line, one):
            one = replace(one, meanings=(Caption.SUBTOTAL,))
        yield one


def _is_without(line: Sequence[Word], tax: FoundCaption) -> bool:
    """Whether the word before a tax's caption takes it away, whatever the sum is called: "Freight (excl. 25 % VAT)"."""
    first = tax.first - 1
    while first > 0 and _may_precede_tax(_bare(line[first])):
        first -= 1
    is_without = first >= 0 and _bare(line[first]) in _connectives().without_tax
    return is_without and stand_together(line, first, tax.last)


def _joint(line: Sequence[Word], one: FoundCaption, other: FoundCaption) -> str:
    """The word that joins the caption of a sum to that of a tax ("Amount incl. 19 % VAT"); empty if they are
    something else, or if more than a rate stands between them."""
    words = [_bare(word) for word in line[one.last + 1 : other.last + 1]]
    is_sum = bool(_SUMS.intersection(one.meanings)) and Caption.TAX in other.meanings
    if not (is_sum and words and words[0] in _connectives().without_tax | _connectives().with_tax):
        return ""
    between = words[1 : other.first - one.last - 1]
    is_one = all(map(_may_precede_tax, between)) and stand_together(line, one.last, other.last)
    return words[0] if is_one else ""


def _may_precede_tax(word: str) -> bool:
    return word in _connectives().before_tax or _RATE.fullmatch(word) is not None


def _bare(word: Word) -> str:
    return plain(word.text).strip("().,:")


def with_datelines(line: Sequence[Word], found: Sequence[FoundCaption]) -> list[FoundCaption]:
    """The captions of a line; the places before a letter's date ("München, den 1.11.2024", "Lodi, 03/03/2024") are
    captions of the date of issue."""
    places = [place for place in _datelines(line) if place.first not in _positions(found)]
    others = [caption for caption in found if caption.first not in _positions(places)]
    return sorted([*others, *places], key=lambda caption: caption.first)


def _datelines(line: Sequence[Word]) -> Iterator[FoundCaption]:
    texts = [word.text for word in line]
    for first in range(len(texts) - 1):
        if not (texts[first].endswith(",") and texts[first][:-1].istitle()):
            continue
        last = first + (plain(texts[first + 1]) in _connectives().before_date)
        after = texts[last + 1] if last + 1 < len(texts) else ""
        is_date = (_DAY if last > first else _NUMERIC_DATE).match(after)
        if is_date and stand_together(line, first, last):
            yield FoundCaption((Caption.ISSUE_DATE,), first, last)


def _positions(captions: Sequence[FoundCaption]) -> set[int]:
    return {position for caption in captions for position in range(caption.first, caption.last + 1)}


@cache
def _connectives() -> Connectives:
    return Connectives.union(language.connectives for language in languages().values())
