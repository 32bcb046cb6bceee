"""The numbers on a line of a table, each with the words that print it."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

import numpy as np

from serve_app.domain.labels import Label
from serve_app.extraction.evidence import LABELS, PageEvidence
from serve_app.extraction.facts.numbers import LONGEST, numbers_of_words
from serve_app.extraction.notation.numbers import Style, parse_number

NUMBERS = (Label.LINE_QUANTITY, Label.LINE_UNIT_PRICE, Label.LINE_TOTAL)
_CELLS = [LABELS.index(label) for label in (Label.LINE_DESCRIPTION, *NUMBERS)]
_QUANTITY = 1
# Units may have digits: "10m2", "4C62" (a code of UN/ECE Recommendation 20).
_COUNTED = re.compile(r"(?P<number>[-–−]?[\d.,]*\d)[^\W\d_]\w*\.?$")


def printed_numbers(page: PageEvidence, line: Sequence[int], style: Style) -> Iterator[tuple[tuple[int, ...], Decimal]]:
    """Words that are one number, and its value, from left to right."""
    start = 0
    while start < len(line):
        words, value = _longest(page, line[start : start + LONGEST], style)
        if value is not None:
            yield words, value
        start += len(words)


def _longest(page: PageEvidence, words: Sequence[int], style: Style) -> tuple[tuple[int, ...], Decimal | None]:
    for run, value in numbers_of_words(page.facts, style).get(words[0], ()):
        if run == tuple(words[: len(run)]) and all(_are_alike(page, *pair) for pair in pairwise(run)):
            return run, value
    return (words[0],), _single(page, words[0], style)


def _single(page: PageEvidence, word: int, style: Style) -> Decimal | None:
    """The number in a word; a quantity may have its unit attached ("2,5Liter")."""
    text = page.page.words[word].text
    value = parse_number(text, style)
    if value is None and (counted := _COUNTED.match(text)) and _cell_of(page, word) == _QUANTITY:
        return parse_number(counted["number"], style)
    return value


def _are_alike(page: PageEvidence, one: int, other: int) -> bool:
    """Whether the models take both words for the same cell."""
    return _cell_of(page, one) == _cell_of(page, other)


def _cell_of(page: PageEvidence, word: int) -> int:
    """The likeliest cell of a row for the word, by its place among `_CELLS`."""
    return int(np.argmax(page.inside[word, _CELLS]))
