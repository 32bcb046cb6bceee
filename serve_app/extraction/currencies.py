"""Currency signs and codes to ISO 4217."""

import re

CODES = frozenset(
    [
        "AED",
        "ARS",
        "AUD",
        "BGN",
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
        "JPY",
        "KES",
        "KRW",
        "MAD",
        "MXN",
        "MYR",
        "NGN",
        "NOK",
        "NZD",
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
        "TRY",
        "TWD",
        "UAH",
        "USD",
        "VND",
        "ZAR",
    ]
)

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
# Signs that several countries share: the first is meant unless the page names one of the countries.
_SHARED = {
    "$": (
        "USD",
        {
            "AUD": r"australia|\babn\b",
            "CAD": r"canada|\bgst/hst\b|ontario|québec|quebec",
            "NZD": r"new zealand",
            "MXN": r"m[ée]xico|\brfc\b",
        },
    ),
    "¥": ("JPY", {"CNY": r"china|beijing|shanghai|shenzhen"}),
    "KR": (
        "SEK",
        {"NOK": r"norge|norway|\bmva\b|oslo", "DKK": r"danmark|denmark|\bcvr\b|københavn|copenhagen"},
    ),
}
_TRIMMED = ".:,;()[]"


def currency_of(text: str, page_text: str) -> str | None:
    """The currency that a word names by code or sign, alone or glued to a number; `page_text` settles shared signs."""
    mark = re.sub(r"[\d.,'’\s\-–−+()*:;]+", "", text).upper()
    if not mark:
        return None
    if mark in CODES:
        return mark
    if mark in _SIGNS:
        return _SIGNS[mark]
    if mark in _SHARED:
        usual, others = _SHARED[mark]
        return next((code for code, hint in others.items() if re.search(hint, page_text, re.IGNORECASE)), usual)
    return None


def is_strong_mark(text: str) -> bool:
    """Whether a word can be trusted to mean money outside any amount: a code or an unmistakable sign."""
    return text.strip(_TRIMMED).upper() in CODES or any(sign in text for sign in "€£₹₺$¥")


def may_mean(text: str, code: str) -> bool:
    """Whether a word can name the currency: by its code or own sign, or by one that several countries share."""
    mark = re.sub(r"[\d.,'’\s\-–−+()*:;]+", "", text).upper()
    shares = _SHARED[mark][1] if mark in _SHARED else {}
    return mark == code or currency_of(mark, "") == code or code in shares or (mark == "$" and code.endswith("D"))
