"""The captions printed on a line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from serve_app.domain.document import Word
from serve_app.extraction.captions.lexicon import Caption, Meanings, longest, meanings, tokens
from serve_app.extraction.plain import plain

# Words further apart than this many times their height do not form one caption.
APART = 2.5
# A title and its "No." may have this many words between them.
BETWEEN = 4
# "Rechnungssumme ohne USt.", "Amount incl. 19 % VAT": words that join the caption of a sum to that of a tax.
_WITHOUT = frozenset(
    "ohne exkl exklusive vor excl excluding exclusive ex exc without before hors sans sin senza escluso esclusa sem "
    "zonder exclusief bez fara haric".split()
)
_WITH = frozenset(
    "inkl inklusive einschl einschliesslich mit incl including inclusive inc with avec con incluido inclusa inclusief "
    "com vcetne dahil".split()
)
_RATE = re.compile(r"\(?\d{1,2}(?:[.,]\d{1,2})?\s?%?\)?|%|of|der|die|the|gesetzl\.?")
_SUMS = frozenset({Caption.TOTAL, Caption.AMOUNT_DUE, Caption.SUBTOTAL})
# Letters begin with a place and a date: "München, den 1.11.2024", "Paris, le 3 mars 2024", "Lodi, 03/03/2024".
_DATELINE = frozenset("den le li a dnia dne".split())
_DAY = re.compile(r"\d{1,2}(?:\D|$)")
_NUMERIC_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b")
# What "No." means after a caption.
_PLAIN = {
    Caption.TITLE: Caption.INVOICE_NUMBER,
    Caption.INVOICE_NUMBER: Caption.INVOICE_NUMBER,
    Caption.RECEIPT_NUMBER: Caption.RECEIPT_NUMBER,
    Caption.OTHER_NUMBER: Caption.OTHER_NUMBER,
}


@dataclass(frozen=True, slots=True)
class FoundCaption:
    """A caption and its words: their positions in the line, first and last."""

    meanings: Meanings
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    position: int


def find_captions(line: Sequence[Word]) -> list[FoundCaption]:
    """The captions of a line of words, from left to right; of overlapping ones, the longest."""
    every = [_Token(text, position) for position, word in enumerate(line) for text in tokens(word.text)]
    found: list[FoundCaption] = []
    start = 0
    while start < len(every):
        length = _length_at(line, every, start)
        if length:
            phrase = tuple(word.text for word in every[start : start + length])
            found.append(FoundCaption(meanings(phrase), every[start].position, every[start + length - 1].position))
        start += length or 1
    letters = list(_datelines(line, found))
    inside = {position for letter in letters for position in range(letter.first, letter.last + 1)}
    others = [caption for caption in _joined(line, found) if caption.first not in inside]
    found = sorted([*others, *letters], key=lambda caption: caption.first)
    return [_made_plain(line, caption, before) for caption, before in zip(found, [None, *found], strict=False)]


def _datelines(line: Sequence[Word], found: Sequence[FoundCaption]) -> Iterator[FoundCaption]:
    """The places before a letter's date, which are captions of the date of issue; those that name something else are
    left out."""
    taken = {position for caption in found for position in range(caption.first, caption.last + 1)}
    texts = [word.text for word in line]
    for first in range(len(texts) - 1):
        if first in taken or not (texts[first].endswith(",") and texts[first][:-1].istitle()):
            continue
        last = first + (plain(texts[first + 1]) in _DATELINE)
        after = texts[last + 1] if last + 1 < len(texts) else ""
        is_date = (_DAY if last > first else _NUMERIC_DATE).match(after)
        if is_date and _stand_together(line, first, last):
            yield FoundCaption((Caption.ISSUE_DATE,), first, last)


def _joined(line: Sequence[Word], found: Sequence[FoundCaption]) -> Iterator[FoundCaption]:
    """The captions, those of a sum with or without tax as one: the tax is not what the amount after them is."""
    rest = list(found)
    while rest:
        one = rest.pop(0)
        other = rest[0] if rest else None
        if other is not None and _SUMS.intersection(one.meanings) and Caption.TAX in other.meanings:
            joint = _joint(line, one, other)
            if joint:
                rest.pop(0)
                one = replace(one, meanings=(Caption.SUBTOTAL,) if joint in _WITHOUT else one.meanings, last=other.last)
        yield one


def _joint(line: Sequence[Word], one: FoundCaption, other: FoundCaption) -> str | None:
    """The word that joins the caption of a sum to that of a tax; None if something else stands between them."""
    words = [plain(word.text).strip("().,:") for word in line[one.last + 1 : other.last + 1]]
    between = words[1 : other.first - one.last - 1]
    is_joined = words and words[0] in _WITH | _WITHOUT and _stand_together(line, one.last, other.last)
    return words[0] if is_joined and all(map(_RATE.fullmatch, between)) else None


def _made_plain(line: Sequence[Word], one: FoundCaption, before: FoundCaption | None) -> FoundCaption:
    """What a vague "No." means after another caption: "Rechnung (380) Nr. 17" is an invoice's number."""
    told = [_PLAIN[meaning] for meaning in before.meanings if meaning in _PLAIN] if before else []
    if Caption.NUMBER not in one.meanings or before is None or not told:
        return one
    between = [word.text for word in line[before.last + 1 : one.first]]
    is_near = len(between) <= BETWEEN and _stand_together(line, before.last, one.first)
    is_one = is_near and all(text.startswith("(") or text.isalpha() for text in between)
    return replace(one, meanings=tuple(told)) if is_one else one


def _length_at(line: Sequence[Word], every: Sequence[_Token], start: int) -> int:
    """The number of tokens of the longest phrase that begins at `start`; 0 if none does."""
    for length in range(min(longest(), len(every) - start), 0, -1):
        part = every[start : start + length]
        if meanings(tuple(word.text for word in part)) and _is_close(line, part):
            return length
    return 0


def _is_close(line: Sequence[Word], part: Sequence[_Token]) -> bool:
    return _stand_together(line, part[0].position, part[-1].position)


def _stand_together(line: Sequence[Word], first: int, last: int) -> bool:
    words = line[first : last + 1]
    return all(
        right.box.x0 - left.box.x1 <= APART * max(left.box.height, right.box.height) for left, right in pairwise(words)
    )
