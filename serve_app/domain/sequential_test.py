"""Whether a candidate is worse than the first pair, by tests that may be looked at after every document.

Each test is a gambler who bets on "worse" where the two pairs differ (McNemar, 1947: documents on which they do equally
well say nothing). As long as the candidate is not worse, the wealth is not expected to grow, so it ever reaches `ALARM`
with a probability of at most 1 / `ALARM` (Ville, 1939; bets as Waudby-Smith and Ramdas, "Estimating means of bounded
random variables by betting", 2024), and any of the tests does with at most `FALSE_ALARMS` (Bonferroni), however often
one looks. "Always valid" tests are described by Johari, Koomen, Pekelis and Walsh ("Always valid inference", 2022).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from serve_app.domain.canary import Arm, CanaryRun
from serve_app.domain.comparison import Signs
from serve_app.domain.quality import Wealth

FALSE_ALARMS = 0.05
"""How often a candidate that is as good as the first pair is stopped, at most."""


class Measure(StrEnum):
    """What is compared. The first three compare two readings of one document; the others compare documents that the
    candidate answered with others that the first pair answered, each with the next."""

    AGREEMENT = "agreement"
    """On how many fields both models of the pair agree."""
    HIGH = "high"
    """How many fields are `high`."""
    SUMS = "sums"
    """Whether the sums of the invoice hold."""
    FAILURES = "failures"
    LATENCY = "latency"
    """Whether the models take more than `SLOWER` times as long for a page."""
    CORRECTIONS = "corrections"
    """Whether a person had to correct anything."""


ALARM = len(Measure) / FALSE_ALARMS
"""The evidence at which a test stops the candidate."""
SLOWER = 1.5
MARGIN = 0.05
ENOUGH = 20.0
"""The evidence for "on balance, less than `MARGIN` of the documents get worse" that a step needs."""
STEP_DOCUMENTS = 50
"""How many documents the candidate must have answered at a step before the next."""

_PAIRED: Mapping[Measure, Callable[[Signs], int]] = {
    Measure.AGREEMENT: lambda signs: signs.agreement,
    Measure.HIGH: lambda signs: signs.high,
    Measure.SUMS: lambda signs: signs.sums,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the documents say so far. `against` is the highest evidence of each test that the candidate is worse,
    `enough` the lowest of the three of paired readings that it is not; `documents` were compared, and `answered` by
    the candidate."""

    against: Mapping[Measure, float]
    enough: float
    documents: int
    answered: int

    @property
    def worse(self) -> Measure | None:
        """The test that speaks against the candidate the most, if any suffices to stop it."""
        measure = max(self.against, key=lambda each: self.against[each])
        return measure if self.against[measure] >= ALARM else None

    @property
    def suffices(self) -> bool:
        """Whether the candidate may answer more documents."""
        return self.worse is None and self.enough >= ENOUGH


def evidence_of(signs: Sequence[Signs], runs: Sequence[CanaryRun]) -> Evidence:
    """The evidence of a canary. Both are in the order in which they came."""
    paired = {measure: [sign(each) for each in signs] for measure, sign in _PAIRED.items()}
    against = {measure: against_signs(found) for measure, found in paired.items()}
    against[Measure.FAILURES] = against_signs([s.failed - c.failed for c, s in _couples(runs)])
    # Half the candidate's documents may be slower by that much: only more of them are evidence.
    against[Measure.LATENCY] = against_signs([-1 if c.seconds > SLOWER * s.seconds else 1 for c, s in _couples(runs)])
    decided = sorted((run for run in runs if run.decided_at is not None), key=lambda run: (run.decided_at, run.at))
    against[Measure.CORRECTIONS] = against_signs([s.corrected - c.corrected for c, s in _couples(decided)])
    return Evidence(
        against,
        min(evidence_for(found) for found in paired.values()),
        len(signs),
        sum(run.arm is Arm.CANDIDATE for run in runs),
    )


def against_signs(signs: Iterable[int]) -> float:
    """The evidence that more than half of the documents on which the pairs differ are worse (-1) rather than better
    (1) with the candidate."""
    wealth = Wealth(allowed=0.5)
    for sign in signs:
        if sign:
            wealth.bet(float(sign < 0))
    return wealth.highest


def evidence_for(signs: Iterable[int]) -> float:
    """The evidence that the share of worse documents is less than `MARGIN` above that of better ones."""
    wealth = Wealth(allowed=(1 - MARGIN) / 2)
    for sign in signs:
        wealth.bet((1 + sign) / 2)
    return wealth.highest


def _couples(runs: Iterable[CanaryRun]) -> Iterator[tuple[CanaryRun, CanaryRun]]:
    """Each document of the candidate with the control of the same number: which of the two came of which pair is
    chance, so that equal pairs do equally well on them."""
    every = list(runs)
    mine = (run for run in every if run.arm is Arm.CANDIDATE)
    return zip(mine, (run for run in every if run.arm is Arm.CONTROL), strict=False)
