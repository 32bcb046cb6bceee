"""The order in which the words of a line are read: from the right in Arabic, Hebrew, Persian and Urdu."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

from serve_app.domain.document import Word

_FROM_RIGHT = frozenset({"R", "AL"})


def in_reading_order(line: Sequence[Word]) -> list[int]:
    """The positions of the words of a line, which are given from left to right, as they are read.

    A line with more letters that run from right to left is read from its right, its runs of other words from their
    left; words from right to left within another line are read from the right of their run.
    """
    letters = [_letters_from_right(word.text) for word in line]
    positions = list(range(len(line)))
    if not any(count > 0 for count in letters):
        return positions
    is_from_right = sum(letters) > 0
    runs = groupby(positions, lambda position: letters[position] * (-1 if is_from_right else 1) > 0)
    ordered = [position for is_inner, run in runs for position in (reversed(list(run)) if is_inner else run)]
    return ordered[::-1] if is_from_right else ordered


def runs_from_right(word: Word) -> bool:
    """Whether a word runs from right to left."""
    return _letters_from_right(word.text) > 0


@lru_cache(maxsize=20_000)
def _letters_from_right(text: str) -> int:
    """How many more letters of a word run from right to left than from left to right."""
    if text.isascii():
        return -sum(map(str.isalpha, text))
    directions = [unicodedata.bidirectional(character) for character in text if character.isalpha()]
    from_right = sum(direction in _FROM_RIGHT for direction in directions)
    return 2 * from_right - len(directions)
