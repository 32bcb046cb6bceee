"""Builds the services about accounts."""

from serve_app.domain.clock import Clock, utc_now
from serve_app.services.accounts.service import AccountService
from serve_app.store.base import Store


def build_accounts(store: Store, clock: Clock = utc_now) -> AccountService:
    """Management of accounts and keys, for an operator."""
    return AccountService(store.accounts, store.keys, clock)
