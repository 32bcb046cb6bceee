"""Currency signs and codes to ISO 4217."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from serve_app.extraction.knowledge import Country, WordPattern, countries

# Of ISO 4217, without those that are words of English or units: "ALL", "TOP", "KGS".
_CODES = """
    AED AMD AOA ARS AUD AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE
    CZK DJF DKK DOP DZD EGP ETB EUR FJD GBP GEL GHS GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD
    JOD JPY KES KHR KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MRU MUR MVR MWK MXN MYR
    MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SEK SGD SRD SYP SZL THB
    TJS TMT TND TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND XAF XCD XOF XPF YER ZAR ZMW
"""
CODES = frozenset(_CODES.split())

# Signs of currencies with three decimals are two letters that mean much else: other words must say so, too.
_OF_THOUSANDTHS = WordPattern("{countries.thousandths}")
# Croatia's money until 2022.
_FORMER = {"KN": ("HRK",)}
_TRIMMED = ".:,;()[]"
# Codes that are also words of English or of companies' names: alone, they mean money only beside a number. So does any
# code in small letters: "nad" is a word of Polish.
_WORDS = frozenset({"AMD", "BAM", "BHD", "CAD", "COP", "GEL", "IRR", "MAD", "PEN", "RON", "TRY"})
# Behind an amount with cents these are codes of tills, not signs: forints are written "Ft", the rand's stands before.
_TILL_CODES = frozenset({"FT", "R"})
_CENTS = re.compile(r"\d[.,]\d\d\D*$")
# What stands before them in a name: Sendirian Berhad, a company limited by shares in Malaysia.
_BEFORE_BHD = re.compile(r"S\W?D\W?N\W*|SENDIRIAN", re.IGNORECASE)


def currency_of(text: str, home: Mapping[str, int]) -> str | None:
    """The currency that a word names by code or sign, alone or glued to a number.

    A sign that several currencies share means the one with the highest count in `home`.
    """
    mark = _mark(text)
    # "3R" is what OCR makes of a till's "SR".
    if not mark or (is_single_letter(mark) and text[0].isdigit()):
        return None
    if mark in CODES:
        return mark
    if mark.endswith("$") and mark[:-1] in CODES:
        return mark[:-1]
    codes = _signs().get(mark) or _names().get(mark, ())
    return max(codes, key=lambda code: home.get(code, 0), default=None)


@cache
def _signs() -> Mapping[str, tuple[str, ...]]:
    """The currencies of each sign, in capitals; first the one that it means unless the page comes from another one's
    country."""
    return _currencies_of(lambda country: country.currency_signs) | _FORMER


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """The currency of each name of money, in capitals."""
    return _currencies_of(lambda country: country.currency_names)


def _currencies_of(words: Callable[[Country], Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for country in countries().values():
        for word in words(country):
            found[word.upper()].insert(0 if word in country.usual_signs else len(found[word.upper()]), country.currency)
    return {word: tuple(dict.fromkeys(codes)) for word, codes in found.items()}


def _sharing(mark: str) -> tuple[str, ...]:
    """The currencies of a sign that several have."""
    codes = _signs().get(mark, ())
    return codes if len(codes) > 1 else ()


def is_single_letter(mark: str) -> bool:
    """Whether a sign is one letter: such a sign stands before its number."""
    return len(mark.strip(_TRIMMED)) == 1 and mark.strip(_TRIMMED).isalpha()


def _mark(text: str) -> str:
    """What is left of a word without its number."""
    return re.sub(r"[\d.,'’\s\-–−+()*:;]+", "", text).upper()


def uses_three_decimals(texts: Sequence[str]) -> bool:
    """Whether any of the words of a page, in their order, names a currency with three decimals: by its code, or by a
    sign on a page whose other words name it, too."""
    named = {
        _mark(text)
        for index, text in enumerate(texts)
        if text.isupper() and currency_of(text, {}) in _thousandths() and not is_only_a_word(texts, index)
    }
    return not named.isdisjoint(CODES) or (
        bool(named) and any(_OF_THOUSANDTHS.fullmatch(text.strip(_TRIMMED)) for text in texts)
    )


@cache
def _thousandths() -> frozenset[str]:
    """The currencies with three decimals."""
    return frozenset(country.currency for country in countries().values() if country.thousandths)


def is_strong_mark(text: str) -> bool:
    """Whether a word can be trusted to mean money outside any amount: a code, a name or an unmistakable sign."""
    word = text.strip(_TRIMMED).upper()
    return word in CODES or word in _names() or any(sign in text for sign in "€£₹₺$¥")


def is_only_a_word(texts: Sequence[str], index: int) -> bool:
    """Whether a word that is spelt like a currency's code or sign is more likely another word: no number is beside it,
    it ends a company's name ("SDN BHD"), or it is a till's code behind an amount ("6.58 FT")."""
    word = texts[index].strip(_TRIMMED).upper()
    before, after = texts[max(0, index - 1) : index], texts[index + 1 : index + 2]
    if texts[index].strip(_TRIMMED) in _TILL_CODES:
        return any(_CENTS.search(text) for text in before)
    if word not in _WORDS and (word not in CODES or texts[index].strip(_TRIMMED).isupper()):
        return False
    if any(_BEFORE_BHD.fullmatch(text) for text in before):
        return True
    return not any(any(map(str.isdigit, text)) for text in (*before, *after))


def strong_marks(texts: Sequence[str]) -> list[str]:
    """The words of a line that mean money wherever they are printed."""
    return [text for index, text in enumerate(texts) if is_strong_mark(text) and not is_only_a_word(texts, index)]


def may_mean(text: str, code: str) -> bool:
    """Whether a word can name the currency: by its code or own sign, or by one that several countries share."""
    mark = _mark(text)
    shares = _sharing(mark)
    return mark == code or currency_of(mark, {}) == code or code in shares or (mark == "$" and code.endswith("D"))


# "All prices are in US dollars": sentences that name the currency of a page's amounts.
_STATEMENT = WordPattern(r"{currency.stated}[^.;]{0,40}?(?:{currency.stated_in}|:)\s*(?P<money>{countries.money})")
# A field of a form that names the currency: "Währung: GBP".
_CAPTIONED = WordPattern(r"{currency.captions}\s*:?\s*(?P<code>[A-Z]{3})\b")
# The heading of a column or a sum: "Amount (RM)", "Total[EUR]". One letter is rather a tax's code: "Tax (R)".
_IN_BRACKETS = WordPattern(r"{*currency.amounts}\s*[(\[]\s*(?P<mark>[€£₹₺₽₩₪฿₱]|[^\d\s()\[\]]{2,4})\s*[)\]]")


def names_currency(text: str, code: str) -> bool:
    """Whether a printed text names a currency, by a sentence, its code or a sign of its own."""
    own = (word for word in text.split() if not _sharing(_mark(word)))
    return currency_named_in(text) == code or any(currency_of(word, {}) == code for word in own)


def currency_named_in(line: str, home: Mapping[str, int] | None = None) -> str | None:
    """The currency that a line says its document's amounts are in. With `home`, a sign of several countries in brackets
    names that of the one with signs on the page."""
    if found := _STATEMENT.search(line):
        return _money()[_letters(found["money"])]
    captioned = _CAPTIONED.search(line)
    if captioned and captioned["code"].upper() in CODES:
        return captioned["code"].upper()
    marks = {found["mark"].upper() for found in _IN_BRACKETS.finditer(line)}
    counts = home or {}
    codes = {
        code
        for mark in marks
        if (code := currency_of(mark, counts)) and (not _sharing(mark) or counts.get(code, 0) > 0)
    }
    return codes.pop() if len(codes) == 1 else None


@cache
def _money() -> Mapping[str, str]:
    """The currency of each name that no other country's money has."""
    return {_letters(name): country.currency for country in countries().values() for name in country.money}


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.casefold()))
