"""The only place that builds the services and their dependencies, with `serve_app.wiring_mail`."""

from collections.abc import Callable, Sequence
from datetime import timedelta

from serve_app.documents.isolation.mail_opener import IsolatedOpener
from serve_app.domain.approval_mail import MailLimits
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.model_pairs import Shadow
from serve_app.domain.model_report import ModelReport
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.retention import Retention
from serve_app.key_ring import KeyRing, Keys
from serve_app.key_rules import encryption_keys_in, signing_keys_in
from serve_app.mail.approval import ComposeApproval
from serve_app.mail.factory import open_mail_server, open_mailer, sender_of
from serve_app.mail.invitation import ComposeInvitation
from serve_app.mail.mention import ComposeMention
from serve_app.mail.paused import ComposePaused
from serve_app.mail.raised import ComposeRaised
from serve_app.mail.rejection import ComposeRejection
from serve_app.mail.sign_in import ComposeSignIn
from serve_app.net.addresses import parse_networks
from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.net.post import Poster
from serve_app.net.proxy import parse_proxy
from serve_app.net.trusted import TrustedServer
from serve_app.sealing import Sealer
from serve_app.secret_settings import key_file_of
from serve_app.services.accounts.callers import Callers
from serve_app.services.accounts.rate_limit import RateLimit
from serve_app.services.accounts.service import AccountService
from serve_app.services.accounts.usage import UsageService
from serve_app.services.approval.mail_allowance import MailAllowance
from serve_app.services.approval.service import ApprovalService
from serve_app.services.bundle import Services
from serve_app.services.calls.service import CallLog
from serve_app.services.candidates.decisions import CandidateDecisions
from serve_app.services.capacity.costs import StageCosts
from serve_app.services.capacity.keeper import PaceKeeper
from serve_app.services.comments.service import CommentService
from serve_app.services.csv.export import CsvExport
from serve_app.services.csv.workbook import WorkbookExport
from serve_app.services.cutting.carry_out import UnfinishedCuts
from serve_app.services.cutting.service import CuttingService
from serve_app.services.delivery.attempt import Attempts
from serve_app.services.delivery.deliverer import Deliverer
from serve_app.services.delivery.lane import ServedLane
from serve_app.services.deployment.service import DeploymentService
from serve_app.services.events.service import EventService
from serve_app.services.files.links import FileLinks
from serve_app.services.files.pictures import PagePictures
from serve_app.services.intake.create import InvoiceCreation
from serve_app.services.intake.file_urls import FileUrls
from serve_app.services.intake.stages import RunStages
from serve_app.services.intake.submit import DocumentIntake
from serve_app.services.intake.uploads import UploadOpening
from serve_app.services.intake.wait import WaitForInvoice
from serve_app.services.invoices.deletion import DeletionService
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.invoices.saved_views import SavedViewService
from serve_app.services.invoices.service import InvoiceService
from serve_app.services.mailroom.sns import SnsSignatures
from serve_app.services.models.choice import Chooser, PairChoice
from serve_app.services.models.pins import ModelPins
from serve_app.services.people.attempts import AttemptCounter
from serve_app.services.people.audit import AuditTrail
from serve_app.services.people.bundle import PeopleServices
from serve_app.services.people.invitations import Invitations
from serve_app.services.people.members import MemberService
from serve_app.services.people.oidc import OidcClient, OidcSignIn
from serve_app.services.people.sessions import SessionService
from serve_app.services.people.sign_in import SignIn, SignInLimits, SignInLinks
from serve_app.services.ports import (
    DocumentReader,
    FileOpener,
    Interpreter,
    Mailer,
    ModelReporting,
    PageTools,
    Waker,
)
from serve_app.services.processing.dispatch import Dispatcher
from serve_app.services.processing.judgement import Judgement
from serve_app.services.processing.long_runs import LongRuns
from serve_app.services.processing.memory import VendorMemory
from serve_app.services.processing.process import ProcessInvoice
from serve_app.services.processing.reading import PagedReading, ReadingLimits
from serve_app.services.retention.carry_out import RetentionRounds
from serve_app.services.review.bulk import BulkReview
from serve_app.services.review.memory import MemoryService
from serve_app.services.review.promise import PromiseWatch
from serve_app.services.review.quality import QualityService
from serve_app.services.review.rejection import RejectionMails
from serve_app.services.review.service import ReviewService
from serve_app.services.review.work import WorkService
from serve_app.services.tasks.wake import Wake
from serve_app.services.upkeep.housekeeping import Housekeeping
from serve_app.services.upkeep.mail_check import MailCheck
from serve_app.services.upkeep.ownership import FileOwnership
from serve_app.services.upkeep.readiness import Probe, Readiness
from serve_app.services.vendors.service import VendorService
from serve_app.services.webhooks.bundle import Webhooks
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.invented_events import InventedEvents
from serve_app.services.webhooks.log import DeliveryLog
from serve_app.services.webhooks.owner_notices import OwnerNotices
from serve_app.services.webhooks.secrets import EndpointSecrets
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from serve_app.wiring_candidates import build_candidate_service, build_candidates
from serve_app.wiring_mail import build_mailroom, build_start_times


