"""The senders: accounts with a key, and endpoints that receive events, so that deliveries are made."""

from uuid import UUID

from benchmarks.faults.clients import Account
from serve_app.domain.account import Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.webhook import EndpointSecret, WebhookEndpoint
from serve_app.keys.sealing import Sealer
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store
from serve_app.wiring.accounts import build_accounts

# Reserved for examples: nobody needs to answer, because only the queued deliveries are counted.
_URL = "https://webhooks.invalid/{}"


async def make_accounts(settings: Settings, count: int) -> list[Account]:
    """So many accounts: half of them with a limited plan, each with two endpoints of which one wants failures only."""
    store = open_store(settings)
    try:
        sealed = _sealed(settings)
        return [await _make(store, Plan.UNLIMITED if number % 2 else Plan.BUSINESS, sealed) for number in range(count)]
    finally:
        await store.connection.close()


def _sealed(settings: Settings) -> str:
    """A secret that the service can open, although nothing is sent."""
    assert settings.encryption_key is not None
    return Sealer([settings.encryption_key.get_secret_value()]).seal("none")


async def _make(store: Store, plan: Plan, sealed: str) -> Account:
    accounts = build_accounts(store)
    account = await accounts.create_account(plan)
    _, raw = await accounts.create_key(account.id, "faults")
    for types in ((), (EventType.FAILED,)):
        await store.endpoints.add(_endpoint(account.id, types, sealed), at_most=2)
    return Account(account.id, raw)


def _endpoint(account_id: UUID, types: tuple[EventType, ...], sealed: str) -> WebhookEndpoint:
    secret = EndpointSecret(sealed)
    return WebhookEndpoint(new_id(), account_id, _URL.format(len(types)), types, (secret,), utc_now())
