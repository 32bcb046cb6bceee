"""Builds the services that accept documents."""

from datetime import timedelta

from serve_app.documents.isolation.mail_opener import IsolatedOpener
from serve_app.domain.clock import Clock, utc_now
from serve_app.services.capacity.start_times import StartTimes
from serve_app.services.intake.submit import DocumentIntake
from serve_app.services.intake.uploads import UploadOpening
from serve_app.services.intake.wait import WaitForInvoice
from serve_app.services.ports import FileOpener
from serve_app.services.tasks.wake import Wake
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.accounts import build_monthly_limits


def build_intake(store: Store, files: Files, wake: Wake, settings: Settings, clock: Clock = utc_now) -> DocumentIntake:
    """Stores and queues documents, whichever way they come; `wake` notifies a dispatcher."""
    limits = build_monthly_limits(store, settings, clock)
    largest = settings.max_file_bytes
    return DocumentIntake(store.intake, limits, files, wake, largest, clock, accepts_xml=settings.accept_xml)


def build_start_times(store: Store, settings: Settings, clock: Clock = utc_now) -> StartTimes:
    """How long documents wait, and whether more are accepted."""
    longest = settings.max_wait_seconds
    return StartTimes(store.queue, store.paces, None if longest is None else timedelta(seconds=longest), clock)


def build_wait(store: Store, settings: Settings) -> WaitForInvoice:
    """Holds calls until their invoice is finished."""
    return WaitForInvoice(store.queue, settings.max_held_calls, settings.wait_poll_seconds)


def build_uploads(settings: Settings, opener: FileOpener | None = None) -> UploadOpening:
    """Takes uploaded files apart by `opener`, by default in a process of its own that starts with the first file."""
    opener = opener or IsolatedOpener(settings.read_options())
    return UploadOpening(opener, settings.max_file_bytes, accepts_xml=settings.accept_xml)
