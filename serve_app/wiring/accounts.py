"""Builds the services about accounts."""

from functools import partial

from serve_app.domain.clock import Clock, utc_now
from serve_app.reconciling.calibrations import fitted_targets
from serve_app.services.accounts.changes import AccountChanges
from serve_app.services.accounts.deletion import AccountDeletion
from serve_app.services.accounts.erase import AccountEraser
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.accounts.operator_keys import OperatorKeyService
from serve_app.services.accounts.plans import PlanService
from serve_app.services.accounts.service import AccountService
from serve_app.services.accounts.target_precision import TargetPrecisions
from serve_app.services.accounts.usage import UsageService
from serve_app.services.people.audit import AuditTrail
from serve_app.settings import Settings
from serve_app.store.base import Files, Store


def build_accounts(store: Store, clock: Clock = utc_now) -> AccountService:
    """Management of accounts and keys, for an operator."""
    return AccountService(store.accounts, store.keys, clock)


def build_plans(store: Store) -> PlanService:
    """Management of plans, for an operator."""
    return PlanService(store.plans)


def build_account_changes(store: Store, clock: Clock = utc_now) -> AccountChanges:
    """Changes of accounts that are noted in the audit trails."""
    return AccountChanges(build_accounts(store, clock), build_plans(store), AuditTrail(store.audit, clock))


def build_account_deletion(store: Store, files: Files, clock: Clock = utc_now) -> AccountDeletion:
    """Deletion of accounts that is noted in the audit trail."""
    return AccountDeletion(AccountEraser(store, files, clock), AuditTrail(store.audit, clock))


def build_usage(store: Store, settings: Settings, clock: Clock = utc_now) -> UsageService:
    """What accounts used by month, and what that costs."""
    return UsageService(store.quotas, settings.prices, clock)


def build_monthly_limits(store: Store, settings: Settings, clock: Clock = utc_now) -> MonthlyLimits:
    """What accounts may still use in the present month."""
    return MonthlyLimits(build_usage(store, settings, clock))


def build_operator_keys(store: Store, clock: Clock = utc_now) -> OperatorKeyService:
    """Management of operators' keys."""
    return OperatorKeyService(store.operator_keys, clock)


def build_targets(store: Store, settings: Settings, clock: Clock = utc_now) -> TargetPrecisions:
    """The target precision of accounts."""
    fitted = partial(fitted_targets, settings.calibration)
    return TargetPrecisions(store.accounts, AuditTrail(store.audit, clock), fitted, settings.target_precision)
