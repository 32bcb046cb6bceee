"""The rates of taxes that a text prints."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Decimal

_PERCENT = re.compile(r"(?<![\d.,])(\d{1,2}(?:[.,]\d{1,4})?)\s?%")
# In percent: Hungary's 27 is the highest there is.
HIGHEST = Decimal(30)


def percentages(text: str) -> list[Decimal]:
    """The percentages of a text in print order, such as 19 for "19,0 %"."""
    return [Decimal(match[1].replace(",", ".")) for match in _PERCENT.finditer(text)]


def tax_rates(text: str) -> list[Decimal]:
    """Those that can be the rate of a tax."""
    return [rate for rate in percentages(text) if rate <= HIGHEST]


def has_rate(rates: Sequence[Decimal], made: Callable[[Decimal], Decimal], wanted: Decimal, tolerance: Decimal) -> bool:
    """Whether one of the rates, which are in ascending order, makes a sum within the tolerance; of higher ones `made`
    is always higher, or always lower."""
    sign = 1 if not rates or made(rates[-1]) >= made(rates[0]) else -1
    at = bisect_left(rates, sign * wanted - tolerance, key=lambda rate: sign * made(rate))
    return at < len(rates) and abs(made(rates[at]) - wanted) <= tolerance
