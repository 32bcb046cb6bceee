"""The one place that knows services and what they are made of."""

from collections.abc import Callable
from datetime import datetime

from serve_app.calibration_file import load_calibration
from serve_app.domain.clock import utc_now
from serve_app.mail.approval import ComposeApproval
from serve_app.mail.factory import open_mailer, sender_of
from serve_app.net.addresses import parse_networks
from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.services.accounts import ManageAccounts
from serve_app.services.amend import AmendInvoice
from serve_app.services.approval import Approvals
from serve_app.services.authenticate import Authenticate
from serve_app.services.bundle import Services
from serve_app.services.create import CreateInvoice
from serve_app.services.dispatch import Dispatcher
from serve_app.services.export_csv import ExportCsv
from serve_app.services.extract import CalibratedExtract
from serve_app.services.fetch_file import FetchFile
from serve_app.services.file_links import FileLinks
from serve_app.services.get_invoice import GetInvoice
from serve_app.services.housekeeping import Housekeeping
from serve_app.services.lists import ListEvents, ListInvoices, ListVendors
from serve_app.services.me import DescribeCaller
from serve_app.services.ports import DocumentReader, FieldModel, PageCutter, Waker
from serve_app.services.process import Extract, ProcessInvoice
from serve_app.services.rate_limit import RateLimit
from serve_app.services.readiness import Probe, Readiness
from serve_app.services.rerun import RerunExtraction
from serve_app.services.submit import SubmitInvoice
from serve_app.services.wait import WaitForInvoice
from serve_app.services.wake import Wake
from serve_app.settings import Settings
from serve_app.store.base import Files, Store


def build_services(
    store: Store,
    files: Files,
    waker: Waker,
    cutter: PageCutter,
    models: Probe,
    settings: Settings,
    clock: Callable[[], datetime] = utc_now,
) -> Services:
    """What the API of one process needs; `waker` tells a dispatcher that a document was queued, `models` returns when
    both models answer. ValueError where the settings have no signing key, or a mail server or sender that cannot be
    used."""
    if settings.signing_key is None:
        raise ValueError("the settings have no signing key")
    guard = Guard(parse_networks(settings.allowed_networks))
    wake = Wake(waker)
    submit = SubmitInvoice(store.intake, files, wake, settings.max_file_bytes, clock)
    wait = WaitForInvoice(store.queue, settings.max_held_calls, settings.wait_poll_seconds)
    return Services(
        settings=settings,
        authenticate=Authenticate(store.keys),
        rate_limit=RateLimit(store.rate_windows, settings.rate_limit, clock),
        fetch=FetchFile(Fetcher(guard, settings.fetch_seconds), settings.max_file_bytes),
        create=CreateInvoice(submit, wait, store.invoices, store.idempotency, settings.wait_seconds, clock),
        get_invoice=GetInvoice(store.invoices),
        list_invoices=ListInvoices(store.invoices),
        amend=AmendInvoice(store.invoices, clock),
        rerun=RerunExtraction(store.invoices, store.intake, wake, clock),
        file_links=FileLinks(store.invoices, files, cutter, settings.signing_key.get_secret_value(), clock),
        approvals=Approvals(
            store.invoices,
            open_mailer(settings),
            ComposeApproval(sender_of(settings)),
            settings.signing_key.get_secret_value(),
            clock,
        ),
        export_csv=ExportCsv(store.invoices),
        list_vendors=ListVendors(store.vendors),
        list_events=ListEvents(store.events),
        me=DescribeCaller(store.quotas, clock),
        readiness=Readiness(store.connection, models),
    )


def build_dispatcher(
    store: Store,
    files: Files,
    reader: DocumentReader,
    extractor: FieldModel,
    verifier: FieldModel,
    settings: Settings,
    extract: Extract | None = None,
    clock: Callable[[], datetime] = utc_now,
) -> Dispatcher:
    """A dispatcher, ready to `run`; build it on the event loop that it will run on. CalibrationError (a ValueError)
    where the settings name a calibration that cannot be used."""
    calibrated = CalibratedExtract(load_calibration(settings.calibration))
    process = ProcessInvoice(
        store.queue, reader, extractor, verifier, settings, extract or calibrated.every, clock, calibrated.one
    )
    housekeeping = Housekeeping(store, files, settings.reservation_seconds, clock)
    return Dispatcher(store, process, settings, housekeeping)


def build_accounts(store: Store, clock: Callable[[], datetime] = utc_now) -> ManageAccounts:
    """Accounts and keys, for an operator."""
    return ManageAccounts(store.accounts, store.keys, clock)
