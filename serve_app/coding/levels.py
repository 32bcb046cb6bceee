"""From which score on a code is `high`: only what the account's own decisions prove."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from serve_app.domain.coding import CodingExample
from serve_app.domain.confidence import Confidence
from serve_app.domain.guarantee import Candidate, binomial_tail, guaranteed
from serve_app.domain.target_precision import TargetPrecision

NEVER = 2.0
"""A threshold that no score reaches."""
_MID = 0.6
"""From here on a code is more likely right than wrong; nobody has proved how often."""
_NEWEST = (10, 25, 50, 100)
"""Over so many of the latest invoices a change of habit is looked for."""
_CHANCE = 0.005
"""A change is noticed if so many wrong suggestions come by chance at most this often in each of these."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What an account's decisions say about the suggestions of a dimension: how many `invoices` they are, and on how
    many of them all was `right`. `threshold` is the score from which on codes are `high`; None: not proved.
    `has_changed`: the latest suggestions above it were wrong too often, so that none is `high` for now."""

    invoices: int
    right: int
    threshold: float | None
    has_changed: bool = False

    @property
    def high_from(self) -> float:
        """The score from which on codes are `high` now."""
        return NEVER if self.threshold is None or self.has_changed else self.threshold


def proofs_of(
    examples: Iterable[CodingExample], target: TargetPrecision = TargetPrecision.STANDARD
) -> dict[str, Proof]:
    """What the examples, the newest first, prove about each dimension: from some score on, at most the allowed share of
    suggestions is wrong, by the same test as for fields (ADR 0035).

    Each suggestion was made before its decision was known. The lines of an invoice share a clerk and a habit, so
    together they count as one.
    """
    found: dict[str, list[list[Candidate]]] = {}
    for example in examples:
        lines = Counter(trial.dimension for trial in example.trials)
        by_dimension: dict[str, list[Candidate]] = {}
        for trial in example.trials:
            candidate = Candidate(trial.score, trial.is_right, 1 / lines[trial.dimension])
            by_dimension.setdefault(trial.dimension, []).append(candidate)
        for key, candidates in by_dimension.items():
            found.setdefault(key, []).append(candidates)
    return {key: _proof(invoices, target.allowed_wrong) for key, invoices in found.items()}


def _proof(invoices: Sequence[Sequence[Candidate]], allowed: float) -> Proof:
    right = sum(all(each.is_right for each in invoice) for invoice in invoices)
    threshold = guaranteed([each for invoice in invoices for each in invoice], allowed)
    if threshold is None:
        return Proof(len(invoices), right, None)
    above = [[each.is_right for each in invoice if each.chance >= threshold] for invoice in invoices]
    outcomes = [all(each) for each in above if each]
    has_changed = any(_is_unlikely(outcomes[:newest], allowed) for newest in _NEWEST)
    return Proof(len(invoices), right, threshold, has_changed)


def _is_unlikely(outcomes: Sequence[bool], allowed: float) -> bool:
    """Whether so many wrong ones are hardly by chance, if the allowed share is wrong."""
    wrong = len(outcomes) - sum(outcomes)
    return wrong > 0 and 1 - binomial_tail(wrong - 1, len(outcomes), allowed) <= _CHANCE


def level_of(dimension: str, score: float, proofs: Mapping[str, Proof]) -> Confidence:
    """The level of a suggestion with this score."""
    if dimension in proofs and score >= proofs[dimension].high_from:
        return Confidence.HIGH
    return Confidence.MID if score >= _MID else Confidence.LOW