async def _no_reports() -> list[ModelReport]:
    return []


def build_services(
    store: Store,
    files: Files,
    waker: Waker,
    cutter: PageTools,
    models: Probe,
    settings: Settings,
    clock: Clock = utc_now,
    sandbox_missing: Sequence[str] = (),
    reports: ModelReporting = _no_reports,
    mailroom: Waker | None = None,
    pairs: Sequence[str] = (),
    opener: FileOpener | None = None,
) -> Services:
    """The services for the API of one process. `waker` notifies a dispatcher of a queued document, `mailroom` a mail
    worker of a queued mail; `models` returns if both models answer; `/readyz` names `sandbox_missing`, and `reports`
    asks the models' replicas; `pairs` are the pairs of models beside the first one; `opener` takes uploaded files
    apart, by default in a process of its own that starts with the first of them and ends with `finish`. Raises
    ValueError if the settings have no signing or encryption key, or an unusable mail server or sender."""
    signing_keys = build_signing_keys(settings)
    guard, mailer = _guard(settings, settings.file_url_networks), open_mailer(settings)
    fetcher = Fetcher(guard, settings.fetch_seconds)
    readiness = Readiness(store.connection, models, sandbox_missing=sandbox_missing)
    wake = Wake(waker)
    intake = DocumentIntake(store.intake, files, wake, settings.max_file_bytes, clock)
    start_times = build_start_times(store, settings, clock)
    invoices = InvoiceService(store.invoices, store.intake, InvoiceEraser(store, files, clock), wake, clock)
    wait = WaitForInvoice(store.queue, settings.max_held_calls, settings.wait_poll_seconds)
    audit = AuditTrail(store.audit, clock)
    compose = ComposeRaised(sender_of(settings))
    quality = QualityService(store.accounts, store.reviews, store.thresholds, mailer, compose, audit, clock)
    reviews = build_reviews(store, files, clock, _on_decisions(store, PromiseWatch(quality)))
    work = WorkService(store.work, store.memberships, AuditTrail(store.audit, clock))
    return Services(
        settings=settings,
        signing_keys=signing_keys,
        callers=Callers(store.keys, store.quotas, clock),
        accounts=build_accounts(store, clock),
        usage=UsageService(store.quotas, clock),
        calls=CallLog(store.calls, clock),
        rate_limit=RateLimit(store.rate_windows, settings.rate_limit, clock),
        file_urls=FileUrls(fetcher, settings.max_file_bytes),
        sns=SnsSignatures(fetcher, clock),
        creation=InvoiceCreation(
            intake, wait, store.invoices, store.idempotency, settings.wait_seconds, clock, start_times
        ),
        uploads=UploadOpening(opener or IsolatedOpener(settings.read_options()), settings.max_file_bytes),
        wait=wait,
        start_times=start_times,
        stages=RunStages(store.queue),
        invoices=invoices,
        deletions=build_deletions(store, files, clock),
        cutting=CuttingService(store, files, cutter, invoices, wake, clock),
        pictures=PagePictures(store.invoices, files, cutter),
        file_links=FileLinks(store.invoices, files, cutter, signing_keys, clock),
        approvals=ApprovalService(
            store.invoices,
            MailAllowance(store.approval_mails, _mail_limits(settings), clock),
            mailer,
            ComposeApproval(sender_of(settings)),
            signing_keys,
            clock,
        ),
        csv=CsvExport(store.invoices),
        workbooks=WorkbookExport(CsvExport(store.invoices)),
        reviews=reviews,
        memory=MemoryService(store.invoices, store.memory, store.vendors, files, AuditTrail(store.audit, clock)),
        quality=quality,
        work=work,
        comments=CommentService(
            store.comments,
            store.memberships,
            store.automatic_mails,
            mailer,
            ComposeMention(sender_of(settings)),
            audit,
            clock,
        ),
        saved_views=SavedViewService(store.saved_views),
        bulk_review=BulkReview(store.invoices, reviews, work, clock),
        rejection_mails=RejectionMails(
            store.invoices,
            store.mails,
            store.automatic_mails,
            mailer,
            ComposeRejection(sender_of(settings)),
            AuditTrail(store.audit, clock),
            clock,
        ),
        vendors=VendorService(store.vendors, audit),
        events=EventService(store.events),
        people=build_people(store, settings, mailer, clock),
        mailroom=build_mailroom(store, files, settings, clock, _waking(mailroom)),
        readiness=readiness,
        mail_check=MailCheck(open_mail_server(settings), clock),
        webhooks=build_webhooks(store, settings, clock),
        pins=build_pins(store, pairs, clock),
        deployment=DeploymentService(store, settings, readiness, reports, clock),
        candidates=build_candidate_service(store, clock),
    )


