"""The one place that knows services and what they are made of."""

from collections.abc import Callable
from datetime import datetime

from serve_app.calibration_file import load_calibration
from serve_app.domain.clock import utc_now
from serve_app.services.accounts import ManageAccounts
from serve_app.services.authenticate import Authenticate
from serve_app.services.bundle import Services
from serve_app.services.dispatch import Dispatcher
from serve_app.services.extract import CalibratedExtract
from serve_app.services.file_links import FileLinks
from serve_app.services.get_invoice import GetInvoice
from serve_app.services.housekeeping import Housekeeping
from serve_app.services.me import DescribeCaller
from serve_app.services.ports import DocumentReader, FieldModel, PageCutter, Waker
from serve_app.services.process import Extract, ProcessInvoice
from serve_app.services.rate_limit import RateLimit
from serve_app.services.submit import SubmitInvoice
from serve_app.services.wait import WaitForInvoice
from serve_app.settings import Settings
from serve_app.store.base import Files, Store


def build_services(
    store: Store,
    files: Files,
    waker: Waker,
    cutter: PageCutter,
    settings: Settings,
    clock: Callable[[], datetime] = utc_now,
) -> Services:
    """What the API of one process needs; `waker` tells a dispatcher that a document was queued. ValueError where the
    settings have no signing key."""
    if settings.signing_key is None:
        raise ValueError("the settings have no signing key")
    return Services(
        settings=settings,
        authenticate=Authenticate(store.keys),
        rate_limit=RateLimit(store.rate_windows, settings.rate_limit, clock),
        submit=SubmitInvoice(store.intake, files, waker, settings.max_file_bytes, clock),
        get_invoice=GetInvoice(store.invoices),
        file_links=FileLinks(store.invoices, files, cutter, settings.signing_key.get_secret_value(), clock),
        wait=WaitForInvoice(store.queue, settings.max_held_calls, settings.wait_poll_seconds),
        me=DescribeCaller(store.quotas, clock),
        health=store.connection,
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
