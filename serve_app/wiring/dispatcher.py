"""Builds the dispatcher, which has documents processed, and its housekeeping."""

from collections.abc import Sequence
from datetime import timedelta

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.model_pairs import Shadow
from serve_app.domain.retention import Retention
from serve_app.net.fetch import Fetcher
from serve_app.services.candidates.canary_controller import CanaryController
from serve_app.services.capacity.backlog_monitor import BacklogMonitor
from serve_app.services.capacity.costs import StageCosts
from serve_app.services.coding.suggestions import CodeSuggestions
from serve_app.services.cutting.plan_execution import UnfinishedCuts
from serve_app.services.models.choice import Chooser, PairChoice
from serve_app.services.orders.matching import OrderMatcher
from serve_app.services.orders.rounds import OrderRounds
from serve_app.services.own_fields.finding import OwnFieldFinder
from serve_app.services.ports import DocumentReader, Interpreter, Notifier
from serve_app.services.processing.confidence_policy import ConfidencePolicy
from serve_app.services.processing.dispatch import Dispatcher
from serve_app.services.processing.long_runs import LongRuns
from serve_app.services.processing.memory import VendorMemory
from serve_app.services.processing.process import ProcessInvoice
from serve_app.services.processing.reading import PagedReading, ReadingLimits
from serve_app.services.retention.rounds import RetentionRounds
from serve_app.services.suppliers.guard import SupplierGuard
from serve_app.services.suppliers.list_file import SupplierListFile
from serve_app.services.suppliers.vies import Vies
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.candidates import build_candidates
from serve_app.wiring.invoices import build_deletions
from serve_app.wiring.network import build_guard
from serve_app.wiring.pins import build_pins
from serve_app.wiring.wake_requests import build_wake_request

# An invoice waits so long for the register of tax numbers.
_VIES_SECONDS = 5.0


def build_dispatcher(
    store: Store,
    files: Files,
    reader: DocumentReader,
    interpreter: Interpreter,
    settings: Settings,
    clock: Clock = utc_now,
    delivery: Notifier | None = None,
    held_calls: Notifier | None = None,
    pairs: Sequence[str] = (),
    shadow: Shadow | None = None,
) -> Dispatcher:
    """A dispatcher, ready to `run`; build it on the event loop that will run it. `delivery` is notified of new
    deliveries, `held_calls` of ended runs; `pairs` are the pairs of models beside the first one, `shadow`
    the one that reads along."""
    long_runs, costs = LongRuns(settings.max_long_running), StageCosts()
    monitor = BacklogMonitor(store.queue, store.paces, costs, settings.max_running_per_account, clock)
    canaries = build_candidates(store, interpreter, settings, shadow, clock) if pairs else None
    process = ProcessInvoice(
        store.queue,
        store.invoices,
        VendorMemory(store.memory, store.vendors),
        ConfidencePolicy(store.accounts, store.thresholds, settings.audit_share, settings.target_precision),
        _build_guard(store, settings, clock),
        files,
        _build_reading(reader, settings, long_runs, costs),
        long_runs,
        interpreter,
        settings,
        clock,
        costs,
        _build_choice(store, pairs, canaries, clock),
        canaries.watch if canaries else None,
        CodeSuggestions(store.charts, store.coding_examples),
        OrderMatcher(store, clock),
        OwnFieldFinder(store.own_fields, store.own_field_examples),
    )
    housekeeping = _build_housekeeping(store, files, settings, clock)
    notifiers = build_wake_request(delivery), build_wake_request(held_calls)
    return Dispatcher(store, process.run, settings, housekeeping, *notifiers, long_runs, monitor, canaries)


def _build_guard(store: Store, settings: Settings, clock: Clock) -> SupplierGuard:
    listed = SupplierListFile(settings.supplier_list)
    if not settings.vies_url:
        return SupplierGuard(store, clock, listed)
    fetch = Fetcher(build_guard(settings, settings.file_url_networks), _VIES_SECONDS)
    return SupplierGuard(store, clock, listed, Vies(settings.vies_url, fetch, clock))


def _build_reading(reader: DocumentReader, settings: Settings, long_runs: LongRuns, costs: StageCosts) -> PagedReading:
    limits = ReadingLimits(settings.read_options().limits.max_words, settings.reader_seconds, settings.retry_seconds)
    return PagedReading(reader, limits, settings.max_page_reads, long_runs, costs)


def _build_choice(store: Store, pairs: Sequence[str], canaries: CanaryController | None, clock: Clock) -> PairChoice:
    choosers: list[Chooser] = [build_pins(store, pairs, clock).chosen, *([canaries.watch.choose] if canaries else [])]
    return PairChoice(store.queue, bool(pairs), choosers)


def _build_housekeeping(store: Store, files: Files, settings: Settings, clock: Clock) -> Housekeeping:
    cuts = UnfinishedCuts(store, files, timedelta(seconds=settings.reservation_seconds), clock)
    retention = Retention(settings.keep_values_days, settings.keep_events_days, settings.keep_documents_days)
    return Housekeeping(
        store,
        files,
        settings.reservation_seconds,
        clock,
        cuts.finish,
        build_deletions(store, files, clock).finish_left,
        RetentionRounds(store, files, retention, clock).run,
        OrderRounds(store, files, clock).run,
    )
