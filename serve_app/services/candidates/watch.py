"""What runs have to do with candidates: which documents a canary answers, and what is recorded of their answers."""

from collections.abc import Mapping
from typing import Protocol
from uuid import UUID

from serve_app.domain.batch import Interpreted
from serve_app.domain.canary import Arm, Canary, CanaryRun, fraction
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.model_pairs import FIRST, Shadow
from serve_app.domain.packed import ReadDocument
from serve_app.domain.record import InvoiceRecord
from serve_app.services.candidates.shadow import Answer, ShadowReading, ShadowRequest
from serve_app.services.tasks.batches import Batches
from serve_app.store.base import Canaries

_MODELS = ("extract", "verify")


class RunWatch(Protocol):
    """Is told of the runs of a process; each method returns at once."""

    def begins(self) -> None: ...

    def ended(self) -> None: ...

    def answered(self, claim: InvoiceRecord, document: ReadDocument, chosen: str, interpreted: Interpreted) -> None:
        """The answer was saved; `chosen` is the pair that was asked for it."""
        ...

    def failed(self, claim: InvoiceRecord, chosen: str) -> None:
        """The document could not be interpreted by the pair that was asked, nor by another."""
        ...


class NobodyWatches:
    """A RunWatch where there is only one pair of models."""

    def begins(self) -> None:
        pass

    def ended(self) -> None:
        pass

    def answered(self, claim: InvoiceRecord, document: ReadDocument, chosen: str, interpreted: Interpreted) -> None:
        pass

    def failed(self, claim: InvoiceRecord, chosen: str) -> None:
        pass


class CandidateWatch:
    """The RunWatch of one process. It knows the canary as it was at the last `look`.

    The pair that `reads_along` reads its share of what the first pair answered, and the first pair what a canary
    answered.
    """

    def __init__(
        self,
        canaries: Canaries,
        shadow: ShadowReading,
        reads_along: Shadow | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._canaries = canaries
        self._shadow = shadow
        self._reads_along = reads_along
        self._clock = clock
        self.reading = shadow.loop
        """Runs as long as the process does."""
        self._notes = Batches(self._write, "runs of a canary")
        self._canary: Canary | None = None
        self._is_known = False

    async def look(self) -> Canary | None:
        """Find out which canary there is now. Raises Unavailable."""
        self._canary = await self._canaries.present()
        self._is_known = True
        return self._canary

    async def choose(self, claim: InvoiceRecord) -> str | None:
        """The candidate, if the present canary answers this document with it. Raises Unavailable if it is not known
        yet which that is."""
        canary = self._canary if self._is_known else await self.look()
        arm = None if canary is None else canary.arm_of(claim.account_id, claim.invoice.id)
        return canary.pair if canary is not None and arm is Arm.CANDIDATE else None

    def begins(self) -> None:
        self._shadow.run_begins()

    def ended(self) -> None:
        self._shadow.run_ended()

    def answered(self, claim: InvoiceRecord, document: ReadDocument, chosen: str, interpreted: Interpreted) -> None:
        pages = sum(len(packet.numbers) for packet in document.pages) or 1
        failed = interpreted.pair != chosen
        self._note(claim, chosen, failed=failed, seconds=_seconds(interpreted.took) / pages)
        other = self._other(claim, interpreted.pair)
        if other is not None and not failed:
            answer = Answer(claim.invoice.id, document, interpreted.sections, interpreted.pair)
            self._shadow.offer(ShadowRequest(answer, other, self._counting(claim, {other, interpreted.pair})))

    def failed(self, claim: InvoiceRecord, chosen: str) -> None:
        self._note(claim, chosen, failed=True, seconds=0.0)

    async def finish(self) -> None:
        """Write what waits to be written, and read nothing more."""
        await self._shadow.stop()
        await self._notes.flush()

    def _other(self, claim: InvoiceRecord, pair: str) -> str | None:
        """Which pair is to read the document as well."""
        if pair != FIRST:
            return FIRST if self._counting(claim, {pair}) is not None else None
        along = self._reads_along
        is_drawn = along is not None and fraction("shadow", claim.invoice.id) < along.share
        return along.pair if along is not None and is_drawn else None

    def _counting(self, claim: InvoiceRecord, pairs: set[str]) -> UUID | None:
        """The present canary, if a reading of its candidate is among these."""
        canary = self._canary
        if canary is None or not canary.is_running or canary.pair not in pairs:
            return None
        return canary.id if canary.is_for(claim.account_id) else None

    def _note(self, claim: InvoiceRecord, chosen: str, *, failed: bool, seconds: float) -> None:
        canary = self._canary
        arm = None if canary is None else canary.arm_of(claim.account_id, claim.invoice.id)
        if canary is None or arm is None or chosen != (canary.pair if arm is Arm.CANDIDATE else FIRST):
            return
        ids = canary.id, claim.invoice.id, claim.account_id
        self._notes.add(CanaryRun(*ids, self._clock(), arm, failed, seconds))

    async def _write(self, runs: list[CanaryRun]) -> None:
        for run in runs:
            await self._canaries.add_run(run)


def _seconds(took: Mapping[str, float]) -> float:
    """How long the slower of the two models took."""
    return max(took.get(step, 0.0) for step in _MODELS)
