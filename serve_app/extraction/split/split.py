"""Splitting a file into its invoices: every page begins an invoice, continues one, or belongs to none.

Small networks score the three roles of each page from `feature_matrix`; the likeliest sequence of roles that makes
sense is found by the Viterbi algorithm (Viterbi, 1967).
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.split.facts import PageFacts, page_facts
from serve_app.extraction.split.features import (
    feature_matrix,
    is_of_other,
    is_whole,
    may_begin,
    must_begin,
    states_invoice,
)

Floats = npt.NDArray[np.float64]
_WEIGHTS = Path(__file__).with_name("weights.json")


class Role(IntEnum):
    BEGINS = 0
    CONTINUES = 1
    FOREIGN = 2


@dataclass(frozen=True, slots=True)
class Part:
    """The pages of one invoice, 1-based, both inclusive."""

    first_page: int
    last_page: int


class Split(NamedTuple):
    """The invoices of a file, in order, none if no page belongs to one; and how likely each page begins one, before it
    is asked what makes sense for all."""

    parts: list[Part]
    chances: list[float]


@dataclass(frozen=True, slots=True)
class SplitModel:
    """An ensemble of networks with one hidden layer, because a single one depends on its random start.

    Features are standardised, then `tanh`, then one score for each role. All but `mean` and `scale` have one entry for
    each network.
    """

    mean: Floats
    scale: Floats
    hidden: Floats
    hidden_bias: Floats
    out: Floats
    out_bias: Floats

    def log_probabilities(self, features: Floats) -> Floats:
        """Shape (pages, roles), from features of shape (pages, features)."""
        inputs = (features - self.mean) / self.scale
        inner = np.tanh(inputs @ self.hidden + self.hidden_bias[:, None])
        scores = (inner @ self.out + self.out_bias[:, None]).mean(axis=0)
        scores -= scores.max(axis=1, keepdims=True)
        normal: Floats = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        return normal


@cache
def bundled_model() -> SplitModel:
    """The weights, as written by `invoices models split`."""
    stored = json.loads(_WEIGHTS.read_text())
    return SplitModel(**{name: np.array(stored[name], dtype=np.float64) for name in SplitModel.__slots__})


def _role_scores(pages: Sequence[PageEvidence]) -> Floats:
    """The logarithm of each role's probability, shape (pages, roles), of a file of at least one page. Documents
    that share a page are whole."""
    facts = [page_facts(page) for page in pages]
    scores = bundled_model().log_probabilities(feature_matrix(facts))
    shared = _are_shared(pages)
    for index in range(len(facts)):
        scores[index, list(_impossible_roles(facts, shared, index))] = -np.inf
    return scores


def _impossible_roles(facts: Sequence[PageFacts], shared: Sequence[bool], index: int) -> Iterator[Role]:
    """The roles that a page cannot have, whatever the network says."""
    page, earlier = facts[index], facts[:index]
    if shared[index]:
        yield from (Role.CONTINUES, Role.FOREIGN)
    elif not earlier:
        if not states_invoice(page) and any(map(is_whole, facts)):
            yield Role.BEGINS
    else:
        if not may_begin(page, earlier):
            yield Role.BEGINS
        if shared[index - 1] or is_of_other(page, earlier) or must_begin(page, earlier):
            yield Role.CONTINUES


def _are_shared(pages: Sequence[PageEvidence]) -> list[bool]:
    """Whether each page is cut from one that shows several documents."""
    counts = Counter(page.page.number for page in pages)
    return [counts[page.page.number] > 1 for page in pages]


def split(pages: Sequence[PageEvidence]) -> Split:
    """Where the invoices of a file of at least one page begin and end. One may go on behind a page without words."""
    printed = [index for index, page in enumerate(pages) if page.page.words]
    chances = [0.0] * len(pages)
    if not printed:
        return Split([], chances)
    scores = _role_scores([pages[index] for index in printed])
    for index, chance in zip(printed, np.exp(scores[:, Role.BEGINS]), strict=True):
        chances[index] = float(chance)
    parts = parts_of(likeliest_roles(scores))
    return Split([Part(printed[part.first_page - 1] + 1, printed[part.last_page - 1] + 1) for part in parts], chances)


def likeliest_roles(scores: Floats) -> list[Role]:
    """The sequence with the highest sum of `scores`, shape (pages, roles), in which a page only continues an
    invoice."""
    allowed = np.zeros((len(Role), len(Role)))
    allowed[Role.FOREIGN, Role.CONTINUES] = -np.inf
    best = scores[0] + np.array([0.0, -np.inf, 0.0])
    came_from = []
    for row in scores[1:]:
        paths = best[:, None] + allowed
        came_from.append(paths.argmax(axis=0))
        best = paths.max(axis=0) + row
    roles = [int(best.argmax())]
    for choices in reversed(came_from):
        roles.append(int(choices[roles[-1]]))
    return [Role(role) for role in reversed(roles)]


def parts_of(roles: Sequence[Role]) -> list[Part]:
    """The runs of pages that belong together."""
    parts: list[Part] = []
    for number, role in enumerate(roles, 1):
        if role is Role.BEGINS:
            parts.append(Part(number, number))
        elif role is Role.CONTINUES:
            parts[-1] = Part(parts[-1].first_page, number)
    return parts
