"""The probability that each candidate is the field's value, or that none is: a conditional logit (McFadden, 1974)."""

import json
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from serve_app.extraction.candidates.candidate import Candidate, V
from serve_app.extraction.candidates.features import Features

_WEIGHTS = Path(__file__).with_name("weights.json")

Weights = dict[str, float]
Ranked = list[Candidate[V]]


@cache
def bundled_weights() -> dict[str, Weights]:
    """The weights of each field, as written by `invoices models rank`."""
    weights: dict[str, Weights] = json.loads(_WEIGHTS.read_text())
    return weights


def rank(
    field: str, candidates: Sequence[Candidate[V]], same: Callable[[V], Hashable] = lambda value: value
) -> Ranked[V]:
    """The values, best first, with the probability of each; together with that of none they add up to 1. Places with
    the same value (for which `same` gives the same result) count together; the surest of them is the value's place and
    spelling.
    """
    scores = [score(bundled_weights()[field], candidate.features) for candidate in candidates]
    top = max([0.0, *scores])
    whole = math.exp(-top) + sum(math.exp(score - top) for score in scores)
    shares = [math.exp(score - top) / whole for score in scores]
    found: dict[Hashable, Candidate[V]] = {}
    for candidate, share in sorted(zip(candidates, shares, strict=True), key=lambda pair: -pair[1]):
        surest = found.get(same(candidate.value), replace(candidate, score=0.0))
        found[same(candidate.value)] = replace(surest, score=min(1.0, surest.score + share))
    return sorted(found.values(), key=lambda ranked: -ranked.score)


def contributions(field: str, features: Features) -> dict[str, float]:
    """What each feature of a candidate, and what all candidates have in common, adds to its score, the most first."""
    weights = bundled_weights()[field]
    added = {"bias": weights["bias"], **{name: weights.get(name, 0.0) * value for name, value in features.items()}}
    return dict(sorted(added.items(), key=lambda each: -abs(each[1])))


def score(weights: Weights, features: Features) -> float:
    """The log-odds of a candidate against there being no value."""
    return weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in features.items())
