"""Runs one claimed document from its bytes to the finished invoice."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TypeVar

from serve_app.documents.packing import grouped
from serve_app.domain.batch import Section, records_of
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import DocumentError, ServiceError
from serve_app.domain.invoice import Failure, FailureCode
from serve_app.domain.packed import LabelledPages, PackedPages
from serve_app.domain.reading import Reading
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.logs import invoice_id as logged_invoice_id
from serve_app.services.ports import FieldModel, Reconciler, TransientError
from serve_app.services.processing.evidence import RunEvidence
from serve_app.services.processing.judgement import Judgement
from serve_app.services.processing.kept_pages import KeptPages
from serve_app.services.processing.line import Line
from serve_app.services.processing.long_runs import LongRuns
from serve_app.services.processing.memory import VendorMemory
from serve_app.services.processing.reading import PagedReading
from serve_app.services.processing.retry import with_patience
from serve_app.settings import Settings
from serve_app.store.base import Files, Invoices, Queue

T = TypeVar("T")

# How many groups of pages of long documents are with the models at a time: a CPU labels one in a second or two.
LONG_LABELLING = 4

_FIRST_RELEASE_SECONDS = 5
_LONGEST_RELEASE_SECONDS = 600
_CRASH_SECONDS = 2
_INTERRUPTED = Failure(
    code=FailureCode.EXTRACTION_INTERRUPTED,
    message="Extraction was interrupted too often. Submit the document again.",
)

log = logging.getLogger(__name__)


class ProcessInvoice:
    """Works on claimed records; any number at a time.

    A run ends in one of these ways: with a result; with a failure caused by the document itself; with the claim
    released because a worker stayed out of reach, the run failed unexpectedly, or the run was cancelled (which does not
    count as an attempt). A run whose lease is lost changes nothing.
    """

    def __init__(
        self,
        queue: Queue,
        invoices: Invoices,
        memory: VendorMemory,
        judgement: Judgement,
        files: Files,
        reading: PagedReading,
        long_runs: LongRuns,
        extractor: FieldModel,
        verifier: FieldModel,
        reconciler: Reconciler,
        settings: Settings,
        clock: Clock = utc_now,
    ) -> None:
        self._queue = queue
        self._invoices = invoices
        self._memory = memory
        self._judgement = judgement
        self._files = files
        self._reading = reading
        self._long_runs = long_runs
        self._labelling = Line(LONG_LABELLING)
        self._extractor = extractor
        self._verifier = verifier
        self._reconciler = reconciler
        self._settings = settings
        self._clock = clock

    async def run(self, claim: InvoiceRecord) -> None:
        """Bring the claim to one of these ends. Raises Unavailable if the store stays lost: then the lease expires."""
        logged_invoice_id.set(str(claim.invoice.id))
        log.info("run started", extra={"attempt": claim.attempt, "lost_claims": claim.lost_claims})
        kept = KeptPages(self._files, claim)
        if claim.lost_claims >= self._settings.max_lost_claims:
            await self._fail(claim, kept, _INTERRUPTED)
            return
        try:
            await self._while_leased(claim, kept)
        except asyncio.CancelledError:
            await asyncio.shield(self._release(claim, kept, Release.HANDED_BACK, seconds=0))
            raise
        except DocumentError as error:
            await self._fail(claim, kept, Failure(code=error.code, message=error.message))
        except TransientError:
            await self._out_of_reach(claim, kept)
        finally:
            self._long_runs.ended(claim)

    async def _while_leased(self, claim: InvoiceRecord, kept: KeptPages) -> None:
        """Work while the heartbeat keeps the lease; stop without changing anything once it is lost."""
        work = asyncio.create_task(self._work(claim, kept))
        heartbeat = asyncio.create_task(self._keep_lease(claim))
        try:
            await asyncio.wait({work, heartbeat}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
            else:
                log.warning("lease lost, run dropped", extra={"attempt": claim.attempt})
                await _ended(work)
                # Another run reads again what it does not find; if the invoice was deleted, there is none.
                await kept.discard()
        finally:
            await _ended(work, heartbeat)

    async def _keep_lease(self, claim: InvoiceRecord) -> None:
        """Returns when the lease is lost."""
        while True:
            await asyncio.sleep(self._settings.heartbeat_seconds)
            try:
                if not await self._queue.renew_lease(claim, timedelta(seconds=self._settings.lease_seconds)):
                    return
            except Exception as error:
                # The lease may outlast the outage; if not, the fencing token guards every write.
                log.warning("heartbeat failed: %r", error)

    async def _work(self, claim: InvoiceRecord, kept: KeptPages) -> None:
        try:
            sections = await self._run(claim, kept)
        except (DocumentError, TransientError):
            raise
        except Exception:
            log.exception("run broke", extra={"attempt": claim.attempt})
            await self._crashed(claim, kept)
            return
        # Before the result: a crash between the two leaves a document to be read again, not a forgotten file.
        await kept.discard()
        # The costly part is done: a short outage of the store must not waste it.
        now = self._clock()
        heard = await self._memory.heard(claim.account_id, sections)
        sections = await self._judgement.judged(claim.account_id, heard)
        evidence = RunEvidence(self._files, self._invoices, claim, self._settings.retry_seconds)
        keys = await evidence.write(sections)
        first, siblings = records_of(claim, sections, now, keys)
        draw = self._judgement.draw
        siblings = [replace(each, drawn=draw(each.invoice.id, claim.attempt, each.invoice)) for each in siblings]
        drawn = draw(claim.invoice.id, claim.attempt, first)
        save = partial(self._queue.save_result, claim, first, now, siblings, sections[0].vendor, keys[0], drawn)
        saved = await with_patience(save, self._settings.retry_seconds, on=ServiceError)
        await evidence.settle(is_saved=saved is not None)
        outcome = "run finished" if saved else "result dropped, lease was lost"
        log.info(outcome, extra={"attempt": claim.attempt, "invoices": len(sections)})

    async def _run(self, claim: InvoiceRecord, kept: KeptPages) -> Sequence[Section]:
        pages = await self._reading.read(claim, kept)
        if not any(packet.words for packet in pages):
            raise DocumentError(FailureCode.NO_TEXT_FOUND, "The document has no text.")
        extractor, verifier = await self._label(claim, pages)
        # An invoice split off earlier stays a single invoice.
        labelled = LabelledPages(pages, extractor, verifier, is_part=claim.invoice.batch is not None)
        return await self._patiently(lambda: self._reconciler.reconcile(labelled))

    async def _label(
        self, claim: InvoiceRecord, pages: Sequence[PackedPages]
    ) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
        """The readings of extractor and verifier."""
        groups = grouped(pages)
        try:
            async with asyncio.TaskGroup() as group:
                first = group.create_task(self._label_with(self._extractor, claim, groups))
                second = group.create_task(self._label_with(self._verifier, claim, groups))
        except BaseExceptionGroup as errors:
            # One cause is enough to end the run; callers recognise it by its own type.
            raise errors.exceptions[0] from None
        return first.result(), second.result()

    async def _label_with(
        self, model: FieldModel, claim: InvoiceRecord, groups: Sequence[Sequence[PackedPages]]
    ) -> tuple[Reading, ...]:
        """Some pages at a time. Those of long documents take turns: short ones need not wait for all of them."""
        while True:
            readings = []
            for number, group in enumerate(groups):
                place = self._labelling.turn(number, claim.account_id) if len(groups) > 1 else nullcontext()
                async with place:
                    readings.append(await self._patiently(partial(model.read, group)))
            # The model may be swapped at any time; readings of two models cannot be combined.
            if len({reading.revision for reading in readings}) == 1:
                return tuple(readings)

    async def _patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        return await with_patience(call, self._settings.retry_seconds)

    async def _crashed(self, claim: InvoiceRecord, kept: KeptPages) -> None:
        """After an unexpected error: retry elsewhere, but not forever."""
        if claim.lost_claims + 1 >= self._settings.max_lost_claims:
            await self._fail(claim, kept, _INTERRUPTED)
        else:
            await self._release(claim, kept, Release.CRASHED, _CRASH_SECONDS)

    async def _out_of_reach(self, claim: InvoiceRecord, kept: KeptPages) -> None:
        if claim.releases + 1 >= self._settings.max_releases:
            await self._fail(claim, kept, _INTERRUPTED)
        else:
            seconds = min(_FIRST_RELEASE_SECONDS * 2 ** min(claim.releases, 16), _LONGEST_RELEASE_SECONDS)
            await self._release(claim, kept, Release.OUT_OF_REACH, seconds)

    async def _release(self, claim: InvoiceRecord, kept: KeptPages, why: Release, seconds: float) -> None:
        """End the run; another one will follow."""
        await kept.flush()
        released = await self._queue.release(claim, timedelta(seconds=seconds), why)
        log.warning("claim given back", extra={"why": why, "seconds": seconds, "held": released})

    async def _fail(self, claim: InvoiceRecord, kept: KeptPages, failure: Failure) -> None:
        """End the run for good."""
        await kept.discard()
        failed = await self._queue.fail(claim, failure, self._clock())
        log.warning("run failed", extra={"code": failure.code, "held": failed is not None})


async def _ended(*tasks: "asyncio.Task[None]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
