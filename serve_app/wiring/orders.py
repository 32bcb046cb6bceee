"""Builds the services of purchase orders."""

from serve_app.domain.clock import Clock, utc_now
from serve_app.services.orders.matching import OrderMatcher
from serve_app.services.orders.rounds import OrderRounds
from serve_app.services.orders.service import OrderService
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Files, Store


def build_orders(store: Store, files: Files, clock: Clock = utc_now) -> OrderService:
    """Purchase orders of accounts; a change compares invoices at once."""
    audit, rounds = AuditTrail(store.audit, clock), OrderRounds(store, files, clock)
    return OrderService(store.purchase_orders, audit, OrderMatcher(store, clock), clock, rounds.compare)
