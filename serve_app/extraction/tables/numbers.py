"""The numbers on a line of a table, each with the words that print it."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

import numpy as np

from serve_app.domain.document import Box
from serve_app.domain.labels import Label
from serve_app.extraction.candidates import parse_words
from serve_app.extraction.evidence import LABELS, PageEvidence
from serve_app.extraction.numbers import Style, parse_number

NUMBERS = (Label.LINE_QUANTITY, Label.LINE_UNIT_PRICE, Label.LINE_TOTAL)
# A number is printed in at most this many words ("1 234 567,80").
_WORDS = 4
# Words that belong together are less than this many line heights apart.
WORD_GAP = 0.8
_CELLS = [LABELS.index(label) for label in (Label.LINE_DESCRIPTION, *NUMBERS)]
_QUANTITY = 1
# Units may have digits: "10m2", "4C62" (a code of UN/ECE Recommendation 20).
_COUNTED = re.compile(r"(?P<number>[-–−]?[\d.,]*\d)[^\W\d_]\w*\.?$")
# Thousands apart by a space, and then three decimals: rather a number and the code beside it.
_NUMBER_AND_CODE = re.compile(r"\d \d{3}[.,]\d{3}\D*")
_MINUS = frozenset("-–−")


def printed_numbers(page: PageEvidence, line: Sequence[int], style: Style) -> Iterator[tuple[tuple[int, ...], Decimal]]:
    """Words that are one number, and its value, from left to right."""
    start = 0
    while start < len(line):
        words, value = _longest(page, line[start : start + _WORDS], style)
        if value is not None:
            yield words, value
        start += len(words)


def is_beside(page: PageEvidence, left: int, right: int) -> bool:
    """Whether two words of a line follow each other, at most a space apart."""
    return has_word_gap(page, page.page.words[left].box, page.page.words[right].box)


def has_word_gap(page: PageEvidence, left: Box, right: Box) -> bool:
    """Whether two boxes of a line are at most a space apart."""
    gap = (right.x0 - left.x1) * page.page.width
    return gap <= WORD_GAP * max(left.height, right.height) * page.page.height


def _longest(page: PageEvidence, words: Sequence[int], style: Style) -> tuple[tuple[int, ...], Decimal | None]:
    for length in range(len(words), 1, -1):
        run = tuple(words[:length])
        if all(_may_be_of_number(page, word) for word in run) and all(
            is_beside(page, *pair) and _are_alike(page, *pair) for pair in pairwise(run)
        ):
            value = parse_words(page, run, style)
            is_code = _NUMBER_AND_CODE.search(page.text(run)) and not page.layout.has_thousandths
            if value is not None and not is_code:
                return run, value
    return (words[0],), _single(page, words[0], style)


def _single(page: PageEvidence, word: int, style: Style) -> Decimal | None:
    """The number in a word; a quantity may have its unit attached ("2,5Liter")."""
    text = page.page.words[word].text
    value = parse_number(text, style)
    if value is None and _cell_of(page, word) == _QUANTITY:
        counted = _COUNTED.match(text)
        return parse_number(counted["number"], style) if counted else None
    return value


def _may_be_of_number(page: PageEvidence, word: int) -> bool:
    text = page.page.words[word].text
    return text in _MINUS or any(map(str.isdigit, text))


def _are_alike(page: PageEvidence, one: int, other: int) -> bool:
    """Whether the models take both words for the same cell."""
    return _cell_of(page, one) == _cell_of(page, other)


def _cell_of(page: PageEvidence, word: int) -> int:
    """The likeliest cell of a row for the word, by its place among `_CELLS`."""
    return int(np.argmax(page.inside[word, _CELLS]))
