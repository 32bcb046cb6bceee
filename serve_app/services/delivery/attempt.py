"""One attempt to deliver, and what follows from it."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from serve_app.domain.clock import Clock
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, PauseReason, WebhookEndpoint
from serve_app.net.post import Answer, Line
from serve_app.services.delivery.arrivals import Arrivals
from serve_app.services.delivery.endpoint_health import EndpointHealth
from serve_app.services.delivery.signer import Signer
from serve_app.services.ports import Sealing
from serve_app.store.base import Store
from serve_app.webhooks.schedule import PAUSED_AFTER, delay_after

_GONE = 410

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a claim."""

    claim: Delivery
    attempt: Attempt

    @property
    def has_arrived(self) -> bool:
        """Whether the endpoint took it."""
        return self.attempt.status is not None and 200 <= self.attempt.status < 300


class AttemptDelivery:
    """Signs, sends, and writes down what came of it. An attempt that was made but not written down, since the process
    died in between, is made again."""

    def __init__(self, store: Store, sealing: Sealing, clock: Clock) -> None:
        self._store = store
        self._sealing = sealing
        self._clock = clock
        self._arrivals = Arrivals(store)

    def signer(self, endpoint: WebhookEndpoint) -> Signer:
        """What signs the attempts to the endpoint."""
        return Signer(endpoint, self._sealing)

    async def __call__(
        self, signer: Signer, claim: Delivery, payload: str, line: Line, health: EndpointHealth
    ) -> Outcome:
        """Make the attempt."""
        health.began(claim.id)
        answer = await self._send(signer, claim, payload, line)
        attempt = Attempt(self._clock(), round(answer.seconds, 3), answer.status, _problem(answer), answer.body)
        outcome = Outcome(claim, attempt)
        health.ended(claim.id, attempt, succeeded=outcome.has_arrived)
        return outcome

    async def _send(self, signer: Signer, claim: Delivery, payload: str, line: Line) -> Answer:
        body = payload.encode()
        try:
            headers = signer.headers(claim.event_id, self._clock(), body)
        except ValueError:
            return Answer(0.0, error="the endpoint's secret cannot be read: rotate it")
        return await line.post(headers, body)

    async def write_down(self, endpoint: WebhookEndpoint, outcomes: Sequence[Outcome], health: EndpointHealth) -> None:
        """Write down what came of attempts. ServiceError while the storage is out of reach."""
        arrived = [(one.claim, one.attempt) for one in outcomes if one.has_arrived]
        if arrived:
            await self._arrivals.add(arrived)
        for one in outcomes:
            if not one.has_arrived:
                await self._failed(endpoint, one.claim, one.attempt, health)

    async def _failed(
        self, endpoint: WebhookEndpoint, claim: Delivery, attempt: Attempt, health: EndpointHealth
    ) -> None:
        reason = self._pause_reason(attempt, health)
        delay = None if reason else delay_after(claim.step + 1)
        if delay is not None:
            await self._store.deliveries.retry(claim, attempt, delay)
            return
        why = AbandonReason.ENDPOINT_PAUSED if reason else AbandonReason.SCHEDULE_OVER
        await self._store.deliveries.abandon(claim, attempt, why)
        if reason:
            await self._pause(endpoint, reason, health)

    def _pause_reason(self, attempt: Attempt, health: EndpointHealth) -> PauseReason | None:
        if attempt.status == _GONE:
            return PauseReason.GONE
        since = health.failing_since
        lasted = timedelta(0) if since is None else self._clock() - since
        return PauseReason.FAILING if lasted >= PAUSED_AFTER else None

    async def _pause(self, endpoint: WebhookEndpoint, reason: PauseReason, health: EndpointHealth) -> None:
        present: WebhookEndpoint | None = endpoint
        while present is not None and present.is_active:
            paused = replace(
                present, paused_reason=reason, is_owner_untold=True, failing_since=health.failing_since, is_slow=False
            )
            if await self._store.endpoints.replace(paused) is not None:
                log.warning("webhook endpoint paused: %s", reason, extra={"endpoint_id": str(endpoint.id)})
                return
            # Somebody changed it meanwhile.
            present = await self._store.endpoints.get(endpoint.account_id, endpoint.id)


def _problem(answer: Answer) -> str | None:
    if answer.status is not None and 300 <= answer.status < 400:
        return "redirects are not followed"
    return answer.error
