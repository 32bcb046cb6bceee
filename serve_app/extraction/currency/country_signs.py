"""What shows that a page comes from a country, as regular expressions."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from serve_app.extraction.knowledge import Country, Signs, pattern_of


class Kind(StrEnum):
    """What a sign is. A hint is not a country's alone (a legal form that another has, too), or may be read into other
    words; it makes a country likelier, but proves nothing."""

    PLACE = "place"
    PHONE = "phone"
    FORM = "legal form"
    TAX = "tax"
    HINT = "hint"


_KINDS = {
    Kind.PLACE: frozenset({"places", "addresses", "letters"}),
    Kind.FORM: frozenset({"legal_forms"}),
    Kind.TAX: frozenset({"taxes", "registers", "patterns", "words"}),
}
_EXPRESSIONS = frozenset({"addresses", "letters", "patterns"})


def patterns_of(country: Country) -> Iterator[tuple[Kind, str]]:
    """The signs and hints of a country, each with its kind."""
    for sign in country.signs:
        yield (
            next(kind for kind, uses in _KINDS.items() if not uses.isdisjoint(sign.model_fields_set)),
            _pattern(sign, country.regions),
        )
    for code in country.calling_codes:
        yield Kind.PHONE, _calling_pattern(code)
    for hint in country.hints:
        yield Kind.HINT, _pattern(hint, country.regions)
    for tax, rates in country.tax_rates.items():
        yield Kind.HINT, _rated_pattern(tax, rates)


def tax_pattern(country: Country) -> str:
    """The names of the country's taxes."""
    return pattern_of(country.taxes)


def _pattern(sign: Signs, regions: Iterable[str]) -> str:
    return "|".join(_alternatives(use, getattr(sign, use), regions) for use in sorted(sign.model_fields_set))


def _alternatives(use: str, words: frozenset[str], regions: Iterable[str]) -> str:
    if use not in _EXPRESSIONS:
        return pattern_of(words)
    expression = "|".join(sorted(words)).replace("{region}", f"(?:{'|'.join(sorted(regions))})")
    return expression if use == "letters" else rf"\b(?:{expression})\b"


def _calling_pattern(code: str) -> str:
    country, _, rest = code.partition(" ")
    return rf"\+ ?{country}{'[ -]?[(]?' if rest else ''}{rest.replace('#', '[0-9]')}\b"


def _rated_pattern(tax: str, rates: Iterable[int]) -> str:
    """A tax at one of its rates, which are printed before or behind it."""
    name, rate = r"\.?".join(tax), rf"\b(?:{'|'.join(map(str, rates))})(?:\.0+)? ?%"
    return rf"\b{name}\b.{{0,12}}{rate}|{rate} ?{name}\b"
