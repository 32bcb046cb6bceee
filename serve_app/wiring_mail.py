"""Builds the services about mails that come in, and their dependencies; a part of `serve_app.wiring`."""

from collections.abc import Callable
from datetime import timedelta

from serve_app.documents.limits import MIB
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.inbound_mail import DayLimits, Envelope, Way
from serve_app.domain.user_error import UserError
from serve_app.mail.answer import ComposeAnswer
from serve_app.mail.factory import open_mailer, sender_of
from serve_app.mail.held import ComposeHeld
from serve_app.mail.imap.account import parse_imap_url
from serve_app.mail.imap.mailboxes import MailboxSettings, mailboxes_of
from serve_app.mail.imap.reading import MailboxReading
from serve_app.mail.imap.token import token_request
from serve_app.mail.imap.watch import WatchOptions
from serve_app.mail.listener.certificate import Certificate
from serve_app.mail.listener.guests import Guests
from serve_app.mail.listener.server import Greeting, MailListener, Place, place_in
from serve_app.mail.reach.check import ReachCheck
from serve_app.mail.trial import ComposeTrial
from serve_app.mail.trust.checker import SenderCheck
from serve_app.net.addresses import Access, parse_networks
from serve_app.net.trusted import TrustedServer
from serve_app.services.capacity.start_times import StartTimes
from serve_app.services.intake.submit import DocumentIntake
from serve_app.services.mailroom.addresses import AddressService
from serve_app.services.mailroom.answers import MailAnswers
from serve_app.services.mailroom.bundle import Mailroom
from serve_app.services.mailroom.care import MailCare
from serve_app.services.mailroom.documents import MailedDocuments
from serve_app.services.mailroom.gate import CheckedGate
from serve_app.services.mailroom.mails import MailService
from serve_app.services.mailroom.notices import HeldNotices
from serve_app.services.mailroom.reception import Reception, ReceptionLimits
from serve_app.services.mailroom.results import MailResults
from serve_app.services.mailroom.run import MailRun
from serve_app.services.mailroom.trial import MailTrials
from serve_app.services.mailroom.worker import MailWorker
from serve_app.services.ports import Gatekeeper, MailOpener, Waker
from serve_app.services.tasks.wake import Wake
from serve_app.settings import Settings
from serve_app.store.base import Files, Store


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
        reach=ReachCheck(settings.mail_domain, clock=clock),
    )


def build_start_times(store: Store, settings: Settings, clock: Clock = utc_now) -> StartTimes:
    """How long documents wait, and whether more are accepted."""
    longest = settings.max_wait_seconds
    return StartTimes(store.queue, store.paces, None if longest is None else timedelta(seconds=longest), clock)


def build_addresses(store: Store, settings: Settings, clock: Clock = utc_now) -> AddressService:
    """The private mail addresses of accounts."""
    return AddressService(store.mail_addresses, settings.mail_domain, clock)


def build_mail_listener(reception: Reception, settings: Settings) -> MailListener:
    """What takes mail by SMTP and LMTP; build it on the event loop that will run it. Raises UserError if the
    certificate cannot be used."""
    networks = Access(parse_networks(settings.trusted_mail_networks), to_public=False)
    certificate = None
    if settings.mail_tls_certificate is not None:
        key = settings.mail_tls_key or settings.mail_tls_certificate
        certificate = Certificate(settings.mail_tls_certificate, key)
    greeting = Greeting(settings.mail_hostname or settings.mail_domain, certificate, settings.mail_behind_proxy)
    return MailListener(reception, Guests(settings.mail_connections, settings.mails_per_peer, networks), greeting)


def mail_places(settings: Settings) -> list[Place]:
    """Where mail is taken. Raises UserError if a setting names no place."""
    given = ((settings.mail_smtp, Way.SMTP), (settings.mail_lmtp, Way.LMTP))
    return [place_in(text, way) for text, way in given if text]


def build_mail_worker(
    store: Store,
    files: Files,
    opener: MailOpener,
    waker: Waker,
    settings: Settings,
    clock: Clock = utc_now,
    gatekeeper: Gatekeeper | None = None,
) -> MailWorker:
    """The loop that works on mails; build it on the event loop that will run it. `waker` notifies a dispatcher of
    queued documents. Raises ValueError if the mail server or the sender of mail cannot be used."""
    sender, mailer = sender_of(settings), open_mailer(settings)
    intake = DocumentIntake(store.intake, files, Wake(waker), settings.max_file_bytes, clock)
    answers = MailAnswers(
        store.automatic_mails,
        store.memberships,
        store.mails,
        store.invoices,
        mailer,
        ComposeAnswer(sender),
        sender.addr_spec,
        clock,
    )
    run = MailRun(
        store,
        files,
        opener,
        gatekeeper or CheckedGate(build_sender_check(settings), store.memberships),
        MailedDocuments(intake, store.invoices, store.mail_documents, store.mail_pictures),
        answers,
        settings.max_file_bytes,
        clock,
    )
    care = MailCare(store.mails, files, timedelta(days=settings.raw_mail_days), clock)
    notices = HeldNotices(store, mailer, ComposeHeld(sender, settings.public_url), clock)
    return MailWorker(
        store.mails,
        run,
        (care.run_round, notices.send),
        lease_seconds=settings.lease_seconds,
        heartbeat_seconds=settings.heartbeat_seconds,
        poll_seconds=settings.poll_seconds,
        chores_seconds=settings.housekeeping_seconds,
        clock=clock,
    )


def build_mailbox_readings(store: Store, files: Files, settings: Settings) -> list[MailboxReading]:
    """Read the mailboxes of the settings, if there are any. Raises UserError for one that cannot be used."""
    mailboxes = mailboxes_of(settings)
    reception = build_mailroom(store, files, settings).reception
    return [_mailbox_reading(mailbox, reception, store, settings.max_mail_bytes) for mailbox in mailboxes]


def _mailbox_reading(mailbox: MailboxSettings, reception: Reception, store: Store, max_bytes: int) -> MailboxReading:
    account, token = parse_imap_url(mailbox.url.get_secret_value()), token_request(mailbox)
    if account.password is None and token is None:
        raise UserError("a mailbox has neither a password in its URL nor an OAuth token URL")
    options = WatchOptions(max_bytes, mailbox.move_to)
    return MailboxReading(account, mailbox.address, reception, store.mailboxes, options, TrustedServer(), token)


def build_sender_check(settings: Settings) -> SenderCheck:
    """Who sent a mail. The results of a server in front count for mails that it has brought, or that were taken out of
    a mailbox."""
    networks = Access(parse_networks(settings.trusted_mail_networks), to_public=False)

    def is_from_front(envelope: Envelope) -> bool:
        if envelope.way is Way.IMAP:
            return True
        # By LMTP, the server in front may come through a socket that has no address.
        return networks.allows(envelope.peer) if envelope.peer else envelope.way is Way.LMTP

    return SenderCheck(settings.trusted_authserv_id, is_from_front)
