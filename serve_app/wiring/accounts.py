"""Builds the services about accounts."""

from functools import partial

from serve_app.domain.clock import Clock, utc_now
from serve_app.reconciling.calibrations import fitted_targets
from serve_app.services.accounts.plans import PlanService
from serve_app.services.accounts.service import AccountService
from serve_app.services.accounts.target_precision import TargetPrecisions
from serve_app.services.people.audit import AuditTrail
from serve_app.settings import Settings
from serve_app.store.base import Store


def build_accounts(store: Store, clock: Clock = utc_now) -> AccountService:
    """Management of accounts and keys, for an operator."""
    return AccountService(store.accounts, store.keys, clock)


def build_plans(store: Store) -> PlanService:
    """Management of plans, for an operator."""
    return PlanService(store.plans)


def build_targets(store: Store, settings: Settings, clock: Clock = utc_now) -> TargetPrecisions:
    """The target precision of accounts."""
    fitted = partial(fitted_targets, settings.calibration)
    return TargetPrecisions(store.accounts, AuditTrail(store.audit, clock), fitted, settings.target_precision)
