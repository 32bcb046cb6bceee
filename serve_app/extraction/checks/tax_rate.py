"""A tax that no rate of the supplier's country gives."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import cache

from serve_app.domain.invoice import CheckKind, CheckSeverity, Extraction, SupplierCheck, TaxLine
from serve_app.extraction.knowledge import Country, countries

# Rates before this day are not in the files.
_FIRST_DAY = date(2015, 1, 1)
# What was supplied so long before its invoice may have the rate of its own day.
_BEFORE = timedelta(days=366)
# Percentage points that rounding makes of a rate, and the least net sum for that.
_ROUNDED = Decimal("0.3")
_LEAST_NET = Decimal(10)
_CENTS = Decimal("0.05")
# Greece has a prefix of its own for taxes, Northern Ireland and the Swiss register, too.
_PREFIXES = {"el": "gr", "xi": "gb"}
_INDIAN, _AUSTRALIAN = 15, 11


def tax_rate_check(extraction: Extraction) -> SupplierCheck | None:
    """A printed rate that the country did not have, or more tax than its highest rate gives. None where the rates of
    the country are not known."""
    code = _country_of(extraction)
    rates = _rates_on(countries()[code], extraction.issued_at) if code and extraction.issued_at else frozenset()
    unknown = next(_unknown(extraction, rates), None) if rates else None
    if code is None or unknown is None:
        return None
    text = f"{unknown:.4g} % is no rate of tax in {code.upper()} on the issue date."
    return SupplierCheck(
        kind=CheckKind.TAX_RATE_UNKNOWN, severity=CheckSeverity.NOTICE, text=text, since=None, evidence=[]
    )


def _country_of(extraction: Extraction) -> str | None:
    """By the supplier's tax number, or without one by a currency that only one country has, if its account is there."""
    number = extraction.details.vendor_tax_id if extraction.details else None
    if number is None:
        return _home_of(extraction)
    if not number[:2].isalpha():
        return {_INDIAN: "in", _AUSTRALIAN: "au"}.get(len(number))
    code = number[:2].lower()
    code = _PREFIXES.get(code, code)
    return code if code in countries() else None


def _home_of(extraction: Extraction) -> str | None:
    iban = extraction.details.iban if extraction.details else None
    home = _only_homes().get(extraction.currency or "")
    return None if iban and iban[:2].lower() != home else home


@cache
def _only_homes() -> dict[str, str]:
    shared = Counter(country.currency for country in countries().values())
    return {country.currency: code for code, country in countries().items() if shared[country.currency] == 1}


def _rates_on(country: Country, issued: date) -> frozenset[Decimal]:
    if issued < _FIRST_DAY:
        return frozenset()
    return frozenset(
        rate
        for each in country.vat_rates
        if (each.since is None or each.since <= issued) and (each.until is None or issued - _BEFORE <= each.until)
        for rate in each.rates
    )


def _unknown(extraction: Extraction, rates: frozenset[Decimal]) -> Iterator[Decimal]:
    lines = extraction.details.tax_lines if extraction.details else []
    yield from (line.rate for line in lines if line.rate and line.rate not in rates and _is_proved(line))
    tax, amount = extraction.tax, extraction.amount
    if tax is None or amount is None or tax <= 0 or amount - tax < _LEAST_NET:
        return
    # Of several rates, or with a part without tax, it is any lower one.
    rate = 100 * tax / (amount - tax)
    if rate > max(rates) + _ROUNDED:
        yield rate


def _is_proved(line: TaxLine) -> bool:
    """Whether a rate gives the tax of its line: else it may be misread."""
    if not line.rate or not line.base or not line.amount:
        return False
    return abs(line.base * line.rate / 100 - line.amount) <= _CENTS
