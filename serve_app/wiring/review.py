"""Builds the services with which people review invoices."""

from collections.abc import Callable

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.record import InvoiceRecord
from serve_app.mail.factory import sender_of
from serve_app.mail.mention import ComposeMention
from serve_app.mail.raised_threshold import ComposeRaised
from serve_app.mail.rejection import ComposeRejection
from serve_app.services.candidates.decisions import CandidateDecisions
from serve_app.services.comments.service import CommentService
from serve_app.services.orders.matching import OrderMatcher
from serve_app.services.own_fields.finding import OwnFieldFinder
from serve_app.services.people.audit import AuditTrail
from serve_app.services.ports import Mailer
from serve_app.services.review.memory import MemoryService
from serve_app.services.review.precision_watch import PrecisionWatch
from serve_app.services.review.quality import QualityService
from serve_app.services.review.rejection import RejectionMails
from serve_app.services.review.service import ReviewService
from serve_app.services.review.work import WorkService
from serve_app.settings import Settings
from serve_app.store.base import Files, Store

Decided = Callable[[InvoiceRecord], None]


def build_reviews(
    store: Store, files: Files, clock: Clock = utc_now, decided: Decided = lambda _: None
) -> ReviewService:
    """What people say about invoices; `decided` is called with the record after each verdict."""
    audit, orders = AuditTrail(store.audit, clock), OrderMatcher(store, clock)
    finder = OwnFieldFinder(store.own_fields, store.own_field_examples)
    return ReviewService(store.invoices, store.reviews, files, audit, clock, decided, orders, store.own_fields, finder)


def build_watched_reviews(store: Store, files: Files, quality: QualityService, clock: Clock = utc_now) -> ReviewService:
    """The same, where each verdict also counts for the promised precision and for models that are tried."""
    precision, candidates = PrecisionWatch(quality), CandidateDecisions(store.comparisons, store.canaries)

    def decided(record: InvoiceRecord) -> None:
        precision.decided(record.account_id)
        candidates.decided(record)

    return build_reviews(store, files, clock, decided)


def build_quality(store: Store, settings: Settings, mailer: Mailer, clock: Clock = utc_now) -> QualityService:
    """How often `high` values were right. Raises ValueError if the sender of mail cannot be used."""
    audit, compose = AuditTrail(store.audit, clock), ComposeRaised(sender_of(settings))
    return QualityService(store.accounts, store.reviews, store.thresholds, mailer, compose, audit, clock)


def build_work(store: Store, clock: Clock = utc_now) -> WorkService:
    """Who reviews which invoice."""
    return WorkService(store.work, store.memberships, AuditTrail(store.audit, clock))


def build_memory(store: Store, files: Files, clock: Clock = utc_now) -> MemoryService:
    """What was learned about vendors from reviews."""
    return MemoryService(store.invoices, store.memory, store.vendors, files, AuditTrail(store.audit, clock))


def build_comments(store: Store, settings: Settings, mailer: Mailer, clock: Clock = utc_now) -> CommentService:
    """Comments on invoices. Raises ValueError if the sender of mail cannot be used."""
    audit, compose = AuditTrail(store.audit, clock), ComposeMention(sender_of(settings))
    return CommentService(store.comments, store.memberships, store.automatic_mails, mailer, compose, audit, clock)


def build_rejection_mails(store: Store, settings: Settings, mailer: Mailer, clock: Clock = utc_now) -> RejectionMails:
    """Mails that notify senders of rejected invoices. Raises ValueError if the sender of mail cannot be used."""
    audit, compose = AuditTrail(store.audit, clock), ComposeRejection(sender_of(settings))
    return RejectionMails(store.invoices, store.mails, store.automatic_mails, mailer, compose, audit, clock)
