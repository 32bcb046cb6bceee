"""From which score on suggestions are `high`: only what an account's own decisions prove."""

from collections.abc import Sequence
from dataclasses import dataclass

from serve_app.domain.guarantee import Candidate, binomial_tail, guaranteed

NEVER = 2.0
"""A threshold that no score reaches."""
_NEWEST = (10, 25, 50, 100)
"""Over so many of the latest invoices a change of habit is looked for."""
_CHANCE = 0.005
"""A change is noticed if so many wrong suggestions come by chance at most this often in each of these."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What an account's decisions say about suggestions of one kind: how many `invoices` they are, and on how many of
    them all was `right`. `threshold` is the score from which on they are `high`; None: not proved. `has_changed`: the
    latest suggestions above it were wrong too often, so that none is `high` for now."""

    invoices: int
    right: int
    threshold: float | None
    has_changed: bool = False

    @property
    def high_from(self) -> float:
        """The score from which on suggestions are `high` now."""
        return NEVER if self.threshold is None or self.has_changed else self.threshold


def proof_of(invoices: Sequence[Sequence[Candidate]], allowed: float) -> Proof:
    """What the suggestions of each invoice prove, the newest first: from some score on, at most the `allowed` share is
    wrong, by the same test as for fields (ADR 0035). Each was made before its decision was known."""
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
