"""From which score on a code is `high`: only what the account's own decisions prove."""

from collections import Counter
from collections.abc import Iterable, Mapping

from serve_app.domain.coding import CodingExample
from serve_app.domain.confidence import Confidence
from serve_app.domain.guarantee import Candidate
from serve_app.domain.proof import Proof, proof_of
from serve_app.domain.target_precision import TargetPrecision

_MID = 0.6
"""From here on a code is more likely right than wrong; nobody has proved how often."""


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
    return {key: proof_of(invoices, target.allowed_wrong) for key, invoices in found.items()}


def level_of(dimension: str, score: float, proofs: Mapping[str, Proof]) -> Confidence:
    """The level of a suggestion with this score."""
    if dimension in proofs and score >= proofs[dimension].high_from:
        return Confidence.HIGH
    return Confidence.MID if score >= _MID else Confidence.LOW
