"""What the screens of webhook endpoints show."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from serve_app.domain.endpoint_health import RecentHealth
from serve_app.domain.event import EventType
from serve_app.domain.webhook import (
    AbandonReason,
    Delivery,
    DeliveryState,
    EndpointSecret,
    PauseReason,
    WebhookEndpoint,
)

TYPES = {
    EventType.COMPLETED: "An invoice was read",
    EventType.FAILED: "A document could not be read",
    EventType.REVIEWED: "A person has decided on an invoice",
    EventType.UPDATED: "An invoice has changed: paid, tag, approval, review",
    EventType.DELETED: "An invoice was deleted",
}
PAUSES = {
    PauseReason.BY_HAND: "Somebody paused it.",
    PauseReason.GONE: "It answered 410 Gone, which asks for no further deliveries.",
    PauseReason.FAILING: "Every attempt had failed for five days or longer.",
}
ABANDONED = {
    AbandonReason.SCHEDULE_OVER: "All seven attempts failed.",
    AbandonReason.ENDPOINT_PAUSED: "The endpoint was paused.",
}


@dataclass(frozen=True, slots=True)
class EndpointRow:
    """An endpoint as the list shows it."""

    endpoint: WebhookEndpoint
    health: RecentHealth


@dataclass(frozen=True, slots=True)
class Label:
    """A state in a word, with its tone and icon; see `ui.state`."""

    word: str
    tone: str
    icon: str


def state_of_endpoint(endpoint: WebhookEndpoint) -> Label:
    """Whether the endpoint receives anything, and how well."""
    if not endpoint.is_active:
        return Label("Paused", "quiet" if endpoint.paused_reason is PauseReason.BY_HAND else "bad", "pause")
    if endpoint.failing_since is not None:
        return Label("Failing", "bad", "triangle-alert")
    if endpoint.is_slow:
        return Label("Slow", "warn", "clock")
    return Label("Active", "good", "circle-check")


def state_of_delivery(delivery: Delivery) -> Label:
    """What became of a delivery so far."""
    match delivery.state:
        case DeliveryState.DELIVERED:
            return Label("Delivered", "good", "circle-check")
        case DeliveryState.ABANDONED:
            return Label("Failed", "bad", "triangle-alert")
        case _ if delivery.attempts:
            return Label("Retrying", "warn", "refresh-cw")
        case _:
            return Label("Waiting", "busy", "clock")


def old_secrets_end(secrets: Iterable[EndpointSecret], now: datetime) -> list[datetime]:
    """When the replaced ones of these that still sign end, the next first."""
    return sorted(end for secret in secrets if (end := secret.expires_at) is not None and end > now)


def has_outcome(delivery: Delivery) -> bool:
    """Whether a test event has had its first attempt."""
    return delivery.state is not DeliveryState.PENDING or bool(delivery.attempts)