def _on_decisions(store: Store, promise: PromiseWatch) -> Callable[[InvoiceRecord], None]:
    """What follows a person's decision beside it."""
    candidates = CandidateDecisions(store.comparisons, store.canaries)

    def decided(record: InvoiceRecord) -> None:
        promise.decided(record.account_id)
        candidates.decided(record)

    return decided


def build_dispatcher(
    store: Store,
    files: Files,
    reader: DocumentReader,
    interpreter: Interpreter,
    settings: Settings,
    clock: Clock = utc_now,
    delivery: Waker | None = None,
    held_calls: Waker | None = None,
    pairs: Sequence[str] = (),
    shadow: Shadow | None = None,
) -> Dispatcher:
    """A dispatcher, ready to `run`; build it on the event loop that will run it. `delivery` is notified of new
    deliveries, `held_calls` of ended runs; `pairs` are the pairs of models beside the first one, `shadow`
    the one that reads along."""
    long_runs = LongRuns(settings.max_long_running)
    limits = ReadingLimits(settings.read_options().limits.max_words, settings.reader_seconds, settings.retry_seconds)
    costs = StageCosts()
    keeper = PaceKeeper(store.queue, store.paces, costs, settings.max_running_per_account, clock)
    reading = PagedReading(reader, limits, settings.max_page_reads, long_runs, costs)
    canaries = build_candidates(store, interpreter, settings, shadow, clock) if pairs else None
    choosers: list[Chooser] = [build_pins(store, pairs, clock).chosen, *([canaries.watch.choose] if canaries else [])]
    process = ProcessInvoice(
        store.queue,
        store.invoices,
        VendorMemory(store.memory, store.vendors),
        Judgement(store.thresholds, settings.audit_share),
        files,
        reading,
        long_runs,
        interpreter,
        settings,
        clock,
        costs,
        PairChoice(store.queue, bool(pairs), choosers),
        canaries.watch if canaries else None,
    )
    cuts = UnfinishedCuts(store, files, timedelta(seconds=settings.reservation_seconds), clock)
    housekeeping = Housekeeping(
        store,
        files,
        settings.reservation_seconds,
        clock,
        cuts.finish,
        build_deletions(store, files, clock).finish_left,
        RetentionRounds(
            store,
            files,
            Retention(settings.keep_values_days, settings.keep_events_days, settings.keep_documents_days),
            clock,
        ).run,
    )
    wakers = _waking(delivery), _waking(held_calls)
    return Dispatcher(store, process.run, settings, housekeeping, *wakers, long_runs, keeper, canaries)


def _guard(settings: Settings, networks: str) -> Guard:
    proxy = settings.egress_proxy
    return Guard(parse_networks(networks), proxy=None if proxy is None else parse_proxy(proxy.get_secret_value()))


def build_pins(store: Store, further: Sequence[str], clock: Clock = utc_now) -> ModelPins:
    """Accounts that stay on a pair of models; `further` are the pairs that are served beside the first one."""
    return ModelPins(store.pins, AuditTrail(store.audit, clock), further, clock)


def build_deletions(store: Store, files: Files, clock: Clock = utc_now) -> DeletionService:
    """Deletions that can still be undone."""
    return DeletionService(store.deletions, InvoiceEraser(store, files, clock), AuditTrail(store.audit, clock), clock)


def _waking(waker: Waker | None) -> Callable[[], None]:
    return Wake(waker).request if waker else lambda: None


def build_deliverer(store: Store, settings: Settings, clock: Clock = utc_now) -> Deliverer:
    """A deliverer, ready to `run`; build it on the event loop that will run it. Raises ValueError if the settings have
    no encryption key, or an unusable mail server or sender."""
    guard = _guard(settings, settings.webhook_networks)
    poster = Poster(guard, settings.webhook_seconds)
    attempts = Attempts(store, build_sealer(settings), clock)
    return Deliverer(
        store,
        lambda lane: ServedLane(store, poster, attempts, lane),
        build_owner_notices(store, settings, clock).send,
        clock,
        poll_seconds=settings.poll_seconds,
        chores_seconds=settings.housekeeping_seconds,
    )


