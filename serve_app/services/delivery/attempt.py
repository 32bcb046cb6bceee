"""One delivery attempt and its consequences."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from serve_app.domain.clock import Clock
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, PauseReason, Payload, WebhookEndpoint
from serve_app.net.post import Answer, Line
from serve_app.services.delivery.endpoint_health import EndpointHealth
from serve_app.services.delivery.schedule import PAUSED_AFTER, delay_after
from serve_app.services.delivery.signer import Signer
from serve_app.services.delivery.success_writer import SuccessWriter
from serve_app.services.ports import Sealing
from serve_app.store.base import Store
from serve_app.telemetry import tracer
from serve_app.telemetry.meter import count, observe
from serve_app.telemetry.series import WEBHOOK_ATTEMPTS, WEBHOOK_LAG_SECONDS

_GONE = 410
_SERVER_ERROR = 500

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of the attempt made for a claim."""

    claim: Delivery
    attempt: Attempt

    @property
    def has_arrived(self) -> bool:
        """Whether the endpoint accepted the delivery."""
        return self.attempt.status is not None and 200 <= self.attempt.status < 300

    @property
    def is_gone(self) -> bool:
        """Whether the endpoint asks for no further deliveries."""
        return self.attempt.status == _GONE


class Attempts:
    """Makes attempts: signs and sends a delivery, and records the outcome. If the process dies between sending and
    recording, the attempt is repeated."""

    def __init__(self, store: Store, sealing: Sealing, clock: Clock) -> None:
        self._store = store
        self._sealing = sealing
        self._clock = clock
        self._successes = SuccessWriter(store)

    def signer(self, endpoint: WebhookEndpoint) -> Signer:
        """The signer for attempts to the endpoint."""
        return Signer(endpoint, self._sealing)

    async def make(
        self, signer: Signer, claim: Delivery, payload: Payload, line: Line, health: EndpointHealth
    ) -> Outcome:
        """Make the attempt."""
        health.began(claim)
        at = self._clock()
        with tracer.continued(claim.trace), tracer.span("deliver", attempt=claim.step + 1):
            headers, answer = await self._send(signer, claim, payload.text, line)
        attempt = Attempt(at, round(answer.seconds, 3), answer.status, _problem(answer), answer.body, headers)
        outcome = Outcome(claim, attempt)
        _note(outcome)
        if not outcome.has_arrived:
            _log_failure(outcome, payload)
        health.ended(claim, attempt, succeeded=outcome.has_arrived, is_test=payload.is_test)
        return outcome

    async def _send(
        self, signer: Signer, claim: Delivery, payload: str, line: Line
    ) -> tuple[Mapping[str, str] | None, Answer]:
        body = payload.encode()
        try:
            headers = signer.headers(claim.event_id, self._clock(), body)
        except ValueError:
            return None, Answer(0.0, error="the encryption key cannot decrypt the endpoint's secret")
        return headers, await line.post(headers, body)

    async def write_down(self, endpoint: WebhookEndpoint, outcomes: Sequence[Outcome], health: EndpointHealth) -> bool:
        """Record the outcomes of attempts. Returns False if nothing more may be sent to the endpoint as it was claimed.
        Raises ServiceError while the storage is out of reach."""
        arrived = [(outcome.claim, outcome.attempt) for outcome in outcomes if outcome.has_arrived]
        if arrived:
            await self._successes.add(arrived)
        failed = [outcome for outcome in outcomes if not outcome.has_arrived]
        reasons = [await self._failed(outcome.claim, outcome.attempt, health) for outcome in failed]
        reason = next(filter(None, reasons), None)
        if reason is not None:
            await self._pause(endpoint, reason, health)
        return reason is None

    async def _failed(self, claim: Delivery, attempt: Attempt, health: EndpointHealth) -> PauseReason | None:
        """Record a failure. Returns the reason to pause the endpoint now, if any. Pausing abandons the delivery; if the
        pause fails because another process changed the endpoint, the retry schedule continues."""
        delay = delay_after(claim.step + 1, claim.id)
        if delay is not None:
            await self._store.deliveries.retry(claim, attempt, delay)
        else:
            await self._store.deliveries.abandon(claim, attempt, AbandonReason.SCHEDULE_OVER)
        if attempt.status == _GONE:
            return PauseReason.GONE
        return PauseReason.FAILING if delay is None and self._fails_for_long(health) else None

    def _fails_for_long(self, health: EndpointHealth) -> bool:
        return health.failing_since is not None and self._clock() - health.failing_since >= PAUSED_AFTER

    async def _pause(self, endpoint: WebhookEndpoint, reason: PauseReason, health: EndpointHealth) -> None:
        """Pause the endpoint only if it is unchanged since its lane was claimed: the answer says nothing about an
        endpoint that was changed or resumed since. The next attempt will."""
        paused = replace(
            endpoint, paused_reason=reason, is_owner_unnotified=True, failing_since=health.failing_since, is_slow=False
        )
        if await self._store.endpoints.replace(paused) is not None:
            log.warning("webhook endpoint paused: %s", reason, extra={"endpoint_id": str(endpoint.id)})


def _note(outcome: Outcome) -> None:
    count(WEBHOOK_ATTEMPTS, outcome=_kind(outcome))
    if outcome.claim.step == 0:
        observe(WEBHOOK_LAG_SECONDS, (outcome.attempt.at - outcome.claim.created_at).total_seconds())


def _log_failure(outcome: Outcome, payload: Payload) -> None:
    claim, attempt = outcome.claim, outcome.attempt
    ids = {"endpoint_id": str(claim.endpoint_id), "event_id": claim.event_id}
    # Only here, because payloads of invoices with many rows are long.
    invoice_id = json.loads(payload.text)["data"]["invoice"]["id"]
    why = {"attempt": claim.step + 1, "status": attempt.status, "error": attempt.error}
    log.info("delivery failed", extra={**ids, "invoice_id": invoice_id, **why})


def _kind(outcome: Outcome) -> str:
    status = outcome.attempt.status
    if status is None:
        return "unanswered"
    if outcome.has_arrived:
        return "delivered"
    return "failed" if status >= _SERVER_ERROR else "refused"


def _problem(answer: Answer) -> str | None:
    if answer.status is not None and 300 <= answer.status < 400:
        return "redirects are not followed"
    return answer.error
