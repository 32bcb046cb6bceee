"""Builds the loop that works on mails."""

from datetime import timedelta

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.inbound_mail import Envelope, Way
from serve_app.mail.answer import ComposeAnswer
from serve_app.mail.factory import open_mailer, sender_of
from serve_app.mail.held_mails import ComposeHeld
from serve_app.mail.trust.checker import SenderCheck
from serve_app.net.addresses import Access, parse_networks
from serve_app.services.mailroom.answers import MailAnswers
from serve_app.services.mailroom.cleanup import MailCleanup
from serve_app.services.mailroom.documents import MailedDocuments
from serve_app.services.mailroom.notices import HeldNotices
from serve_app.services.mailroom.run import MailRun
from serve_app.services.mailroom.sender_policy import CheckedSenderPolicy
from serve_app.services.mailroom.worker import MailWorker
from serve_app.services.ports import MailOpener, MailPolicy, Notifier
from serve_app.services.tasks.wake import Wake
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.accounts import build_monthly_limits
from serve_app.wiring.intake import build_intake


def build_mail_worker(
    store: Store,
    files: Files,
    opener: MailOpener,
    notifier: Notifier,
    settings: Settings,
    clock: Clock = utc_now,
    mail_policy: MailPolicy | None = None,
) -> MailWorker:
    """The loop that works on mails; build it on the event loop that will run it. `notifier` notifies a dispatcher of
    queued documents. Raises ValueError if the mail server or the sender of mail cannot be used."""
    sender, mailer = sender_of(settings), open_mailer(settings)
    intake = build_intake(store, files, Wake(notifier), settings, clock)
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
        build_monthly_limits(store, settings, clock),
        opener,
        mail_policy or CheckedSenderPolicy(build_sender_check(settings), store.memberships),
        MailedDocuments(intake, store.invoices, store.mail_documents, store.mail_pictures),
        answers,
        settings.max_file_bytes,
        clock,
    )
    cleanup = MailCleanup(store.mails, files, timedelta(days=settings.raw_mail_days), clock)
    notices = HeldNotices(store, mailer, ComposeHeld(sender, settings.public_url), clock)
    return MailWorker(
        store.mails,
        run,
        (cleanup.run_round, notices.send),
        lease_seconds=settings.lease_seconds,
        heartbeat_seconds=settings.heartbeat_seconds,
        poll_seconds=settings.poll_seconds,
        maintenance_seconds=settings.housekeeping_seconds,
        clock=clock,
    )


def build_sender_check(settings: Settings) -> SenderCheck:
    """Who sent a mail. The results of a server in front count for mails that it has brought, or that were taken from a
    mailbox."""
    networks = Access(parse_networks(settings.trusted_mail_networks), to_public=False)

    def is_from_front(envelope: Envelope) -> bool:
        if envelope.way is Way.IMAP:
            return True
        # By LMTP, the server in front may come through a socket that has no address.
        return networks.allows(envelope.peer) if envelope.peer else envelope.way is Way.LMTP

    return SenderCheck(settings.trusted_authserv_id, is_from_front)
