"""Whether all of a printed number was read: sums that add up prove no scale."""

import re
from collections.abc import Sequence
from decimal import Decimal

from serve_app.domain.iso_4217 import decimals_of
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.pages import BLANK

# A word that stands this close to a number, as a multiple of the height of its letters, touches it.
_TOUCHES = 0.12
_GROUP_BEFORE = re.compile(r"^[^\d\s]{0,4}\d{1,3}$")
_BEGINS_WITH_GROUP = re.compile(r"^\d{3}(?!\d)")
_GROUP_BEHIND = re.compile(r"^\d{3}(?!\d)(?!\s*%)")


def has_rest(page: PageEvidence, words: Sequence[int]) -> bool:
    """Whether a part of a number may stand beside the words that were taken for all of it: digits that touch it, or
    that a blank sets apart as it does thousands."""
    line = page.line_of(words[0])
    first, last = line.index(words[0]), line.index(words[-1]) if words[-1] in line else line.index(words[0])
    before, behind = line[max(first - 1, 0) : first], line[last + 1 : last + 2]
    return any(_is_rest_before(page, word, words[0]) for word in before) or any(
        _is_rest_behind(page, words[-1], word) for word in behind
    )


def _is_rest_before(page: PageEvidence, word: int, first: int) -> bool:
    text, gap = page.page.words[word].text, _gap(page, word, first)
    if _has_digits(text) and gap <= _TOUCHES:
        return True
    begins = _BEGINS_WITH_GROUP.match(page.page.words[first].text) is not None
    return begins and gap <= BLANK and _GROUP_BEFORE.match(text) is not None


def _is_rest_behind(page: PageEvidence, last: int, word: int) -> bool:
    text, gap = page.page.words[word].text, _gap(page, last, word)
    if _has_digits(text) and gap <= _TOUCHES:
        return True
    ends = page.page.words[last].text[-1:].isdecimal() and "." not in page.page.words[last].text[-3:]
    return ends and gap <= BLANK and _GROUP_BEHIND.match(text) is not None


def _has_digits(text: str) -> bool:
    return any(map(str.isdecimal, text)) and "%" not in text


def _gap(page: PageEvidence, left: int, right: int) -> float:
    """The gap between two words of a line, as a multiple of the height of their letters."""
    one, other = page.page.words[left].box, page.page.words[right].box
    height = max(one.height, other.height) * page.page.height
    return (other.x0 - one.x1) * page.page.width / height if height else 0.0


def has_possible_decimals(amount: Decimal, currency: str | None) -> bool:
    """Whether an amount has no more decimals than its currency, or than most of them."""
    places = -int(amount.normalize().as_tuple().exponent)
    return places <= decimals_of(currency or "")
