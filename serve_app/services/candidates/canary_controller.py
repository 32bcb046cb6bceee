"""Watches the present canary: rolls it back when the evidence speaks against it, and lets it grow if it may."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage

from serve_app.domain.audit import Actor, ActorKind
from serve_app.domain.canary import Arm, Canary, CanaryState
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.sequential_test import ALARM, STEP_DOCUMENTS, Evidence, Measure, evidence_of
from serve_app.services.candidates.watch import CandidateWatch
from serve_app.services.people.audit import AuditTrail
from serve_app.services.ports import Mailer, MailError
from serve_app.services.tasks.polling import PollingLoop
from serve_app.store.base import Canaries, Comparisons, People
from serve_app.system.thread_pools import COMPUTING
from serve_app.telemetry.meter import set_to
from serve_app.telemetry.series import CANARY_EVIDENCE, CANARY_ROLLED_BACK, CANARY_SHARE

LOOK_SECONDS = 2.0
"""How long it takes at most until a process knows of a change."""
MOST = 5_000
"""Documents that count as evidence: the first of a canary."""
SERVICE = Actor(ActorKind.SERVICE, None, "the service")
WORSE = {
    Measure.AGREEMENT: "its two models agree on fewer fields",
    Measure.HIGH: "fewer fields are high",
    Measure.SUMS: "the sums of fewer invoices hold",
    Measure.FAILURES: "it fails more often",
    Measure.LATENCY: "it takes much longer",
    Measure.CORRECTIONS: "people correct it more often",
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RolledBackMail:
    """A canary was rolled back: what each operator is told."""

    to: str
    canary: Canary
    documents: int
    sent_at: datetime


Compose = Callable[[RolledBackMail], EmailMessage]


def publish_canary(canary: Canary | None) -> None:
    """The share that the present canary answers, and whether it was rolled back."""
    set_to(CANARY_SHARE, canary.share if canary is not None and canary.is_running else 0.0)
    set_to(CANARY_ROLLED_BACK, canary is not None and canary.state is CanaryState.ROLLED_BACK)
    if canary is None or not canary.is_running:
        set_to(CANARY_EVIDENCE, 0.0)


async def look_at_evidence(comparisons: Comparisons, canaries: Canaries, canary: Canary) -> Evidence:
    """What speaks for and against the canary. Raises Unavailable."""
    signs = await comparisons.signs(canary.id, MOST)
    return await COMPUTING.run(evidence_of, signs, await canaries.runs(canary.id, MOST))


class CanaryController:
    """Every dispatcher has one, and runs its `loops`. Any may act: of two that do, the store lets one succeed."""

    def __init__(
        self,
        watch: CandidateWatch,
        comparisons: Comparisons,
        canaries: Canaries,
        people: People,
        mailer: Mailer,
        compose: Compose,
        audit: AuditTrail,
        clock: Clock = utc_now,
    ) -> None:
        self._comparisons = comparisons
        self._canaries = canaries
        self._people = people
        self._mailer = mailer
        self._compose = compose
        self._audit = audit
        self._clock = clock
        self.watch = watch
        self.loops = (watch.reading, PollingLoop(self.look, LOOK_SECONDS, "looking at the canary"))

    async def look(self) -> None:
        """Take note of the present canary, and act on its evidence. Raises Unavailable."""
        canary = await self.watch.look()
        publish_canary(canary)
        if canary is not None and canary.is_running:
            await self._decide(canary)

    async def _decide(self, canary: Canary) -> None:
        evidence = await look_at_evidence(self._comparisons, self._canaries, canary)
        set_to(CANARY_EVIDENCE, max(evidence.against.values()))
        if evidence.worse is not None:
            await self._roll_back(canary, evidence, evidence.worse)
        elif canary.steps_itself and canary.next_step is not None and evidence.suffices:
            await self._step(canary, canary.next_step)

    async def _roll_back(self, canary: Canary, evidence: Evidence, worse: Measure) -> None:
        found = {str(measure): round(value, 3) for measure, value in evidence.against.items()}
        reason = f"{WORSE[worse]}: evidence {evidence.against[worse]:.0f}, {ALARM:.0f} suffices"
        ended = canary.ended(CanaryState.ROLLED_BACK, reason, self._clock(), found)
        if not await self._canaries.put(ended, canary):
            return
        log.error(
            "canary rolled back: %s", reason, extra={"pair": canary.pair, "share": canary.share, "evidence": found}
        )
        publish_canary(await self.watch.look())
        await self._audit.record(SERVICE, None, "canary.rolled_back", canary.pair, reason=reason)
        await self._notify(ended, evidence.documents + evidence.answered)

    async def _notify(self, canary: Canary, documents: int) -> None:
        for operator in await self._people.operators():
            try:
                await self._mailer.send(self._compose(RolledBackMail(operator.email, canary, documents, self._clock())))
            except MailError as error:
                log.warning("mail about a canary not sent: %s", error)

    async def _step(self, canary: Canary, share: float) -> None:
        runs = await self._canaries.runs(canary.id, MOST)
        mine = sum(run.arm is Arm.CANDIDATE and run.at >= canary.stepped_at for run in runs)
        if mine < STEP_DOCUMENTS and len(runs) < MOST:
            return
        if await self._canaries.put(canary.stepped(share, self._clock()), canary):
            log.info("canary grows", extra={"pair": canary.pair, "share": share})
            await self._audit.record(SERVICE, None, "canary.stepped", canary.pair, share=f"{share:.0%}")
