"""Endpoints that receive events, and the deliveries to them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from serve_app.domain.event import ENDS_OF_RUNS, EventType


@dataclass(frozen=True, slots=True)
class EndpointSecret:
    """A secret or a private key that signs, as it is stored: encrypted. After a rotation the old one also signs until
    `expires_at`. `public_key` is what receivers verify with, if this is a private key."""

    sealed: str
    expires_at: datetime | None = None
    public_key: str | None = None


class PauseReason(StrEnum):
    """Why an endpoint is paused: by its owner, because it answered 410, or because it failed for days."""

    BY_HAND = "by_hand"
    GONE = "gone"
    FAILING = "failing"


@dataclass(frozen=True, slots=True)
class WebhookEndpoint:
    """A URL at which an account receives events.

    `paused_reason` is None while it is active. `types` are the events it wants; empty means the ends of all runs. The
    first of `secrets` is the current one; so is that of `signing_keys`, private keys that sign, too, if its owner
    wants it. `failing_since` is the time of the first failure since its last success, test events excluded;
    `is_slow` means that it took very long to answer lately. `is_owner_unnotified` means that the service paused it and
    has not told its owner yet. `revision` grows with every change.
    """

    id: UUID
    account_id: UUID
    url: str
    types: tuple[EventType, ...]
    secrets: tuple[EndpointSecret, ...]
    created_at: datetime
    description: str = ""
    paused_reason: PauseReason | None = None
    is_owner_unnotified: bool = False
    failing_since: datetime | None = None
    is_slow: bool = False
    revision: int = 0
    signing_keys: tuple[EndpointSecret, ...] = ()

    @property
    def all_secrets(self) -> tuple[EndpointSecret, ...]:
        """Everything that signs, or has signed before it was replaced."""
        return (*self.secrets, *self.signing_keys)

    @property
    def is_active(self) -> bool:
        return self.paused_reason is None

    def wants(self, type: EventType) -> bool:
        """Whether a new event of this type is delivered to it."""
        return self.is_active and type in (self.types or ENDS_OF_RUNS)


@dataclass(frozen=True, slots=True)
class Lane:
    """A leased right to deliver to an endpoint, as it was when claimed; `token` distinguishes it from later claims."""

    endpoint: WebhookEndpoint
    token: int


@dataclass(frozen=True, slots=True)
class LaneRoom:
    """How many lanes may be claimed: in all, and of one account, unless `left` has another number for it."""

    in_all: int
    of_account: int
    left: Mapping[UUID, int] = field(default_factory=dict)

    @property
    def full_accounts(self) -> list[UUID]:
        """Those with none left."""
        return [account_id for account_id, left in self.left.items() if left <= 0]

    def fitting(self, accounts: Iterable[UUID]) -> list[int]:
        """The positions of lanes that may be claimed, of those of these accounts in the order of their turns."""
        held, chosen = Counter[UUID](), list[int]()
        for position, account_id in enumerate(accounts):
            if held[account_id] < self.left.get(account_id, self.of_account) and len(chosen) < self.in_all:
                held[account_id] += 1
                chosen.append(position)
        return chosen


ONE_LANE = LaneRoom(1, 1)


@dataclass(frozen=True, slots=True)
class Health:
    """The health of an endpoint while a lane to it was held: whether it was slow, and since when it has failed (None if
    it does not fail)."""

    is_slow: bool
    failing_since: datetime | None


class DeliveryState(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    ABANDONED = "abandoned"


class AbandonReason(StrEnum):
    """Why no attempt follows: the schedule has ended, or the endpoint was paused."""

    SCHEDULE_OVER = "schedule_over"
    ENDPOINT_PAUSED = "endpoint_paused"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One delivery attempt. `status` is the HTTP status, or None if there was no answer, which `error` explains; `body`
    is the beginning of the answer. `at` is when the attempt began, `seconds` how long it took. `headers` are those that
    the service sent of its own; None for attempts of earlier versions, or if nothing could be signed."""

    at: datetime
    seconds: float
    status: int | None
    error: str | None = None
    body: str | None = None
    headers: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Payload:
    """What is sent for an event: its JSON. `is_test` marks a test event, which only tries the endpoint out."""

    text: str
    is_test: bool = False


@dataclass(frozen=True, slots=True)
class Delivery:
    """One event on its way to one endpoint: there is one for each pair.

    `next_attempt_at` is when the next attempt is due, when the lease of the current one expires, or None if none
    follows. `claims` is the fencing token: it grows with every claim, and a write with an old token is a no-op.
    `step` counts the attempts of the schedule since its start, `attempts` lists all that were made. `trace` is the
    place of its document in a trace.
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
    trace: str | None = None
    attempts: tuple[Attempt, ...] = ()
    abandoned_reason: AbandonReason | None = None
