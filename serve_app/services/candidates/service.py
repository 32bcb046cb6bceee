"""Canaries and differences, for operators."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.canary import STEPS, Canary, CanaryState
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.comparison import Changed, Comparison, changed_fields
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import new_id
from serve_app.domain.model_pairs import FIRST
from serve_app.domain.sequential_test import Evidence
from serve_app.services.candidates.canary_controller import look_at_evidence
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Canaries, Comparisons

MOST = 2_000
"""Comparisons that are counted: the newest."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What a candidate reads differently. `compared` invoices were read by both pairs `since` then, `changed` says of
    which fields that changed, and `examples` are the newest with a difference."""

    candidate: str
    compared: int
    since: datetime | None
    changed: Mapping[str, Changed]
    examples: Sequence[Comparison]


class CandidateService:
    """Starts, steps and stops canaries, and tells what candidates do. All methods raise Unavailable; those that change
    something raise InvalidParameter if that is not possible now."""

    def __init__(self, comparisons: Comparisons, canaries: Canaries, audit: AuditTrail, clock: Clock = utc_now) -> None:
        self._comparisons = comparisons
        self._canaries = canaries
        self._audit = audit
        self._clock = clock

    async def present(self) -> Canary | None:
        """The canary that was started last."""
        return await self._canaries.present()

    async def newest(self, limit: int) -> list[Canary]:
        """The last canaries, newest first."""
        return await self._canaries.newest(limit)

    async def evidence(self, canary: Canary) -> Evidence:
        """What speaks for and against it."""
        return await look_at_evidence(self._comparisons, self._canaries, canary)

    async def start(
        self,
        pair: str,
        actor: Actor,
        share: float = STEPS[0],
        accounts: frozenset[UUID] | None = None,
        *,
        steps_itself: bool = False,
    ) -> Canary:
        """From now on the pair answers this share of the documents (of these accounts)."""
        if pair == FIRST:
            raise InvalidParameter("The first pair already answers all other documents. Choose another pair.")
        _check(share)
        before, now = await self._canaries.present(), self._clock()
        if before is not None and before.is_running:
            raise InvalidParameter(f"A canary of {before.pair} is running: stop it first.")
        canary = Canary(new_id(), pair, share, now, now, accounts, steps_itself)
        await self._put(canary, before)
        only = None if accounts is None else ", ".join(sorted(map(str, accounts)))
        await self._audit.record(actor, None, "canary.started", pair, share=f"{share:.0%}", accounts=only)
        return canary

    async def step(self, actor: Actor, share: float | None = None) -> Canary:
        """Go on to this share, or to the next step; a smaller one is allowed, too. No larger one while the evidence
        speaks against the candidate: a dispatcher is about to roll it back."""
        canary = await self._running()
        requested = canary.next_step if share is None else share
        if requested is None:
            raise InvalidParameter(
                "The canary already answers all documents. Deploy it as the first pair, then stop the canary."
            )
        _check(requested)
        worse = (await self.evidence(canary)).worse if requested > canary.share else None
        if worse is not None:
            raise InvalidParameter(
                f"The canary is about to be rolled back because of the evidence against it ({worse})."
            )
        stepped = canary.stepped(requested, self._clock())
        await self._put(stepped, canary)
        await self._audit.record(actor, None, "canary.stepped", canary.pair, share=f"{requested:.0%}")
        return stepped

    async def stop(self, actor: Actor) -> Canary:
        """The first pair answers everything again. After a rollback, this takes note of it and ends its alarm."""
        canary = await self._canaries.present()
        if canary is None or canary.state is CanaryState.STOPPED:
            raise InvalidParameter("There is no canary.")
        evidence = {str(name): round(value, 3) for name, value in (await self.evidence(canary)).against.items()}
        kept = canary.evidence or evidence
        stopped = canary.ended(CanaryState.STOPPED, canary.reason, canary.ended_at or self._clock(), kept)
        await self._put(stopped, canary)
        await self._audit.record(actor, None, "canary.stopped", canary.pair, share=f"{canary.share:.0%}")
        return stopped

    async def names(self) -> list[str]:
        """The pairs of which there are comparisons."""
        return await self._comparisons.candidates()

    async def differences(self, candidate: str, examples: int = 20) -> Differences:
        """What the candidate has read differently of late."""
        found = await self._comparisons.newest(candidate, MOST)
        shown = [each for each in found if each.differences][:examples]
        since = found[-1].at if found else None
        return Differences(candidate, len(found), since, changed_fields(found), shown)

    async def _running(self) -> Canary:
        canary = await self._canaries.present()
        if canary is None or not canary.is_running:
            raise InvalidParameter("No canary is running.")
        return canary

    async def _put(self, canary: Canary, over: Canary | None) -> None:
        if not await self._canaries.put(canary, over):
            raise InvalidParameter("Somebody else has changed the canary. Check it, then try again.")


def _check(share: float) -> None:
    if not 0 < share <= 1:
        raise InvalidParameter("The share must be more than 0 and at most 100 %.")
