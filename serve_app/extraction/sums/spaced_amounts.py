"""Amounts whose thousands are set apart by spaces, which readers take for several words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from serve_app.extraction.candidates import parse_words
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style

_SPACED = re.compile(r"\D{0,4}\d{1,3}(?: \d{3})+[.,]\d\d(?P<thousandths>\d?)\D{0,4}")
_WORDS = 4
# The widest space inside a number, as a multiple of the height of its letters.
_SPACE = 0.5


def spaced_amounts(
    page: PageEvidence, lines: Iterable[Sequence[int]], style: Style
) -> Iterator[tuple[tuple[int, ...], Decimal]]:
    """Amounts in several words of a line, whatever the models say of each word; the longest from each word on."""
    for line in lines:
        start = 0
        while start < len(line):
            words: tuple[int, ...] = ()
            if page.page.words[line[start]].text[-1:].isdigit():
                runs = (tuple(line[start : start + count]) for count in range(_WORDS, 1, -1))
                words = next((run for run in runs if _is_spaced(page, run) and _is_tight(page, run)), ())
            value = parse_words(page, words, style) if words else None
            if value is not None:
                yield words, value
            start += max(1, len(words))


def _is_spaced(page: PageEvidence, words: Sequence[int]) -> bool:
    found = _SPACED.fullmatch(page.text(words))
    return found is not None and (not found["thousandths"] or page.layout.has_thousandths)


def _is_tight(page: PageEvidence, words: Sequence[int]) -> bool:
    boxes = [page.page.words[word].box for word in words]
    return all(
        (right.x0 - left.x1) * page.page.width <= _SPACE * max(left.height, right.height) * page.page.height
        for left, right in pairwise(boxes)
    )
