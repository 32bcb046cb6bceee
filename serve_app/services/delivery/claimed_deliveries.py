"""The due deliveries of one endpoint, claimed shortly before they are sent."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from datetime import timedelta

from serve_app.domain.webhook import Delivery, Payload, WebhookEndpoint
from serve_app.store.base import Store

LEASE = timedelta(seconds=30)
"""The lease of a lane, and of the deliveries claimed in it."""
_BEGUN_WITHIN_SECONDS = 15.0
"""Counted from the claim: an attempt that is started later might outlast the lease."""


class ClaimedDeliveries:
    """Claims deliveries, and hands out those that may still be started."""

    def __init__(
        self, store: Store, endpoint: WebhookEndpoint, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._endpoint = endpoint
        self._monotonic = monotonic
        self._claimed: deque[tuple[Delivery, Payload, float]] = deque()
        self._late: list[Delivery] = []

    def __len__(self) -> int:
        return len(self._claimed)

    def take(self) -> tuple[Delivery, Payload] | None:
        """The next delivery that may be started, with its payload; None if none is at hand."""
        while self._claimed:
            claim, payload, begin_by = self._claimed.popleft()
            if self._monotonic() < begin_by:
                return claim, payload
            self._late.append(claim)
        return None

    async def claim(self, most: int) -> bool:
        """Claim up to `most` more. Returns False if there were fewer, so that no other is due now. Raises
        EndpointChanged if the endpoint was changed: nothing more may be sent. Raises ServiceError while the storage is
        out of reach."""
        begin_by = self._monotonic() + _BEGUN_WITHIN_SECONDS
        this = self._endpoint
        claims = await self._store.deliveries.claim_due(this.id, LEASE, most, this.revision)
        payloads = await self._store.deliveries.payloads(claims) if claims else {}
        self._claimed.extend(
            (claim, payloads[claim.event_id], begin_by) for claim in claims if claim.event_id in payloads
        )
        return len(claims) == most

    async def claim_again(self, failed: Delivery) -> Delivery | None:
        """Claim a delivery for its next attempt, which the failed one is followed by. None if somebody else has it by
        now. Raises what `claim` does."""
        return await self._store.deliveries.claim_again(failed, LEASE, self._endpoint.revision)

    async def hand_back(self) -> None:
        """Release deliveries that were not taken, so that other workers can claim them."""
        left = [*self._late, *(claim for claim, _, _ in self._claimed)]
        self._late.clear()
        self._claimed.clear()
        await asyncio.gather(*(self._store.deliveries.hand_back(claim) for claim in left))
