"""The rates of taxes that a text prints."""

import re
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
