"""The currency of the country that a page comes from, for pages that name no currency or only a sign that several
countries share."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from serve_app.extraction.currency.country_signs import NORTH_AMERICAN, SHARED_TAXES, SIGNS, Kind

_SIGNS = {code: tuple((kind, re.compile(sign)) for kind, sign in signs) for code, signs in SIGNS.items()}
_SHARED_TAXES = {re.compile(tax): codes for tax, codes in SHARED_TAXES.items()}
_NORTH_AMERICAN = re.compile(NORTH_AMERICAN)
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


@lru_cache(maxsize=8)
def _named_in(text: str) -> frozenset[str]:
    written = _written(text)
    return frozenset(
        code
        for code, signs in _SIGNS.items()
        if any(kind is not Kind.HINT and _is_found(kind, sign, text, written) for kind, sign in signs)
    )


def _written(text: str) -> str:
    """The text, with words in capitals as they are written in a sentence: "DAR ES SALAAM" as "Dar ES Salaam"."""
    return _CAPITALS.sub(lambda word: word[0].capitalize() if word[0].isupper() else word[0], text)


def _is_found(kind: Kind, sign: re.Pattern[str], text: str, written: str) -> bool:
    return sign.search(text) is not None or (kind is Kind.PLACE and sign.search(written) is not None)


# Every witness asks about the same document.
@lru_cache(maxsize=8)
def _signs_in(text: str) -> Counter[str]:
    written = _written(text)
    found = Counter(
        {code: sum(_is_found(kind, sign, text, written) for kind, sign in signs) for code, signs in _SIGNS.items()}
    )
    if _NORTH_AMERICAN.search(text):
        found["CAD" if found["CAD"] > found["USD"] else "USD"] += 1
    return +found


@lru_cache(maxsize=8)
def _plain(text: str) -> str | None:
    home = _signs_in(text)
    if len(home) != 1:
        return None
    (code,) = home
    written = _written(text)
    kinds = {kind for kind, sign in _SIGNS[code] if _is_found(kind, sign, text, written)}
    is_taxed = Kind.TAX in kinds or code in _shared_taxes(text)
    return code if is_taxed and kinds & _WHERE else None


def _shared_taxes(text: str) -> Iterator[str]:
    """The currencies of the countries that have a tax of a printed name."""
    for tax, codes in _SHARED_TAXES.items():
        if tax.search(text):
            yield from codes


def is_home_sign(code: str, line: str) -> bool:
    """Whether a line contains a sign of the currency's country."""
    signs = (*(sign for _, sign in _SIGNS.get(code, ())), *((_NORTH_AMERICAN,) if code in ("USD", "CAD") else ()))
    return any(sign.search(line) for sign in signs)
