"""Currency signs and codes to ISO 4217."""

import re
from collections.abc import Iterable, Mapping

CODES = frozenset(
    [
        "AED",
        "ARS",
        "AUD",
        "BGN",
        "BHD",
        "BRL",
        "CAD",
        "CHF",
        "CLP",
        "CNY",
        "COP",
        "CZK",
        "DKK",
        "EGP",
        "EUR",
        "GBP",
        "HKD",
        "HUF",
        "IDR",
        "ILS",
        "INR",
        "ISK",
        "JOD",
        "JPY",
        "KES",
        "KRW",
        "KWD",
        "MAD",
        "MXN",
        "MYR",
        "NGN",
        "NOK",
        "NZD",
        "OMR",
        "PEN",
        "PHP",
        "PKR",
        "PLN",
        "RON",
        "RSD",
        "RUB",
        "SAR",
        "SEK",
        "SGD",
        "THB",
        "TND",
        "TRY",
        "TWD",
        "UAH",
        "USD",
        "VND",
        "ZAR",
    ]
)

# Currencies with three decimals (ISO 4217).
_THOUSANDTHS = frozenset({"BHD", "JOD", "KWD", "OMR", "TND"})

# Signs that stand for one currency wherever they are printed.
_SIGNS = {
    "€": "EUR",
    "EURO": "EUR",
    "EUROS": "EUR",
    "£": "GBP",
    "₹": "INR",
    "RS": "INR",
    "₺": "TRY",
    "TL": "TRY",
    "ZŁ": "PLN",
    "KČ": "CZK",
    "FT": "HUF",
    "RM": "MYR",
    "R$": "BRL",
    "US$": "USD",
    "A$": "AUD",
    "AU$": "AUD",
    "C$": "CAD",
    "CA$": "CAD",
    "S$": "SGD",
    "HK$": "HKD",
    "NZ$": "NZD",
    "FR": "CHF",
    "SFR": "CHF",
    "FRS": "CHF",
    "₽": "RUB",
    "₩": "KRW",
    "₪": "ILS",
    "฿": "THB",
    "RP": "IDR",
    "LEI": "RON",
    "₱": "PHP",
    "DHS": "AED",
    "DH": "AED",
    "R": "ZAR",
}
# Signs that several countries share: they mean the first unless the page comes from one of the others.
_SHARED = {
    "$": ("USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"),
    "¥": ("JPY", "CNY"),
    "KR": ("SEK", "NOK", "DKK"),
}
_TRIMMED = ".:,;()[]"


def currency_of(text: str, home: Mapping[str, int]) -> str | None:
    """The currency that a word names by code or sign, alone or glued to a number.

    A sign that several currencies share means the one with the highest count in `home`.
    """
    mark = re.sub(r"[\d.,'’\s\-–−+()*:;]+", "", text).upper()
    if not mark:
        return None
    if mark in CODES:
        return mark
    if mark in _SHARED:
        return max(_SHARED[mark], key=lambda code: home.get(code, 0))
    return _SIGNS.get(mark)


def names_thousandths(texts: Iterable[str]) -> bool:
    """Whether any of the words names a currency with three decimals."""
    return any(currency_of(text, {}) in _THOUSANDTHS for text in texts if text.isupper())


def is_strong_mark(text: str) -> bool:
    """Whether a word can be trusted to mean money outside any amount: a code or an unmistakable sign."""
    return text.strip(_TRIMMED).upper() in CODES or any(sign in text for sign in "€£₹₺$¥")


def may_mean(text: str, code: str) -> bool:
    """Whether a word can name the currency: by its code or own sign, or by one that several countries share."""
    mark = re.sub(r"[\d.,'’\s\-–−+()*:;]+", "", text).upper()
    shares = _SHARED.get(mark, ())
    return mark == code or currency_of(mark, {}) == code or code in shares or (mark == "$" and code.endswith("D"))
