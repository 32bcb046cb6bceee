"""A deliverer whose lines lead to receivers of the tests, and an account with an endpoint."""

import base64
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction
from serve_app.domain.query import DeliveryQuery
from serve_app.domain.webhook import Delivery, DeliveryState, EndpointSecret, WebhookEndpoint
from serve_app.keys.sealing import Sealer, new_key
from serve_app.net.guard import Guard
from serve_app.services.delivery.attempt import Attempts
from serve_app.services.delivery.deliverer import Deliverer
from serve_app.services.delivery.lane import ServedLane
from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.secrets import EndpointSecrets
from serve_app.store.base import Store
from tests.services.delivery.receivers import Receivers
from tests.support import NOON, Clock, claim_next, newest_events, queue_new
from tests.support.until import until

URL = "https://one.example/hook"
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()


@dataclass
class Webhooks:
    """What a test of deliveries needs, in one hand."""

    store: Store
    account: Account
    clock: Clock
    receivers: Receivers
    sealer: Sealer
    deliverer: Deliverer
    notified: list[str] = field(default_factory=list)

    async def endpoint(self, url: str = URL, **changes: object) -> WebhookEndpoint:
        made = WebhookEndpoint(
            new_id(), self.account.id, url, (), (EndpointSecret(self.sealer.seal(SECRET)),), self.clock.now
        )
        made = replace(made, **changes)  # type: ignore[arg-type]
        await self.store.endpoints.add(made, at_most=1000)
        return made

    async def present(self, endpoint: WebhookEndpoint) -> WebhookEndpoint:
        found = await self.store.endpoints.get(endpoint.account_id, endpoint.id)
        assert found is not None
        return found

    async def emit(self) -> str:
        """The id of a new event, ready to be delivered."""
        await queue_new(self.store, self.account.id)
        await self.store.queue.save_result(await claim_next(self.store), Extraction(), NOON)
        return (await newest_events(self.store, self.account.id))[0].id

    async def deliver(self) -> None:
        """Everything that is due now."""
        await self.deliverer.turn()
        await self.deliverer.idle()

    async def log(self, endpoint: WebhookEndpoint | None = None) -> list[Delivery]:
        """Newest first."""
        query = DeliveryQuery(endpoint_id=None if endpoint is None else endpoint.id)
        return list((await self.store.deliveries.page(self.account.id, query, 1000)).items)

    async def nothing_waits(self) -> None:
        """Returns when no delivery is pending."""

        async def none_waits() -> bool:
            return all(delivery.state is not DeliveryState.PENDING for delivery in await self.log())

        await until(none_waits)

    async def only(self) -> Delivery:
        (delivery,) = await self.log()
        return delivery


@pytest.fixture
def max_inline_delay() -> timedelta:
    """No worker waits for a retry, so that tests decide when it is due."""
    return timedelta()


@pytest.fixture
def make_deliverer(
    clock: Clock, max_inline_delay: timedelta
) -> Callable[[Store, Receivers, Sealer, Callable[[], Awaitable[object]]], Deliverer]:
    def make(store: Store, receivers: Receivers, sealer: Sealer, notify: Callable[[], Awaitable[object]]) -> Deliverer:
        attempt = Attempts(store, sealer, clock)
        return Deliverer(
            store,
            lambda lane: ServedLane(store, receivers, attempt, lane, max_inline_delay=max_inline_delay),
            notify,
            clock,
            poll_seconds=0.05,
            maintenance_seconds=0.05,
        )

    return make


@pytest.fixture
def webhooks(
    store: Store,
    account: Account,
    clock: Clock,
    make_deliverer: Callable[[Store, Receivers, Sealer, Callable[[], Awaitable[object]]], Deliverer],
) -> Webhooks:
    receivers, sealer, notified = Receivers(clock), Sealer([new_key()]), list[str]()

    async def notify() -> None:
        notified.append("asked")

    return Webhooks(
        store, account, clock, receivers, sealer, make_deliverer(store, receivers, sealer, notify), notified
    )


@pytest.fixture
def manage(webhooks: Webhooks) -> EndpointService:
    """What the owner does, with the key of the deliverer."""
    store, secrets = webhooks.store, EndpointSecrets(webhooks.sealer)
    return EndpointService(store.accounts, store.endpoints, secrets, Guard(lookup=_look_up), webhooks.clock)


def _look_up(name: str) -> list[str]:
    return ["93.184.215.14"]
