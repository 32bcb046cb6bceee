"""What shows that a page comes from a country."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from serve_app.extraction.knowledge import Country, Signs, parts_of, pattern_of


class Kind(StrEnum):
    """What a sign is. A hint is not a country's alone (a legal form that another has, too), or may be read into other
    words; it makes a country likelier, but proves nothing."""

    PLACE = "place"
    PHONE = "phone"
    FORM = "legal form"
    TAX = "tax"
    HINT = "hint"


@dataclass(frozen=True)
class Wording:
    """A regular expression of what stands in a text. A text without any of `parts`, in small letters, does not match:
    looking for them first takes a quarter of the time. Without parts, every text is searched."""

    expression: str
    parts: frozenset[str] = frozenset()

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self.expression)

    def is_in(self, text: str, small: str) -> bool:
        """Whether it stands in a text, which is `small` in small letters."""
        return (not self.parts or any(part in small for part in self.parts)) and bool(self.pattern.search(text))


@dataclass(frozen=True)
class Sign:
    """One of a country's signs, which counts once in whichever wordings it stands there."""

    kind: Kind
    wordings: tuple[Wording, ...]

    def is_in(self, text: str, small: str) -> bool:
        """Whether it stands in a text, which is `small` in small letters."""
        return any(wording.is_in(text, small) for wording in self.wordings)


_KINDS = {
    Kind.PLACE: frozenset({"places", "addresses", "letters"}),
    Kind.FORM: frozenset({"legal_forms"}),
    Kind.TAX: frozenset({"taxes", "registers", "patterns", "words"}),
}
_EXPRESSIONS = frozenset({"addresses", "letters", "patterns"})


def signs_of(country: Country) -> Iterator[Sign]:
    """The signs and hints of a country."""
    for signs in country.signs:
        kind = next(kind for kind, uses in _KINDS.items() if not uses.isdisjoint(signs.model_fields_set))
        yield _sign(kind, signs, country.regions)
    for code in country.calling_codes:
        yield _calling_sign(code)
    for hints in country.hints:
        yield _sign(Kind.HINT, hints, country.regions)
    for tax, rates in country.tax_rates.items():
        yield Sign(Kind.HINT, (Wording(_rated_pattern(tax, rates)),))


def tax_pattern(country: Country) -> str:
    """The names of the country's taxes."""
    return pattern_of(country.taxes)


def _sign(kind: Kind, signs: Signs, regions: Iterable[str]) -> Sign:
    wordings = (_wording(use, getattr(signs, use), regions) for use in sorted(signs.model_fields_set))
    return Sign(kind, tuple(wordings))


def _wording(use: str, words: frozenset[str], regions: Iterable[str]) -> Wording:
    if use not in _EXPRESSIONS:
        return Wording(pattern_of(words), parts_of(words))
    expression = "|".join(sorted(words)).replace("{region}", f"(?:{'|'.join(sorted(regions))})")
    return Wording(expression if use == "letters" else rf"\b(?:{expression})\b")


def _calling_sign(code: str) -> Sign:
    country, _, rest = code.partition(" ")
    expression = rf"\+ ?{country}{'[ -]?[(]?' if rest else ''}{rest.replace('#', '[0-9]')}\b"
    return Sign(Kind.PHONE, (Wording(expression, frozenset({f"+{country}", f"+ {country}"})),))


def _rated_pattern(tax: str, rates: Iterable[int]) -> str:
    """A tax at one of its rates, which are printed before or behind it."""
    name, rate = r"\.?".join(tax), rf"\b(?:{'|'.join(map(str, rates))})(?:\.0+)? ?%"
    return rf"\b{name}\b.{{0,12}}{rate}|{rate} ?{name}\b"
