"""A steady stream of new deliveries, and how long each took to arrive."""

import asyncio
import math
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from uuid import UUID

from benchmarks.webhooks.events import events
from benchmarks.webhooks.receiver import Arrival
from benchmarks.webhooks.replicas import Replica
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store


@dataclass(frozen=True, slots=True)
class Due:
    """A delivery: which, and when the write began that made it, in seconds since 1970."""

    endpoint_id: UUID
    event_id: str
    at: float


@dataclass
class Stream:
    """Deliveries to endpoints in turn; replicas are woken in turn, as the dispatcher wakes them."""

    settings: Settings
    replicas: Sequence[Replica]
    made: list[Due] = field(default_factory=list)

    async def run(self, endpoints: Sequence[WebhookEndpoint], a_second: float, seconds: float) -> None:
        """So many deliveries a second, evenly over the endpoints and the time."""
        store, woken, began = open_store(self.settings), cycle(self.replicas), time.monotonic()
        async with asyncio.TaskGroup() as group:
            for number, endpoint in zip(range(int(a_second * seconds)), cycle(endpoints), strict=False):
                await asyncio.sleep(began + number / a_second - time.monotonic())
                group.create_task(self._add(store, endpoint, next(woken)))
        await store.connection.close()

    async def _add(self, store: Store, endpoint: WebhookEndpoint, replica: Replica) -> None:
        (event,) = events(endpoint.account_id, 1)
        self.made.append(Due(endpoint.id, event.id, time.time()))
        # The store's way to make a single delivery.
        assert await store.deliveries.add_test(event, endpoint.id) is not None
        replica.wake()

    def delays(self, endpoints: Collection[WebhookEndpoint], arrivals: Sequence[Arrival]) -> list[float]:
        """Seconds from the moment that each delivery to these was due to its first post, endless where none came."""
        wanted, first = (
            {endpoint.id for endpoint in endpoints},
            {arrival.event_id: arrival.at for arrival in reversed(arrivals)},
        )
        return [first.get(event.event_id, math.inf) - event.at for event in self.made if event.endpoint_id in wanted]