def build_reviews(
    store: Store, files: Files, clock: Clock = utc_now, decided: Callable[[InvoiceRecord], None] = lambda _: None
) -> ReviewService:
    """What people say about invoices; `decided` is called with the record after each verdict."""
    return ReviewService(store.invoices, store.reviews, files, AuditTrail(store.audit, clock), clock, decided)


async def claim_files(settings: Settings) -> None:
    """Note in the file store of the settings that it belongs to the deployment of their database, if no deployment has
    it. Raises UserError if another one has, Unavailable."""
    store, files = open_store(settings), open_files(settings)
    try:
        await FileOwnership(store.deployment, files).claim()
    finally:
        await store.connection.close()
        await files.close()


def build_accounts(store: Store, clock: Clock = utc_now) -> AccountService:
    """Management of accounts and keys, for an operator."""
    return AccountService(store.accounts, store.keys, clock)


def build_members(store: Store, clock: Clock = utc_now) -> MemberService:
    """Who belongs to which account, for an operator or the web application."""
    audit = AuditTrail(store.audit, clock)
    return MemberService(store.accounts, store.people, store.memberships, store.sessions, audit, clock)


def build_people(store: Store, settings: Settings, mailer: Mailer, clock: Clock = utc_now) -> PeopleServices:
    """All about people, for the web application. Raises ValueError if the sender of mail cannot be used."""
    members, attempts = build_members(store, clock), AttemptCounter(store.rate_windows, clock)
    limits = SignInLimits(settings.sign_in_mails_per_address, settings.sign_in_attempts_per_peer)
    compose = ComposeSignIn(sender_of(settings))
    return PeopleServices(
        members=members,
        invitations=Invitations(members, attempts, mailer, ComposeInvitation(sender_of(settings)), clock),
        sign_in=SignIn(store.people, store.sign_ins, attempts, limits, mailer, compose, clock),
        links=SignInLinks(store.sign_ins, clock),
        sessions=SessionService(store.sessions, store.memberships, clock),
        audit=AuditTrail(store.audit, clock),
        provider=_provider(settings, store, clock),
    )


def _provider(settings: Settings, store: Store, clock: Clock) -> OidcSignIn | None:
    if not settings.oidc_issuer or not settings.oidc_client_id or settings.oidc_client_secret is None:
        return None
    client = OidcClient(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret.get_secret_value(),
        settings.oidc_name,
    )
    return OidcSignIn(client, TrustedServer(), store.people, clock)


def build_webhooks(store: Store, settings: Settings, clock: Clock = utc_now) -> Webhooks:
    """Webhook endpoints and their deliveries, for an operator or the web application. Raises ValueError if the settings
    have no encryption key."""
    guard = _guard(settings, settings.webhook_networks)
    secrets = EndpointSecrets(build_sealer(settings))
    return Webhooks(
        endpoints=EndpointService(store.accounts, store.endpoints, secrets, guard, clock),
        deliveries=DeliveryLog(store.endpoints, store.deliveries, secrets, clock),
        invented_events=InventedEvents(store.endpoints, store.deliveries, clock),
    )


def build_owner_notices(store: Store, settings: Settings, clock: Clock = utc_now) -> OwnerNotices:
    """Mail to owners about paused endpoints. Raises ValueError if the mail server or sender cannot be used."""
    compose = ComposePaused(sender_of(settings))
    return OwnerNotices(store.accounts, store.endpoints, store.deliveries, open_mailer(settings), compose, clock)


def _mail_limits(settings: Settings) -> MailLimits:
    return MailLimits(settings.approval_mails_per_account, settings.approval_mails_per_recipient)


def build_sealer(settings: Settings) -> Sealer:
    """The encryption of secrets for the store. Raises ValueError if the settings have no encryption key."""
    if settings.encryption_key is None:
        raise ValueError("the settings have no encryption key")
    given, path = settings.encryption_key.get_secret_value(), key_file_of(settings, "encryption_key")
    return Sealer(KeyRing(given, path, encryption_keys_in))


def build_signing_keys(settings: Settings) -> Keys:
    """The keys that sign links. Raises ValueError if the settings have none."""
    if settings.signing_key is None:
        raise ValueError("the settings have no signing key")
    given, path = settings.signing_key.get_secret_value(), key_file_of(settings, "signing_key")
    return KeyRing(given, path, signing_keys_in)
