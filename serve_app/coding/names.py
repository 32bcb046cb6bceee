"""How well the name of a code fits a line, before anything was decided."""

from collections.abc import Iterable, Mapping

from serve_app.coding.features import Features, words_of
from serve_app.domain.chart import ACCOUNT

_LEAST = 4
"""Letters that two words must share at their beginning, or one inside the other: `Büro` is in `Bürobedarf`."""
_OF_NAME = 50.0
"""How much more probable a code is whose name a line contains than one without any of its words."""
_NONE_OF_ACCOUNTS = 0.02
"""A line nearly always has an account; whether it has a code of another dimension is not known before."""


def prior_of(dimension: str, names: Mapping[str, str], line: Features) -> dict[str, float]:
    """The weight of each code by its name; of no code, too."""
    said = {*line.words, *words_of(line.vendor)}
    # Some ledgers know accounts by their names alone.
    prior = {code: 1.0 + _OF_NAME * _fit(words_of(name or code), said) for code, name in names.items()}
    prior[""] = _NONE_OF_ACCOUNTS if dimension == ACCOUNT else max(1.0, sum(prior.values()))
    return prior


def _fit(name: Iterable[str], said: Iterable[str]) -> float:
    """The share of the name's letters that the line says, too."""
    words = [word for word in name if len(word) >= _LEAST]
    letters = sum(map(len, words))
    return sum(max((_shared(word, other) for other in said), default=0) for word in words) / letters if letters else 0.0


def _shared(word: str, other: str) -> int:
    """How many letters two words share, if that is enough."""
    shorter, longer = sorted((word, other), key=len)
    if len(shorter) >= _LEAST and shorter in longer:
        return min(len(word), len(shorter))
    return 0
