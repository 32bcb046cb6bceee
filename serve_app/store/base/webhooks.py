"""Webhook endpoints and the deliveries to them."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from serve_app.domain.event import LoggedEvent
from serve_app.domain.query import DeliveryQuery, Page
from serve_app.domain.webhook import AbandonReason, Attempt, Delivery, Health, Lane, Payload, WebhookEndpoint

LATEST_RETRY = timedelta(hours=25)
"""An attempt that is due later than this from now was put off before the clock was set back."""


class UrlTaken(Exception):
    """The account has another endpoint with this URL."""


class TooManyEndpoints(Exception):
    """The account has as many endpoints as it may have."""


class EndpointPaused(Exception):
    """Nothing can be delivered to the endpoint now."""


class EndpointChanged(Exception):
    """The endpoint is not what it was when it was read: changed, paused or removed."""


class Endpoints(Protocol):
    """None stands for an id that is unknown or another account's."""

    async def add(self, endpoint: WebhookEndpoint, *, at_most: int) -> None:
        """UrlTaken, or TooManyEndpoints where the account has `at_most` already, however many are added at once."""
        ...

    async def get(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint | None: ...

    async def of_account(self, account_id: UUID) -> list[WebhookEndpoint]:
        """Oldest first."""
        ...

    async def replace(self, endpoint: WebhookEndpoint) -> WebhookEndpoint | None:
        """Write the endpoint where nobody changed it since it was read; it comes back with its new revision, None
        means: read it again. Where it is paused now, all deliveries that wait for it are abandoned. UrlTaken where
        another has its URL."""
        ...

    async def remove(self, account_id: UUID, endpoint_id: UUID) -> bool:
        """With its deliveries and test events; False where there is none."""
        ...

    async def exist(self) -> bool:
        """Whether any account has one."""
        ...

    async def with_untold_owner(self, limit: int) -> list[WebhookEndpoint]:
        """Up to `limit` of those whose owner is to be told that they were paused."""
        ...


class Lanes(Protocol):
    """The right to deliver to an endpoint, for one worker at a time and for a limited time. An endpoint that is paused
    has no lane."""

    async def claim(self, lease: timedelta, *, slow: bool, without: Collection[UUID] = ()) -> Lane | None:
        """The endpoint that has waited longest with a due delivery, among those that are slow or among those that are
        not, and of none of the accounts in `without`; one that a dead worker held is free when its lease is over. None
        where nobody waits."""
        ...

    async def renew(self, lane: Lane, lease: timedelta) -> bool:
        """False where the lane is no longer the caller's."""
        ...

    async def give_back(self, lane: Lane, health: Health) -> datetime | None:
        """Free the lane; it then waits behind those that wait already. How the endpoint did is noted unless somebody
        changed it since the lane was claimed: that says nothing about another URL, or one that was resumed. Returns
        when its next delivery is due, None where none is or the lane was no longer the caller's."""
        ...

    async def mend(self) -> int:
        """Free lanes that are held for longer than any lease lasts, and make those due whose deliveries are, as after a
        clock was set back, or set ahead and put right: what is due later than any retry can be is due at once. Do what
        a process that died left to do with endpoints. Returns how many lanes it changed."""
        ...


class Deliveries(Protocol):
    """Leased rows, made by `Outbox.spread_pending`. A write of an attempt takes the delivery as it was claimed, and
    does nothing (False) when the claim is no longer the present one. What was paused while an attempt was under way
    stays abandoned, unless the attempt reached the endpoint; the attempt is kept."""

    async def claim_due(
        self, endpoint_id: UUID, lease: timedelta, limit: int, revision: int | None = None
    ) -> list[Delivery]:
        """Claim up to `limit` of an endpoint's due deliveries, those due for longest first, lost claims among them.
        EndpointChanged where a revision is given, and the endpoint has another one."""
        ...

    async def payloads(self, deliveries: Collection[Delivery]) -> Mapping[str, Payload]:
        """What is sent for their events, by the events' ids."""
        ...

    async def delivered(self, claim: Delivery, attempt: Attempt) -> bool:
        """The endpoint has it."""
        ...

    async def all_delivered(self, arrived: Collection[tuple[Delivery, Attempt]]) -> None:
        """`delivered` for each, in one go."""
        ...

    async def retry(self, claim: Delivery, attempt: Attempt, delay: timedelta) -> bool:
        """The attempt failed; the next one is due after `delay`."""
        ...

    async def abandon(self, claim: Delivery, attempt: Attempt, reason: AbandonReason) -> bool:
        """The attempt failed, and no other follows."""
        ...

    async def hand_back(self, claim: Delivery) -> bool:
        """No attempt was made; it is due at once."""
        ...

    async def add_test(self, event: LoggedEvent, endpoint_id: UUID) -> Delivery | None:
        """A delivery of an event that no list shows; None where the account has no such endpoint. EndpointPaused."""
        ...

    async def redeliver(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        """Start the schedule anew, at once; None where there is no such delivery. EndpointPaused, and nothing waits for
        it then."""
        ...

    async def redeliver_abandoned(self, account_id: UUID, since: datetime, endpoint_id: UUID | None = None) -> int:
        """The same for every abandoned delivery of events since then, to endpoints that are active: to one, or to all
        of the account's. Returns how many."""
        ...

    async def get(self, account_id: UUID, delivery_id: UUID) -> Delivery | None: ...

    async def page(
        self, account_id: UUID, query: DeliveryQuery, limit: int, after: UUID | None = None
    ) -> Page[Delivery]:
        """The newest deliveries that match, those strictly after the id `after` in this order."""
        ...
