"""Builds the services about mails that come in."""

from collections.abc import Callable
from datetime import timedelta

from serve_app.documents.limits import MIB
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.inbound_mail import DayLimits
from serve_app.mail.factory import open_mailer, sender_of
from serve_app.mail.reachability.check import ReachabilityCheck
from serve_app.mail.trial_mail import ComposeTrial
from serve_app.services.mailroom.addresses import AddressService
from serve_app.services.mailroom.bundle import Mailroom
from serve_app.services.mailroom.mails import MailService
from serve_app.services.mailroom.reception import Reception, ReceptionLimits
from serve_app.services.mailroom.results import MailResults
from serve_app.services.mailroom.trial import MailTrials
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.intake import build_start_times


def build_mailroom(
    store: Store,
    files: Files,
    settings: Settings,
    clock: Clock = utc_now,
    on_queued: Callable[[], None] = lambda: None,
) -> Mailroom:
    """Accepting mails, and what people do with them; `on_queued` is called when one is to be worked on. Raises
    ValueError if the sender of mail cannot be used."""
    limits = ReceptionLimits(
        settings.max_mail_bytes,
        DayLimits(settings.mails_per_address, settings.mail_megabytes_per_address * MIB),
        timedelta(seconds=settings.reservation_seconds),
    )
    sender = sender_of(settings)
    addresses = build_addresses(store, settings, clock)
    mailer = open_mailer(settings) if settings.smtp_url else None
    return Mailroom(
        reception=Reception(
            store.mail_addresses,
            store.mails,
            files,
            limits,
            sender.addr_spec,
            clock,
            on_queued,
            build_start_times(store, settings, clock),
        ),
        addresses=addresses,
        mails=MailService(store.mails, files, clock, on_queued),
        results=MailResults(store.mails, store.invoices),
        trials=MailTrials(addresses, store.mails, store.automatic_mails, mailer, ComposeTrial(sender), clock),
        reach=ReachabilityCheck(settings.mail_domain, clock=clock),
    )


def build_addresses(store: Store, settings: Settings, clock: Clock = utc_now) -> AddressService:
    """The private mail addresses of accounts."""
    return AddressService(store.mail_addresses, settings.mail_domain, clock)
