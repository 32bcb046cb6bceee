"""The numbers of a page: amounts in one word or several, whatever the models see."""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from serve_app.domain.document import Box
from serve_app.extraction.currency.currencies import currency_of
from serve_app.extraction.facts.page import PageFacts, Words
from serve_app.extraction.notation.numbers import Style, ends_in_decimals, parse_number

Number = tuple[Words, Decimal]
"""The words that print a number, and its value."""

# A number is printed in at most this many words ("1 234 567,80").
LONGEST = 4
# Words that belong together are less than this many line heights apart.
WORD_GAP = 0.8
# The widest space inside an amount, as a multiple of the height of its letters.
_SPACE = 0.5
_SPACED = re.compile(r"\D{0,4}\d{1,3}(?: \d{3})+[.,]\d\d(?P<thousandths>\d?)\D{0,4}")
# Without decimals, only a currency says that they are one number: "37 371 Ft".
_SPACED_UNITS = re.compile(r"[1-9]\d{0,2}(?: \d{3})+ (?P<money>\D{1,4})")
# Thousands apart by a space, and then three decimals: rather a number and the code beside it.
_NUMBER_AND_CODE = re.compile(r"\d \d{3}[.,]\d{3}\D*")
_MINUS = frozenset("-–−")


def parse_words(page: PageFacts, words: Sequence[int], style: Style, *, thousandths: bool = True) -> Decimal | None:
    """Several words as one number: as printed, or with the gaps closed if it was badly split ("1,706." "82")."""
    text = page.text(words)
    whole = parse_number(text, style, thousandths=thousandths)
    if whole is None and len(words) == 2 and text[text.index(" ") - 1] in ".,":
        return parse_number(text.replace(" ", ""), style, thousandths=thousandths)
    return whole


def is_beside(page: PageFacts, left: int, right: int) -> bool:
    """Whether two words of a line follow each other, at most a space apart."""
    return has_gap(page, page.page.words[left].box, page.page.words[right].box, WORD_GAP)


def has_gap(page: PageFacts, left: Box, right: Box, most: float) -> bool:
    """Whether two boxes of a line are at most this many heights of their letters apart."""
    gap = (max(left.x0, right.x0) - min(left.x1, right.x1)) * page.page.width
    return gap <= most * max(left.height, right.height) * page.page.height


def numbers_of_words(page: PageFacts, style: Style) -> Mapping[int, Sequence[Number]]:
    """For each word, the runs of several words from it on that may be one number, the longest first."""
    return page.once(_find_runs, style)


def spaced_amounts(page: PageFacts, style: Style) -> Sequence[Number]:
    """Amounts in several words of a line; the longest from each word on."""
    return page.once(_find_spaced, style)


def amounts_of_line(page: PageFacts, line: Sequence[int], style: Style) -> Sequence[tuple[int, Decimal]]:
    """The amounts of a printed line with decimals, each with its last word."""
    return page.once(_find_amounts, style)[page.row_of(line[0])] if line else ()


def _find_runs(page: PageFacts, style: Style) -> dict[int, list[Number]]:
    found = {}
    for line in page.lines:
        for start, word in enumerate(line):
            runs = _runs(page, line[start : start + LONGEST])
            numbers = [(run, value) for run in runs if (value := _whole(page, run, style)) is not None]
            if numbers:
                found[word] = numbers
    return found


def _runs(page: PageFacts, words: Words) -> Iterator[Words]:
    """The first words, two at least, that may be of one number: the longest run first."""
    end = 0
    while end < len(words) and _may_be_of_number(page.page.words[words[end]].text):
        if end and not is_beside(page, words[end - 1], words[end]):
            break
        end += 1
    return (words[:last] for last in range(end, 1, -1))


def _whole(page: PageFacts, run: Words, style: Style) -> Decimal | None:
    value = parse_words(page, run, style)
    is_code = _NUMBER_AND_CODE.search(page.text(run)) and not page.has_thousandths
    return None if is_code else value


def _may_be_of_number(text: str) -> bool:
    return text in _MINUS or any(map(str.isdigit, text))


def _find_spaced(page: PageFacts, style: Style) -> list[Number]:
    return [found for line in page.lines for found in _spaced_of_line(page, line, style)]


def _spaced_of_line(page: PageFacts, line: Words, style: Style) -> Iterator[Number]:
    start = 0
    while start < len(line):
        words: Words = ()
        if page.page.words[line[start]].text[-1:].isdigit():
            runs = (tuple(line[start : start + count]) for count in range(LONGEST, 1, -1))
            words = next((run for run in runs if _is_spaced(page, run) and _is_tight(page, run)), ())
        value = parse_words(page, words, style) if words else None
        if value is not None:
            yield words, value
        start += max(1, len(words))


def _is_spaced(page: PageFacts, words: Words) -> bool:
    text = page.text(words)
    if found := _SPACED_UNITS.fullmatch(text):
        return currency_of(found["money"], {}) is not None
    found = _SPACED.fullmatch(text)
    return found is not None and (not found["thousandths"] or page.has_thousandths)


def _is_tight(page: PageFacts, words: Words) -> bool:
    boxes = [page.page.words[word].box for word in words]
    return all(has_gap(page, left, right, _SPACE) for left, right in pairwise(boxes))


def _find_amounts(page: PageFacts, style: Style) -> list[list[tuple[int, Decimal]]]:
    """The amounts of each line."""
    spaced = {words[-1]: value for words, value in spaced_amounts(page, style)}
    parts = {word for words, _ in spaced_amounts(page, style) for word in words}

    def amount(word: int) -> Decimal | None:
        text = page.page.words[word].text
        if word in parts or not ends_in_decimals(text):
            return spaced.get(word)
        return parse_number(text, style)

    found = ([(word, amount(word)) for word in line] for line in page.lines)
    return [[(word, value) for word, value in line if value is not None] for line in found]
