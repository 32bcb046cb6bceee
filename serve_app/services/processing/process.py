"""Runs one claimed document from its bytes to the finished invoice."""

import asyncio
import logging
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from serve_app.domain.batch import Interpreted, records_of, with_usage
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.einvoice import MIME_TYPE
from serve_app.domain.errors import DocumentError, ServiceError
from serve_app.domain.invoice import Failure, FailureCode
from serve_app.domain.livemode import is_live
from serve_app.domain.packed import ReadDocument
from serve_app.domain.record import InvoiceRecord, Release
from serve_app.services.candidates.watch import NobodyWatches, RunWatch
from serve_app.services.capacity.costs import StageCosts
from serve_app.services.coding.suggestions import CodeSuggestions
from serve_app.services.models.choice import PairChoice
from serve_app.services.orders.matching import OrderMatcher
from serve_app.services.own_fields.finding import OwnFieldFinder
from serve_app.services.ports import Interpreter, TransientError
from serve_app.services.processing.confidence_policy import ConfidencePolicy
from serve_app.services.processing.evidence import RunEvidence
from serve_app.services.processing.kept_pages import KeptPages
from serve_app.services.processing.long_runs import LongRuns
from serve_app.services.processing.memory import VendorMemory
from serve_app.services.processing.reading import PagedReading
from serve_app.services.processing.retry import with_retries
from serve_app.services.processing.run_log import log_failure, log_lease_lost, log_result, log_run_started
from serve_app.services.processing.simulated import simulate
from serve_app.services.suppliers.guard import SupplierGuard
from serve_app.services.tasks.background import Background
from serve_app.settings import Settings
from serve_app.store.base import Files, Invoices, Queue
from serve_app.telemetry import tracer
from serve_app.telemetry.logs import invoice_id as logged_invoice_id
from serve_app.telemetry.meter import count, timed
from serve_app.telemetry.series import RUNS, STAGE_SECONDS
from serve_app.telemetry.tally import Tally, add, begin, stage, tallied

_FIRST_RELEASE_SECONDS = 5
_LONGEST_RELEASE_SECONDS = 600
_CRASH_SECONDS = 2
_SHOWN_AFTER_SECONDS = 0.5
_INTERRUPTED = Failure(
    code=FailureCode.EXTRACTION_INTERRUPTED,
    message="The extraction was interrupted too often. Submit the document again.",
)

log = logging.getLogger(__name__)


