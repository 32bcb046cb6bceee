"""Sums that are printed again in another currency, for the tax office or the bookkeeper: they are not to be paid."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, islice

from serve_app.domain.document import Box
from serve_app.extraction.currency.called import called_currency
from serve_app.extraction.currency.currencies import CODES, currency_of
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style, ends_in_decimals, parse_number
from serve_app.extraction.tables.numbers import printed_numbers

Amounts = list[tuple[Decimal, Box]]

# The sums are at most so many lines below the currencies over them, in so many lines at least.
_LINES = 8
_FEWEST = 2
# No more currencies are beside one another, and no more rates stated.
_MOST = 8
# Each was converted at the same rate and rounded.
_SAME_RATE = Decimal("0.005")
# The right edges of a currency and of an amount below it differ by less than this share of the page's width.
_ALIGNED = 0.03
_RATE = re.compile(r"\b1(?:[.,]0+)? ?(?P<one>[A-Z]{3}) ?= ?(?P<rate>\d+[.,]\d+) ?(?P<other>[A-Z]{3})\b")
_CENT = Decimal("0.01")
# What marks a footnote.
_MARKS = "*†‡¹²()[]:"


def converted_sums(pages: Sequence[PageEvidence], style: Style) -> frozenset[Decimal]:
    """The amounts beside which the same ones stand in another currency, on the line or in the next column, or which
    others make at a rate that is printed: the second ones of a line; in columns those of the currency in which fewer
    of them are printed once more, or else the right one; or the one that the rate makes."""
    beside = {right for pairs in _side_by_side(pages, style) for _, right in pairs}
    if beside:
        return frozenset(beside)
    printed = [value for page in pages for line in page.lines for value, _ in _amounts(page, line, style)]
    sets = [*_columns(pages, style), *_at_rates(pages, style, frozenset(printed))]
    times, found = Counter(printed), set[Decimal]()
    for pairs in sets:
        again = [sum(times[value] > 1 for value in column) for column in zip(*pairs, strict=True)]
        found.update(pair[again[0] >= again[1]] for pair in pairs)
    return frozenset(found)


_Pairs = list[tuple[Decimal, Decimal]]


def _side_by_side(pages: Sequence[PageEvidence], style: Style) -> Iterator[_Pairs]:
    """The pairs of amounts on one line that are called in two currencies: "96,00 лв. / 49,08 €". Where a country
    changes its money, the one that is invoiced comes first."""
    found: dict[tuple[str, str], _Pairs] = defaultdict(list)
    for page in pages:
        for money, pair in page.once(_pairs_beside, style):
            found[money].append(pair)
    yield from (pairs for pairs in found.values() if len(pairs) >= _FEWEST and _are_converted(pairs))


def _pairs_beside(page: PageEvidence, style: Style) -> list[tuple[tuple[str, str], tuple[Decimal, Decimal]]]:
    texts = [word.text for word in page.page.words]
    found = []
    for line in page.lines:
        before: tuple[str, Decimal] | None = None
        for words, value in printed_numbers(page, line, style):
            called = called_currency(page, words, texts) if value and ends_in_decimals(page.text(words)) else None
            if called and before and before[0] != called[0]:
                found.append(((before[0], called[0]), (before[1], value)))
                before = None
            else:
                before = (called[0], value) if called else None
    return found


def _at_rates(
    pages: Sequence[PageEvidence], style: Style, printed: frozenset[Decimal]
) -> Iterator[list[tuple[Decimal, Decimal]]]:
    """The pairs of amounts of which the second is the first at a rate that is printed: "1 EUR = 4,2571 PLN"."""
    stated = (_rate(found, style) for page in pages for line in page.lines for found in _RATE.finditer(page.text(line)))
    for rate in islice(dict.fromkeys(stated), _MOST):
        if rate and rate != 1:
            pairs = [(each, made) for each in printed if (made := (each * rate).quantize(_CENT)) in printed]
            if len(pairs) >= _FEWEST:
                yield pairs


def _rate(found: re.Match[str], style: Style) -> Decimal | None:
    rate = parse_number(found["rate"], style)
    return rate if {found["one"], found["other"]} <= CODES and found["one"] != found["other"] else None


def _columns(pages: Sequence[PageEvidence], style: Style) -> Iterator[list[tuple[Decimal, Decimal]]]:
    """The pairs of amounts below each two currencies, where one column is the other at one rate."""
    for page in pages:
        for row, line in enumerate(page.lines):
            for left, right in combinations(_currencies(page, line), 2):
                pairs = list(_pairs(page, row, left, right, style))
                if len(pairs) >= _FEWEST and _are_converted(pairs):
                    yield pairs


def _currencies(page: PageEvidence, line: Sequence[int]) -> list[Box]:
    """The places of the currencies that head columns, each of another one."""
    found = {currency_of(page.page.words[word].text.strip(_MARKS), {}): page.page.words[word].box for word in line}
    return [box for currency, box in found.items() if currency][:_MOST]


def _pairs(page: PageEvidence, row: int, left: Box, right: Box, style: Style) -> Iterator[tuple[Decimal, Decimal]]:
    for line in page.lines[row + 1 : row + 1 + _LINES]:
        amounts = _amounts(page, line, style)
        one, other = _below(amounts, left), _below(amounts, right)
        if one and other:
            yield one, other


def _below(amounts: Amounts, head: Box) -> Decimal | None:
    return next((value for value, box in amounts if abs(box.x1 - head.x1) < _ALIGNED), None)


def _amounts(page: PageEvidence, line: Sequence[int], style: Style) -> Amounts:
    numbers = printed_numbers(page, line, style)
    return [(value, page.box(words)) for words, value in numbers if value and ends_in_decimals(page.text(words))]


def _are_converted(pairs: Sequence[tuple[Decimal, Decimal]]) -> bool:
    """Whether the second of each pair is the first at one rate, other than one."""
    rates = [other / one for one, other in pairs]
    return max(rates) - min(rates) <= _SAME_RATE * max(map(abs, rates)) and all(one != other for one, other in pairs)
