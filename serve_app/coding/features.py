"""What a line says about its codes."""

import re
from dataclasses import dataclass
from functools import lru_cache

from serve_app.domain.duplicates import normalise_vendor
from serve_app.domain.folding import folded

_WORD = re.compile(r"[^\W\d_]{3,}")
MOST_WORDS = 12


@dataclass(frozen=True, slots=True)
class Features:
    """`vendor` and `entity` are in the form in which they are compared; empty if unknown. `text` is the words without
    numbers: dates, months and quantities differ on each invoice."""

    vendor: str
    entity: str
    words: tuple[str, ...]
    text: str
    line: str = ""
    """The whole line, as rules look at it."""


def features_of(vendor: str, entity: str, text: str) -> Features:
    """The features of a line of the vendor."""
    words = words_of(text)
    return Features(vendor, entity, words, " ".join(words), folded(text))


def vendor_key(name: str | None) -> str:
    """The name of a vendor in the form in which it is compared; empty if it is unknown."""
    return folded(normalise_vendor(name or ""))


@lru_cache(maxsize=10_000)
def words_of(text: str) -> tuple[str, ...]:
    """The different words of a text, in their order."""
    return tuple(dict.fromkeys(_WORD.findall(folded(text))))[:MOST_WORDS]