class _Request(NamedTuple):
    """What which pair of models was asked to interpret."""

    document: ReadDocument
    pair: str


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
        policy: ConfidencePolicy,
        guard: SupplierGuard,
        files: Files,
        reading: PagedReading,
        long_runs: LongRuns,
        interpreter: Interpreter,
        settings: Settings,
        clock: Clock = utc_now,
        costs: StageCosts | None = None,
        pairs: PairChoice | None = None,
        watch: RunWatch | None = None,
        suggestions: CodeSuggestions | None = None,
        orders: OrderMatcher | None = None,
        own_fields: OwnFieldFinder | None = None,
    ) -> None:
        self._queue = queue
        self._invoices = invoices
        self._memory = memory
        self._policy = policy
        self._guard = guard
        self._files = files
        self._reading = reading
        self._long_runs = long_runs
        self._interpreter = interpreter
        self._settings = settings
        self._clock = clock
        self._costs = costs or StageCosts()
        self._pairs = pairs or PairChoice(queue)
        self._watch = watch or NobodyWatches()
        self._suggestions = suggestions
        self._orders = orders
        self._own_fields = own_fields
        self._background = Background()

    async def run(self, claim: InvoiceRecord) -> None:
        """Bring the claim to one of these ends. Raises Unavailable if the store stays lost: then the lease expires."""
        logged_invoice_id.set(str(claim.invoice.id))
        with tracer.continued(claim.trace), tracer.span("run", attempt=claim.attempt), tallied() as seconds:
            log_run_started(claim, self._clock())
            self._watch.begins()
            try:
                await self._run_once(claim, seconds)
            finally:
                self._watch.ended()

    async def _run_once(self, claim: InvoiceRecord, seconds: Tally) -> None:
        kept = KeptPages(self._files, claim)
        if claim.lost_claims >= self._settings.max_lost_claims:
            await self._fail(claim, kept, _INTERRUPTED, seconds)
            return
        try:
            await self._while_leased(claim, kept, seconds)
        except asyncio.CancelledError:
            await asyncio.shield(self._release(claim, kept, Release.HANDED_BACK, seconds=0))
            raise
        except DocumentError as error:
            await self._fail(claim, kept, Failure(code=error.code, message=error.message), seconds)
        except TransientError as error:
            log.warning("run gave up waiting", extra={"step": seconds.step, "cause": str(error)})
            await self._out_of_reach(claim, kept, seconds)
        finally:
            self._long_runs.ended(claim)

    async def _while_leased(self, claim: InvoiceRecord, kept: KeptPages, seconds: Tally) -> None:
        """Work while the heartbeat keeps the lease; stop without changing anything once it is lost."""
        work = asyncio.create_task(self._work(claim, kept, seconds))
        heartbeat = asyncio.create_task(self._keep_lease(claim))
        try:
            await asyncio.wait({work, heartbeat}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
            else:
                log_lease_lost(claim)
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

    async def _work(self, claim: InvoiceRecord, kept: KeptPages, seconds: Tally) -> None:
        try:
            request, interpreted = await self._run(claim, kept)
        except (DocumentError, TransientError):
            raise
        except Exception:
            log.exception("run broke", extra={"step": seconds.step, "attempt": claim.attempt})
            await self._crashed(claim, kept, seconds)
            return
        seconds.step = "save"
        with stage("save"), timed(STAGE_SECONDS, stage="save"):
            saved = await self._save(claim, kept, interpreted)
        if saved:
            log_result(claim, self._clock(), len(interpreted.sections), seconds)
            if request is not None:
                self._watch.answered(claim, request.document, request.pair, interpreted)
        else:
            log_lease_lost(claim)

    async def _save(self, claim: InvoiceRecord, kept: KeptPages, interpreted: Interpreted) -> bool:
        """False if the lease was lost meanwhile."""
        # Before the result: a crash between the two leaves a document to be read again, not a forgotten file.
        await kept.discard()
        # The costly part is done: a short outage of the store must not waste it.
        now = self._clock()
        sections = with_usage(interpreted.sections, interpreted.spent)
        if claim.invoice.file.mime_type != MIME_TYPE:
            # An electronic invoice states its values: earlier ones change none of them.
            sections = await self._memory.apply_vendor_history(claim.account_id, sections)
        sections = await self._policy.apply(claim.account_id, sections)
        sections = await self._guard.apply(claim.account_id, claim.invoice.id, sections)
        if self._suggestions is not None:
            sections = await self._suggestions.apply(claim.account_id, claim.invoice.entity_tag, sections)
        if self._orders is not None:
            sections = await self._orders.apply(claim.account_id, claim.invoice.id, sections)
        if self._own_fields is not None:
            sections = await self._own_fields.apply(claim.account_id, claim.invoice.id, sections)
        evidence = RunEvidence(self._files, self._invoices, claim, self._settings.retry_seconds)
        keys = await evidence.write(sections)
        first, siblings = records_of(claim, sections, now, keys)
        draw = self._policy.draw
        siblings = [replace(each, drawn=draw(each.invoice.id, claim.attempt, each.invoice)) for each in siblings]
        drawn = draw(claim.invoice.id, claim.attempt, first)
        save = partial(self._queue.save_result, claim, first, now, siblings, sections[0].vendor, keys[0], drawn)
        saved = await with_retries(save, self._settings.retry_seconds, "store", on=ServiceError)
        await evidence.settle(is_saved=saved is not None)
        return saved is not None

    async def _run(self, claim: InvoiceRecord, kept: KeptPages) -> tuple["_Request | None", Interpreted]:
        if not is_live(claim.account_id):
            return None, await simulate(claim)
        begin("read")
        with tracer.span("reading"):
            read = await self._reading.read(claim, kept)
        if not any(packet.words for packet in read.packets):
            raise DocumentError(FailureCode.NO_TEXT_FOUND, "The document has no text.")
        choose = partial(self._pairs.choose, claim)
        begin("interpret")
        pair = await with_retries(choose, self._settings.retry_seconds, "store", on=ServiceError)
        find_target = partial(self._policy.target, claim.account_id)
        target = await with_retries(find_target, self._settings.retry_seconds, "store", on=ServiceError)
        # Beside the work, which it must neither delay nor fail.
        noting = self._background.start(self._note_models(claim))
        # An invoice split off earlier stays a single invoice.
        document = ReadDocument(read.packets, claim.account_id, claim.invoice.batch is not None, target)
        interpret = partial(self._interpreter.interpret, document, pair)
        try:
            interpreted = await with_retries(interpret, self._settings.retry_seconds, "reconciler")
        except DocumentError:
            self._watch.failed(claim, pair)
            raise
        finally:
            noting.cancel()
        for work, seconds in interpreted.busy.items():
            self._costs.note(work, claim.load, seconds)
        for step, seconds in interpreted.took.items():
            add(step, seconds)
        return _Request(document, pair), interpreted._replace(spent=read.spent + interpreted.spent)

    async def _note_models(self, claim: InvoiceRecord) -> None:
        """Nobody sees a stage that is over at once: most runs do without this write."""
        await asyncio.sleep(_SHOWN_AFTER_SECONDS)
        await self._queue.note_models(claim)

    async def _crashed(self, claim: InvoiceRecord, kept: KeptPages, seconds: Tally) -> None:
        """After an unexpected error: retry elsewhere, but not forever."""
        if claim.lost_claims + 1 >= self._settings.max_lost_claims:
            await self._fail(claim, kept, _INTERRUPTED, seconds)
        else:
            await self._release(claim, kept, Release.CRASHED, _CRASH_SECONDS)

    async def _out_of_reach(self, claim: InvoiceRecord, kept: KeptPages, seconds: Tally) -> None:
        if claim.releases + 1 >= self._settings.max_releases:
            await self._fail(claim, kept, _INTERRUPTED, seconds)
        else:
            delay = min(_FIRST_RELEASE_SECONDS * 2 ** min(claim.releases, 16), _LONGEST_RELEASE_SECONDS)
            await self._release(claim, kept, Release.OUT_OF_REACH, delay)

    async def _release(self, claim: InvoiceRecord, kept: KeptPages, why: Release, seconds: float) -> None:
        """End the run; another one will follow."""
        await kept.flush()
        released = await self._queue.release(claim, timedelta(seconds=seconds), why)
        count(RUNS, end=why)
        log.warning("claim given back", extra={"why": why, "seconds": seconds, "held": released})

    async def _fail(self, claim: InvoiceRecord, kept: KeptPages, failure: Failure, seconds: Tally) -> None:
        """End the run for good."""
        await kept.discard()
        if await self._queue.fail(claim, failure, self._clock()) is None:
            log_lease_lost(claim)
        else:
            log_failure(claim, self._clock(), failure, seconds, is_given_up=failure is _INTERRUPTED)


async def _ended(*tasks: "asyncio.Task[None]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
