"""Endpoints that are told of events, and the deliveries to them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from serve_app.domain.event import EventType


@dataclass(frozen=True, slots=True)
class EndpointSecret:
    """A signing secret as it is stored: encrypted. After a rotation the old one signs, too, until `expires_at`."""

    sealed: str
    expires_at: datetime | None = None


class PauseReason(StrEnum):
    """Why an endpoint is paused: by its owner, because it answered 410, or because it failed for days."""

    BY_HAND = "by_hand"
    GONE = "gone"
    FAILING = "failing"


@dataclass(frozen=True, slots=True)
class WebhookEndpoint:
    """Where an account wants to be told of events.

    `paused_reason` is None while it is active. `types` are the events it wants; empty: all. The first of `secrets` is
    the present one. `failing_since` is the first of the failures since its last success, those of test events left
    out; `is_slow` says that it took very long to answer lately. `is_owner_untold`: the service paused it, and its owner
    does not know yet. `revision` grows with every change.
    """

    id: UUID
    account_id: UUID
    url: str
    types: tuple[EventType, ...]
    secrets: tuple[EndpointSecret, ...]
    created_at: datetime
    description: str = ""
    paused_reason: PauseReason | None = None
    is_owner_untold: bool = False
    failing_since: datetime | None = None
    is_slow: bool = False
    revision: int = 0

    @property
    def is_active(self) -> bool:
        return self.paused_reason is None

    def wants(self, type: EventType) -> bool:
        """Whether a new event of this type is delivered to it."""
        return self.is_active and (not self.types or type in self.types)


@dataclass(frozen=True, slots=True)
class Lane:
    """The right to deliver to an endpoint for a while, as it was claimed; `token` tells it from the claims after it."""

    endpoint: WebhookEndpoint
    token: int


@dataclass(frozen=True, slots=True)
class Health:
    """How an endpoint did while a lane to it was held: whether it was slow, and since when it fails (None: it does
    not)."""

    is_slow: bool
    failing_since: datetime | None


class DeliveryState(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    ABANDONED = "abandoned"


class AbandonReason(StrEnum):
    """Why no attempt follows: the schedule is over, or the endpoint was paused."""

    SCHEDULE_OVER = "schedule_over"
    ENDPOINT_PAUSED = "endpoint_paused"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try to deliver. `status` is the HTTP status, None where there was no answer, which `error` explains; `body`
    is the beginning of the answer. `seconds` is how long it took."""

    at: datetime
    seconds: float
    status: int | None
    error: str | None = None
    body: str | None = None


@dataclass(frozen=True, slots=True)
class Payload:
    """What is sent for an event: its JSON. `is_test` where somebody only tries the endpoint out."""

    text: str
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event on its way to one endpoint: there is one for each pair.

    `next_attempt_at` is when the next attempt is due, when the lease of the present one runs out, or None when there
    is none to come. `claims` is the fencing token: it grows with every claim, and a write with an old one does
    nothing. `step` counts the attempts of the schedule since its start, `attempts` lists all that were made.
    """

    id: UUID
    account_id: UUID
    endpoint_id: UUID
    event_id: str
    event_type: EventType
    created_at: datetime
    state: DeliveryState = DeliveryState.PENDING
    next_attempt_at: datetime | None = None
    claims: int = 0
    step: int = 0
    attempts: tuple[Attempt, ...] = ()
    abandoned_reason: AbandonReason | None = None
