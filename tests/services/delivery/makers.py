"""Endpoints, claims and outcomes that no store has."""

from dataclasses import replace

from serve_app.domain.event import EventType
from serve_app.domain.ids import new_id
from serve_app.domain.webhook import Attempt, Delivery, WebhookEndpoint
from serve_app.services.delivery.attempt import Outcome
from tests.support import NOON


def make_endpoint(**changes: object) -> WebhookEndpoint:
    made = WebhookEndpoint(new_id(), new_id(), "https://one.example/hook", (), (), NOON)
    return replace(made, **changes)  # type: ignore[arg-type]


def make_claim(endpoint: WebhookEndpoint | None = None, event_id: str = "evt_1") -> Delivery:
    """Of a delivery that was claimed once."""
    one = endpoint or make_endpoint()
    return Delivery(new_id(), one.account_id, one.id, event_id, EventType.COMPLETED, NOON, claims=1)


def make_outcome(status: int = 200) -> Outcome:
    return Outcome(make_claim(), Attempt(NOON, 0.01, status))
