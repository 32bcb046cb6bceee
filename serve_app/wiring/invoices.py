"""Builds the services about stored invoices."""

from serve_app.domain.clock import Clock, utc_now
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.invoices.deletion import DeletionService
from serve_app.services.invoices.erase import InvoiceEraser
from serve_app.services.invoices.service import InvoiceService
from serve_app.services.people.audit import AuditTrail
from serve_app.services.tasks.wake import Wake
from serve_app.store.base import Files, Store


def build_invoices(
    store: Store, files: Files, limits: MonthlyLimits, wake: Wake, clock: Clock = utc_now
) -> InvoiceService:
    """Look-up, lists, changes and re-extraction of invoices; `wake` notifies a dispatcher."""
    return InvoiceService(store.invoices, store.intake, limits, InvoiceEraser(store, files, clock), wake, clock)


def build_deletions(store: Store, files: Files, clock: Clock = utc_now) -> DeletionService:
    """Deletions that can still be undone."""
    return DeletionService(store.deletions, InvoiceEraser(store, files, clock), AuditTrail(store.audit, clock), clock)
