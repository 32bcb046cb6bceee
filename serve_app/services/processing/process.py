"""Runs one claimed document from its bytes to the finished invoice."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import TypeVar

from serve_app.domain.batch import Section, records_of
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import DocumentError, ServiceError
from serve_app.domain.invoice import Failure, FailureCode
from serve_app.domain.packed import LabelledPages, PackedPages
from serve_app.domain.reading import Reading
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.logs import invoice_id as logged_invoice_id
from serve_app.services.ports import DocumentReader, FieldModel, Reconciler, TransientError
from serve_app.services.processing.retry import with_patience
from serve_app.settings import Settings
from serve_app.store.base import Queue

T = TypeVar("T")

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

    A run ends in one of these ways: with a result; with a failure that the document itself causes; with the claim
    given back because a worker stayed out of reach, the run broke, or the run was cancelled (which counts for
    nothing). A run whose lease is lost changes nothing.
    """

    def __init__(
        self,
        queue: Queue,
        reader: DocumentReader,
        extractor: FieldModel,
        verifier: FieldModel,
        reconciler: Reconciler,
        settings: Settings,
        clock: Clock = utc_now,
    ) -> None:
        self._queue = queue
        self._reader = reader
        self._extractor = extractor
        self._verifier = verifier
        self._reconciler = reconciler
        self._settings = settings
        self._clock = clock

    async def __call__(self, claim: InvoiceRecord) -> None:
        """Run the claim to one of its ends. Raises Unavailable if the store stays lost: then the lease expires."""
        logged_invoice_id.set(str(claim.invoice.id))
        log.info("run started", extra={"attempt": claim.attempt, "lost_claims": claim.lost_claims})
        if claim.lost_claims >= self._settings.max_lost_claims:
            await self._fail(claim, _INTERRUPTED)
            return
        try:
            await self._while_leased(claim)
        except asyncio.CancelledError:
            await asyncio.shield(self._release(claim, Release.HANDED_BACK, seconds=0))
            raise
        except DocumentError as error:
            await self._fail(claim, Failure(code=error.code, message=error.message))
        except TransientError:
            await self._out_of_reach(claim)

    async def _while_leased(self, claim: InvoiceRecord) -> None:
        """Work while the heartbeat keeps the lease; stop without changing anything once it is lost."""
        work = asyncio.create_task(self._work(claim))
        heartbeat = asyncio.create_task(self._keep_lease(claim))
        try:
            await asyncio.wait({work, heartbeat}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
            else:
                log.warning("lease lost, run dropped", extra={"attempt": claim.attempt})
        finally:
            work.cancel()
            heartbeat.cancel()
            await asyncio.gather(work, heartbeat, return_exceptions=True)

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

    async def _work(self, claim: InvoiceRecord) -> None:
        try:
            sections = await self._run(claim)
        except (DocumentError, TransientError):
            raise
        except Exception:
            log.exception("run broke", extra={"attempt": claim.attempt})
            await self._crashed(claim)
            return
        # The costly part is done: a short outage of the store must not waste it.
        now = self._clock()
        first, siblings = records_of(claim, sections, now)
        save = partial(self._queue.save_result, claim, first, now, siblings, sections[0].vendor)
        saved = await with_patience(save, self._settings.retry_seconds, on=ServiceError)
        outcome = "run finished" if saved else "result dropped, lease was lost"
        log.info(outcome, extra={"attempt": claim.attempt, "invoices": len(sections)})

    async def _run(self, claim: InvoiceRecord) -> Sequence[Section]:
        pages = await self._read(claim)
        extractor, verifier = await self._label(pages)
        # An invoice that was split off before stays a single invoice.
        labelled = LabelledPages(pages, extractor, verifier, is_part=claim.invoice.batch is not None)
        return await self._patiently(lambda: self._reconciler.reconcile(labelled))

    async def _read(self, claim: InvoiceRecord) -> tuple[PackedPages, ...]:
        batch = claim.invoice.batch
        part = None if batch is None else (batch.first_page, batch.last_page)
        pages = await self._patiently(lambda: self._reader.read(claim.file_key, part))
        if not any(packet.words for packet in pages):
            raise DocumentError(FailureCode.NO_TEXT_FOUND, "The document has no text.")
        return pages

    async def _label(self, pages: Sequence[PackedPages]) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
        """What extractor and verifier say about the pages."""
        try:
            async with asyncio.TaskGroup() as group:
                first = group.create_task(self._label_with(self._extractor, pages))
                second = group.create_task(self._label_with(self._verifier, pages))
        except BaseExceptionGroup as errors:
            # One cause is enough to end the run; callers recognise it by its own type.
            raise errors.exceptions[0] from None
        return first.result(), second.result()

    async def _label_with(self, model: FieldModel, pages: Sequence[PackedPages]) -> tuple[Reading, ...]:
        """A packet at a time, so that other documents are labelled in between."""
        while True:
            readings = [await self._patiently(partial(model.read, packet)) for packet in pages]
            # The model may be exchanged at any time; readings of two models do not fit together.
            if len({reading.revision for reading in readings}) == 1:
                return tuple(readings)

    async def _patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        return await with_patience(call, self._settings.retry_seconds)

    async def _crashed(self, claim: InvoiceRecord) -> None:
        """After an unexpected error: retry elsewhere, but not forever."""
        if claim.lost_claims + 1 >= self._settings.max_lost_claims:
            await self._fail(claim, _INTERRUPTED)
        else:
            await self._release(claim, Release.CRASHED, _CRASH_SECONDS)

    async def _out_of_reach(self, claim: InvoiceRecord) -> None:
        if claim.releases + 1 >= self._settings.max_releases:
            await self._fail(claim, _INTERRUPTED)
        else:
            seconds = min(_FIRST_RELEASE_SECONDS * 2 ** min(claim.releases, 16), _LONGEST_RELEASE_SECONDS)
            await self._release(claim, Release.OUT_OF_REACH, seconds)

    async def _release(self, claim: InvoiceRecord, why: Release, seconds: float) -> None:
        released = await self._queue.release(claim, timedelta(seconds=seconds), why)
        log.warning("claim given back", extra={"why": why, "seconds": seconds, "held": released})

    async def _fail(self, claim: InvoiceRecord, failure: Failure) -> None:
        failed = await self._queue.fail(claim, failure, self._clock())
        log.warning("run failed", extra={"code": failure.code, "held": failed is not None})
