"""Webhook endpoints in tests."""

from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery
from serve_app.keys.sealing import Sealer, new_key
from serve_app.net.guard import Guard
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.log import DeliveryLog
from serve_app.services.webhooks.sample_events import SampleEvents
from serve_app.services.webhooks.secrets import EndpointSecrets
from serve_app.store.base import Store
from tests.support import LEASE, NOON

URL = "https://hooks.example.com/invoices"
ENCRYPTION_KEY = new_key()
NO = Attempt(at=NOON, seconds=0.25, status=500, body="no")
YES = Attempt(at=NOON, seconds=0.1, status=204)


def look_up(name: str) -> list[str]:
    """A resolver that knows every name, including an internal one."""
    return ["10.0.0.7"] if name.startswith("inside.") else ["93.184.215.14"]


def manage_endpoints(store: Store, clock: Clock, key: str = ENCRYPTION_KEY) -> EndpointService:
    guard = Guard(lookup=look_up)
    return EndpointService(store.accounts, store.endpoints, EndpointSecrets(Sealer([key])), guard, clock)


def delivery_log(store: Store, clock: Clock = utc_now, key: str = ENCRYPTION_KEY) -> DeliveryLog:
    return DeliveryLog(store.endpoints, store.deliveries, EndpointSecrets(Sealer([key])), clock)


async def add_delivery(store: Store, clock: Clock, account_id: UUID, endpoint_id: UUID) -> Delivery:
    """A delivery to the endpoint, due now."""
    return await SampleEvents(store.endpoints, store.deliveries, clock).send(account_id, endpoint_id)


async def claim_all(store: Store, endpoint_id: UUID) -> list[Delivery]:
    return await store.deliveries.claim_due(endpoint_id, LEASE, 100)


async def abandon_all(store: Store, endpoint_id: UUID) -> None:
    """What happens to due deliveries where the last attempt fails."""
    for claim in await claim_all(store, endpoint_id):
        assert await store.deliveries.abandon(claim, NO, AbandonReason.SCHEDULE_OVER)
