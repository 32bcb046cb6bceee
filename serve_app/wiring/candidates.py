"""Builds what tries pairs of models beside the first one."""

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.model_pairs import Shadow
from serve_app.mail.canary_rollback import ComposeRolledBack
from serve_app.mail.factory import open_mailer, sender_of
from serve_app.services.candidates.canary_controller import CanaryController
from serve_app.services.candidates.service import CandidateService
from serve_app.services.candidates.shadow import ShadowReading
from serve_app.services.candidates.watch import CandidateWatch
from serve_app.services.people.audit import AuditTrail
from serve_app.services.ports import Interpreter
from serve_app.settings import Settings
from serve_app.store.base import Store


def build_candidates(
    store: Store, interpreter: Interpreter, settings: Settings, shadow: Shadow | None = None, clock: Clock = utc_now
) -> CanaryController:
    """What stands beside the runs of one dispatcher. Raises ValueError if the sender of mail cannot be used."""
    beside = 0 if shadow is None else shadow.beside
    reading = ShadowReading(interpreter, store.queue, store.comparisons, beside, clock)
    watch = CandidateWatch(store.canaries, reading, shadow, clock)
    return CanaryController(
        watch,
        store.comparisons,
        store.canaries,
        store.people,
        open_mailer(settings),
        ComposeRolledBack(sender_of(settings)),
        AuditTrail(store.audit, clock),
        clock,
    )


def build_candidate_service(store: Store, clock: Clock = utc_now) -> CandidateService:
    """Canaries and differences, for operators."""
    return CandidateService(store.comparisons, store.canaries, AuditTrail(store.audit, clock), clock)
