"""Sums that are printed again in another currency, for the tax office or the bookkeeper: they are not to be paid."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice

from serve_app.extraction.candidates.candidate import Candidate, Place
from serve_app.extraction.currency.called import called_currency
from serve_app.extraction.currency.currencies import CODES
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style, ends_in_decimals, parse_number
from serve_app.extraction.tables.numbers import printed_numbers

# So many sums are converted at least, at so many rates at most.
_FEWEST = 2
_MOST = 8
# Each was converted at the same rate and rounded.
_SAME_RATE = Decimal("0.005")
_RATE = re.compile(r"\b1(?:[.,]0+)? ?(?P<one>[A-Z]{3}) ?= ?(?P<rate>\d+[.,]\d+) ?(?P<other>[A-Z]{3})\b")
_CENT = Decimal("0.01")


def converted_sums(pages: Sequence[PageEvidence], style: Style) -> frozenset[Decimal]:
    """The amounts beside which the same ones stand in another currency on their line: the second ones; else those that
    others make at a rate that is printed, or those others, whichever of both are not printed once more."""
    beside = {right for pairs in _side_by_side(pages, style) for _, right in pairs}
    if beside:
        return frozenset(beside)
    printed = _amounts(pages, style)
    times, found = Counter(printed), set[Decimal]()
    for pairs in _at_rates(pages, style, frozenset(printed)):
        again = [sum(times[value] > 1 for value in column) for column in zip(*pairs, strict=True)]
        found.update(pair[again[0] >= again[1]] for pair in pairs)
    return frozenset(found)


def money_at_rate(pages: Sequence[PageEvidence], style: Style, total: Decimal) -> Candidate[str] | None:
    """The currency of a sum that a printed rate makes of another printed one, or that one of it: 3 360,91 and "1 EUR =
    1.95583 BGN" say that 6 573,36 is in BGN. None if no rate does; without a score."""
    rates = list(_rates(pages, style))
    # Few invoices print a rate.
    printed = set(_amounts(pages, style)) - {total} if rates else set()
    for (one, other), rate, place in rates:
        for code, value in ((other, total / rate), (one, total * rate)):
            if value.quantize(_CENT) in printed:
                return Candidate(code, 0.0, place)
    return None


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
    stated = dict.fromkeys(rate for _, rate, _ in _rates(pages, style))
    for rate in islice(stated, _MOST):
        if rate != 1:
            pairs = [(each, made) for each in printed if (made := (each * rate).quantize(_CENT)) in printed]
            if len(pairs) >= _FEWEST:
                yield pairs


def _rates(pages: Sequence[PageEvidence], style: Style) -> Iterator[tuple[tuple[str, str], Decimal, Place]]:
    """The printed rates, each with the two currencies and its line."""
    for number, page in enumerate(pages):
        for line in page.lines:
            for found in _RATE.finditer(page.text(line)):
                money, rate = (found["one"], found["other"]), parse_number(found["rate"], style)
                if rate and money[0] != money[1] and CODES.issuperset(money):
                    yield money, rate, Place(number, tuple(line))


def _amounts(pages: Sequence[PageEvidence], style: Style) -> list[Decimal]:
    """The amounts with decimals."""
    numbers = (
        (page, *number) for page in pages for line in page.lines for number in printed_numbers(page, line, style)
    )
    return [value for page, words, value in numbers if value and ends_in_decimals(page.text(words))]


def _are_converted(pairs: Sequence[tuple[Decimal, Decimal]]) -> bool:
    """Whether the second of each pair is the first at one rate, other than one."""
    rates = [other / one for one, other in pairs]
    return max(rates) - min(rates) <= _SAME_RATE * max(map(abs, rates)) and all(one != other for one, other in pairs)
