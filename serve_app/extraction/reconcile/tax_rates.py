"""The rates that pages print, and the sums that they make."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Decimal

from serve_app.extraction.captions import Caption
from serve_app.extraction.evidence import PageEvidence

_PERCENT = re.compile(r"(?<![\d.,])(\d{1,2}(?:[.,]\d{1,4})?)\s?%")
# In percent: Hungary's 27 is the highest there is. No tax is a higher share of a sum, either.
HIGHEST = Decimal(30)
HIGHEST_TAX = HIGHEST / 100
# A tax of a few cents follows from any rate.
LEAST_TAX = Decimal("0.50")
_CENT = Decimal("0.01")


def percentages(text: str) -> list[Decimal]:
    """The percentages of a text in print order, such as 19 for "19,0 %"."""
    return [Decimal(match[1].replace(",", ".")) for match in _PERCENT.finditer(text)]


def tax_rates(text: str) -> list[Decimal]:
    """Those that can be the rate of a tax."""
    return [rate for rate in percentages(text) if rate <= HIGHEST]


def printed_rates(pages: Sequence[PageEvidence]) -> tuple[Decimal, ...]:
    """The percentages of the pages, as shares, each once, in ascending order."""
    text = "\n".join(page.text(line) for page in pages for line in page.lines)
    return tuple(sorted({rate / 100 for rate in percentages(text) if rate}))


def discount_rates(pages: Sequence[PageEvidence]) -> tuple[Decimal, ...]:
    """The percentages of the pages that name a discount, as shares in ascending order: any of them may be its rate."""
    named = [page for page in pages if page.facts.all_captions.has(Caption.DISCOUNT)]
    return tuple(rate for rate in printed_rates(named) if rate < 1)


def makes_tax(rates: Sequence[Decimal], total: Decimal, tax: Decimal) -> bool:
    """Whether one of the rates, applied to the total less the tax, gives the tax to the cent."""
    if not 0 < tax < total or tax < LEAST_TAX:
        return False
    return has_rate(rates, lambda rate: rate * (total - tax), tax, _CENT)


def has_rate(rates: Sequence[Decimal], made: Callable[[Decimal], Decimal], wanted: Decimal, tolerance: Decimal) -> bool:
    """Whether one of the rates, which are in ascending order, makes a sum within the tolerance; of higher ones `made`
    is always higher, or always lower."""
    sign = 1 if not rates or made(rates[-1]) >= made(rates[0]) else -1
    at = bisect_left(rates, sign * wanted - tolerance, key=lambda rate: sign * made(rate))
    return at < len(rates) and abs(made(rates[at]) - wanted) <= tolerance
