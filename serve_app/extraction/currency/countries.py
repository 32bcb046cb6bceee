"""The currency of the country that a page comes from, for pages that name no currency or only a sign that several
countries share."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

from serve_app.extraction.currency.country_signs import Kind, Sign, signs_of, tax_pattern
from serve_app.extraction.knowledge import countries, in_small_letters

# Telephone numbers of the United States and Canada look the same.
_NORTH_AMERICAN = re.compile(r"\(\d{3}\) ?\d{3}-\d{4}|\b\d{3}-\d{3}-\d{4}\b")
# Beside its tax, what tells where a page comes from.
_WHERE = frozenset({Kind.PLACE, Kind.PHONE, Kind.FORM})


# Places are found in capitals, too, of which short words have others' meanings.
_CAPITALS = re.compile(r"[^\W\d_]{4,}")


def home_currencies(lines: Iterable[str]) -> Counter[str]:
    """For each currency, how many signs of its country the lines contain."""
    return _signs_in("\n".join(lines))


def plain_currency(lines: Iterable[str]) -> str | None:
    """The currency of the country that the lines plainly come from: they name its tax, which is charged on sales at
    home, and its place, calling code or legal forms; and have no sign of another country."""
    return _plain("\n".join(lines))


def is_likely_home(code: str, lines: Iterable[str]) -> bool:
    """Whether the lines name the country of a currency, or what only it has, twice at least, and of no other country
    more than a hint."""
    text = "\n".join(lines)
    return _signs_in(text)[code] > 1 and _named_in(text) == {code}


def named_homes(lines: Iterable[str]) -> frozenset[str]:
    """The currencies of whose countries the lines contain more than hints."""
    return _named_in("\n".join(lines))


def _named_in(text: str) -> frozenset[str]:
    return frozenset(code for code, kinds in _kinds_in(text).items() if set(kinds) - {Kind.HINT})


def _signs_in(text: str) -> Counter[str]:
    found = Counter({code: len(kinds) for code, kinds in _kinds_in(text).items()})
    if _NORTH_AMERICAN.search(text):
        found["CAD" if found["CAD"] > found["USD"] else "USD"] += 1
    return +found


# Several steps ask about the same document.
@lru_cache(maxsize=8)
def _kinds_in(text: str) -> dict[str, list[Kind]]:
    """The kinds of the signs of each currency that a text contains."""
    sentence, small = _as_in_sentence(text), in_small_letters(text)
    return {code: list(_kinds_of(code, text, sentence, small)) for code in _signs()}


def _kinds_of(code: str, text: str, sentence: str, small: str) -> Iterator[Kind]:
    """The kinds of the signs of a currency that a text contains; places also if they stand in capitals there."""
    for sign in _signs().get(code, ()):
        if sign.is_in(text, small) or (sign.kind is Kind.PLACE and sign.is_in(sentence, small)):
            yield sign.kind


def _as_in_sentence(text: str) -> str:
    """The text, with words in capitals as they are written in a sentence: "DAR ES SALAAM" as "Dar ES Salaam"."""
    return _CAPITALS.sub(lambda word: word[0].capitalize() if word[0].isupper() else word[0], text)


@lru_cache(maxsize=8)
def _plain(text: str) -> str | None:
    home = _signs_in(text)
    if len(home) != 1:
        return None
    (code,) = home
    kinds = set(_kinds_in(text)[code])
    is_taxed = Kind.TAX in kinds or code in _shared_taxes(text)
    return code if is_taxed and kinds & _WHERE else None


def _shared_taxes(text: str) -> Iterator[str]:
    """The currencies of the countries that have a tax of a printed name."""
    return (code for code, tax in _taxes() if tax.search(text))


@cache
def _signs() -> Mapping[str, tuple[Sign, ...]]:
    """The signs of each currency's countries. A sign that several of them have counts once."""
    signs: dict[str, list[Sign]] = defaultdict(list)
    for country in countries().values():
        signs[country.currency] += signs_of(country)
    return {code: tuple(dict.fromkeys(found)) for code, found in signs.items()}


@cache
def _taxes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The names of taxes, with the currency of a country that has them."""
    found = {(country.currency, tax_pattern(country)) for country in countries().values() if country.taxes}
    return tuple((code, re.compile(tax)) for code, tax in sorted(found))


def is_home_sign(code: str, line: str) -> bool:
    """Whether a line contains a sign of the currency's country."""
    is_shared = code in ("USD", "CAD") and _NORTH_AMERICAN.search(line) is not None
    return is_shared or next(_kinds_of(code, line, _as_in_sentence(line), in_small_letters(line)), None) is not None
