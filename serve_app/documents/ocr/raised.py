"""Raised digits on pictures: engines read them as digits of the number that they stand behind, or some of them so.

Scans are crooked, and their print has gaps: only where each digit has a mark of its own, and those before the raised
ones are of one size on one line, is anything concluded.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import ceil
from statistics import median

import cv2
import numpy as np

from serve_app.documents.images.picture import Picture, in_grey
from serve_app.documents.ocr.engine import SeenWord
from serve_app.documents.ocr.words import rarer
from serve_app.domain.document import DISPUTED
from serve_app.domain.raised import RAISED_DIGITS

_RAISED = f"[{RAISED_DIGITS}]"
# A raised zero before another raised digit is read as a sign of its own, too.
_DIGIT = rf"(?:\d|{_RAISED}|[º°](?={_RAISED}))"
# An amount that ends in a digit, perhaps with its currency before it and the bracket of a footnote mark behind it.
_AMOUNT = re.compile(rf"\D{{0,3}}(?P<digits>\d(?:[.,'’]?{_DIGIT})+)\)?")
_FORMS = str.maketrans("º°0123456789", RAISED_DIGITS[0] * 2 + RAISED_DIGITS)
# A single digit before the raised ones may be larger because it touches something.
_FEWEST = 2
# Lower marks are no digits, as a share of the height of the highest; nor are those below its middle: points and commas.
_LEAST = 0.35
# Digits differ in height, and their edges in place, by at most this share of their height.
_ALIKE = 0.14
# A raised digit is so small, as a share of the height of the others, and its lower edge so far above theirs.
_SMALL, _HIGH = 0.68, 0.28
# Digits of old style that stand on the line beside some that go below it look nearly so: such words are not certain.
_SMALLER, _HIGHER = 0.8, 0.18
# Its upper edge is at most so far below theirs; one that is so far above them may be of any size.
_LOWER_TOP, _ABOVE = 0.15, 0.1
# The share of its width by which a piece of a character overlaps another.
_OVERLAP = 0.5


def with_raised_digits(words: Sequence[SeenWord], picture: Picture) -> list[SeenWord]:
    """The words, of which digits that are set smaller and higher than those before them are in their raised form."""
    return [_with_raised(word, found, picture) if (found := _AMOUNT.fullmatch(word.text)) else word for word in words]


def _with_raised(word: SeenWord, amount: re.Match[str], picture: Picture) -> SeenWord:
    digits = re.findall(_DIGIT, amount["digits"])
    marks = _marks(word, picture)
    if word.text.endswith(")"):
        marks = marks[:-1]
    marks = marks[-len(digits) :]
    count = _count_raised(marks, _SMALL, _HIGH)
    if count and len(marks) == len(digits) >= count + _FEWEST:
        end = amount.end("digits") - count
        text = word.text[:end] + word.text[end:].translate(_FORMS)
    elif _count_raised(marks, _SMALLER, _HIGHER):
        text = word.text
    else:
        return word
    return replace(word, text=text, confidence=min(word.confidence, DISPUTED))


@dataclass(frozen=True, slots=True)
class _Mark:
    """The ink of a character, in pixels."""

    left: int
    right: int
    top: int
    bottom: int

    @property
    def height(self) -> int:
        return self.bottom - self.top


def _marks(word: SeenWord, picture: Picture) -> list[_Mark]:
    """The marks of a word from left to right, without points, commas and dirt."""
    whole = _joined(sorted(_own_marks(word, picture), key=lambda mark: mark.left))
    highest = max(whole, key=lambda mark: mark.height, default=_Mark(0, 0, 0, 0))
    middle = (highest.top + highest.bottom) / 2
    return [mark for mark in whole if mark.height >= _LEAST * highest.height and mark.top < middle]


def _own_marks(word: SeenWord, picture: Picture) -> Iterator[_Mark]:
    """The marks inside the box of a word. Its neighbours on the line are seen whole, so that no part of theirs is taken
    for one of the word; what is cut off above and below is a part of other lines."""
    top, bottom, margin = max(0, int(word.y0)), ceil(word.y1), word.y1 - word.y0
    left, right = max(0, int(word.x0 - margin)), ceil(word.x1 + margin)
    cut = picture[top : max(top + 1, bottom), left : max(left + 1, right)]
    grey = in_grey(cut)
    _, _, stats, _ = cv2.connectedComponentsWithStats(rarer(grey).astype(np.uint8))
    for x, y, width, height, _ in stats[1:].tolist():
        is_cut_off = (y == 0 or y + height == len(grey)) and 2 * height < len(grey)
        if word.x0 <= left + x + width / 2 <= word.x1 and not is_cut_off:
            yield _Mark(x, x + width, y, y + height)


def _joined(marks: Sequence[_Mark]) -> list[_Mark]:
    """With the pieces of broken characters joined: one stands above the other."""
    whole = list(marks[:1])
    for mark in marks[1:]:
        last = whole[-1]
        if last.right - mark.left > _OVERLAP * min(last.right - last.left, mark.right - mark.left):
            edges = max(last.right, mark.right), min(last.top, mark.top), max(last.bottom, mark.bottom)
            whole[-1] = _Mark(last.left, *edges)
        else:
            whole.append(mark)
    return whole


def _count_raised(marks: Sequence[_Mark], small: float, high: float) -> int:
    """How many marks at the end are at most so small, and so high, beside others that are of one size on one line; 0 if
    those are not."""
    if not marks or marks[0].height < (1 - _ALIKE) * max(mark.height for mark in marks):
        return 0
    height, top, base = marks[0].height, marks[0].top, marks[0].bottom

    def is_raised(mark: _Mark) -> bool:
        is_small = mark.height <= small * height or top - mark.top >= _ABOVE * height
        return is_small and base - mark.bottom >= high * height and mark.top - top <= _LOWER_TOP * height

    run = list(takewhile(is_raised, reversed(marks)))
    others = marks[: len(marks) - len(run)]
    tolerance = _ALIKE * median(mark.height for mark in others)
    are_alike = all(abs(mark.height - height) <= tolerance and abs(mark.bottom - base) <= tolerance for mark in others)
    is_level = all(abs(mark.top - min(other.top for other in run)) <= tolerance for mark in run)
    return len(run) if are_alike and is_level else 0
