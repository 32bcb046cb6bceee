"""The captions that head the columns of an item table.

Captions are compared without accents, case and punctuation: "Q.tà" is "q ta", "P.U. HT" is "p u ht".
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from serve_app.domain.labels import Label
from serve_app.extraction.knowledge import Column, Rows, languages
from serve_app.extraction.notation.plain import WORD, plain

_TOKEN = re.compile(rf"{WORD}|[%#]")
_LABELS = {
    Column.DESCRIPTION: Label.LINE_DESCRIPTION,
    Column.QUANTITY: Label.LINE_QUANTITY,
    Column.UNIT_PRICE: Label.LINE_UNIT_PRICE,
    Column.TOTAL: Label.LINE_TOTAL,
}

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a caption says about the column below: the labels that its cells may carry, none if it has other things."""

    labels: frozenset[Label]
    is_tax: bool = False


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(plain(text))


def meaning_of(phrase: Phrase) -> Meaning | None:
    """The meaning of a caption with these tokens; None if it is not one."""
    return _meanings().get(phrase)


@cache
def longest() -> int:
    """The number of tokens of the longest caption."""
    return max(map(len, _meanings()))


@cache
def _meanings() -> Mapping[Phrase, Meaning]:
    columns: dict[Phrase, set[Column]] = defaultdict(set)
    for language in languages().values():
        for column, listed in language.columns.items():
            for phrase in listed:
                columns[tuple(tokens(phrase))].add(column)
    return {
        phrase: Meaning(frozenset(_LABELS[each] for each in found if each in _LABELS), Column.TAX in found)
        for phrase, found in columns.items()
    }


def captions_sum(text: str) -> bool:
    """Whether the words of a line name a sum of several rows."""
    written = tuple(tokens(text))
    return written in _phrases(_rows().sum) or _begins(written, _phrases(_rows().subtotal))


@cache
def _rows() -> Rows:
    return Rows.union(language.rows for language in languages().values())


@cache
def _phrases(listed: frozenset[str]) -> frozenset[Phrase]:
    return frozenset(tuple(tokens(phrase)) for phrase in listed)


def _begins(written: Phrase, phrases: Iterable[Phrase]) -> bool:
    return any(written[: len(phrase)] == phrase for phrase in phrases)
