"""Webhook endpoints and the deliveries to them."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from serve_app.domain.due import Due
from serve_app.domain.endpoint_health import AttemptCount
from serve_app.domain.event import LoggedEvent
from serve_app.domain.query import DeliveryQuery, ListPage
from serve_app.domain.webhook import (
    ONE_LANE,
    AbandonReason,
    Attempt,
    Delivery,
    Health,
    Lane,
    LaneRoom,
    Payload,
    WebhookEndpoint,
)

LATEST_RETRIES = (
    *(timedelta(minutes=minutes) for minutes in (10, 10, 10, 35)),
    *(timedelta(hours=hours) for hours in (2.5, 9, 25)),
)
"""By the number of failed attempts: a delivery due later than this from now was postponed before the clock was set
back. It is longer than the delay of the retry and than a lease."""


class UrlTaken(Exception):
    """The account has another endpoint with this URL."""


class TooManyEndpoints(Exception):
    """The account has reached its limit of endpoints."""


class EndpointPaused(Exception):
    """Nothing can be delivered to the endpoint now."""


class EndpointChanged(Exception):
    """The endpoint was changed, paused or removed since it was read."""


class Endpoints(Protocol):
    """None means that the id is unknown or belongs to another account."""

    async def add(self, endpoint: WebhookEndpoint, *, at_most: int) -> None:
        """Raises UrlTaken, or TooManyEndpoints if the account already has `at_most`, however many are added
        concurrently."""
        ...

    async def get(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint | None: ...

    async def of_account(self, account_id: UUID) -> list[WebhookEndpoint]:
        """Oldest first."""
        ...

    async def replace(self, endpoint: WebhookEndpoint) -> WebhookEndpoint | None:
        """Write the endpoint if it has not changed since it was read; returns it with its new revision. None means:
        read it again. If it is paused now, all its pending deliveries are abandoned. Raises UrlTaken if another
        endpoint has its URL."""
        ...

    async def remove(self, account_id: UUID, endpoint_id: UUID) -> bool:
        """Also removes its deliveries and test events; False if there is no such endpoint."""
        ...

    async def exist(self) -> bool:
        """Whether any account has an endpoint."""
        ...

    async def list_all(self, *, after: UUID | None, limit: int) -> list[WebhookEndpoint]:
        """Up to `limit` endpoints of all accounts, in order of their ids, those that follow the id `after`."""
        ...

    async def with_unnotified_owner(self, limit: int) -> list[WebhookEndpoint]:
        """Up to `limit` endpoints whose owner is yet to be told that they were paused."""
        ...


class Lanes(Protocol):
    """The right to deliver to an endpoint: one worker holds it at a time, for a limited time. A paused endpoint has no
    lane."""

    async def claim(self, lease: timedelta, *, slow: bool, room: LaneRoom = ONE_LANE) -> list[Lane]:
        """Claim the lanes of the endpoints that have waited longest with a due delivery, among the slow endpoints or
        among the others, as many as there is room for. Fewer do not mean that no other waits; none means that no
        endpoint waits for which there is room. A lane that a dead worker held is free when its lease expires."""
        ...

    async def renew(self, lane: Lane, lease: timedelta) -> bool:
        """False if the lane is no longer the caller's."""
        ...

    async def release_lease(self, lane: Lane, health: Health) -> datetime | None:
        """Free the lane; it then queues behind the lanes already waiting. The endpoint's health is stored unless the
        endpoint was changed since the lane was claimed: the health says nothing about another URL, or about an endpoint
        that was resumed. Returns when the next delivery is due; None if there is none or the lane was no longer the
        caller's."""
        ...

    async def repair(self) -> int:
        """Free lanes held for longer than any lease lasts, and make lanes due whose deliveries are due, as needed after
        a clock was set back, or set ahead and corrected: a delivery due later than any retry can be is due at once.
        Finish the work on endpoints that a crashed process left. Returns how many lanes it changed."""
        ...


class Deliveries(Protocol):
    """Leased rows, created by `Outbox.spread_pending`. Every write of an attempt takes the delivery as it was claimed,
    and is a no-op (False) if that claim is no longer current. A delivery abandoned by a pause during an attempt stays
    abandoned, unless the attempt reached the endpoint; the attempt is recorded in any case."""

    async def claim_due(
        self, endpoint_id: UUID, lease: timedelta, limit: int, revision: int | None = None
    ) -> list[Delivery]:
        """Claim up to `limit` of the endpoint's due deliveries, the longest due first, including those whose claim was
        lost. Raises EndpointChanged if `revision` is given and the endpoint has another one."""
        ...

    async def claim_again(self, delivery: Delivery, lease: timedelta, revision: int) -> Delivery | None:
        """Claim this one whose attempt has just failed, by `retry`, for its next attempt, due or not. None if it is not
        pending any more, or somebody has claimed it since. Raises EndpointChanged if the endpoint has another
        revision."""
        ...

    async def payloads(self, deliveries: Collection[Delivery]) -> Mapping[str, Payload]:
        """What to send for their events, keyed by event id."""
        ...

    async def delivered(self, claim: Delivery, attempt: Attempt) -> bool:
        """The endpoint received it."""
        ...

    async def all_delivered(self, arrived: Collection[tuple[Delivery, Attempt]]) -> None:
        """`delivered` for each, in one call."""
        ...

    async def retry(self, claim: Delivery, attempt: Attempt, delay: timedelta) -> bool:
        """The attempt failed; the next one is due after `delay`."""
        ...

    async def abandon(self, claim: Delivery, attempt: Attempt, reason: AbandonReason) -> bool:
        """The attempt failed and was the last one."""
        ...

    async def hand_back(self, claim: Delivery) -> bool:
        """No attempt was made; the delivery is due at once."""
        ...

    async def add_test(self, event: LoggedEvent, endpoint_id: UUID) -> Delivery | None:
        """Add a delivery of an event that no list shows; None if the account has no such endpoint. Raises
        EndpointPaused."""
        ...

    async def redeliver(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        """Restart the retry schedule, with the first attempt due at once; None if there is no such delivery. Raises
        EndpointPaused, in which case nothing is left pending."""
        ...

    async def redeliver_abandoned(self, account_id: UUID, since: datetime, endpoint_id: UUID | None = None) -> int:
        """Redeliver every abandoned delivery of events since `since` to active endpoints: to one, or to all of the
        account's. Returns how many."""
        ...

    async def due(self) -> Due:
        """Deliveries of all accounts that are due now, and since when the endpoint waits that has waited longest to be
        served."""
        ...

    async def attempts_since(self, endpoint_id: UUID, since: datetime) -> list[AttemptCount]:
        """The attempts that were recorded for the endpoint, of those that began in the hour `since` or later; kept for
        PERIOD and an hour. A crash may lose some that it recorded last."""
        ...

    async def get(self, account_id: UUID, delivery_id: UUID) -> Delivery | None: ...

    async def page(
        self, account_id: UUID, query: DeliveryQuery, limit: int, after: UUID | None = None
    ) -> ListPage[Delivery]:
        """Matching deliveries, newest first, starting strictly after the id `after` in that order."""
        ...
