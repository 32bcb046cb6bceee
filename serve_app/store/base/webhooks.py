"""Webhook endpoints and the deliveries to them."""

from datetime import timedelta
from typing import Protocol
from uuid import UUID

from serve_app.domain.query import Page
from serve_app.domain.webhook import Attempt, Delivery, DeliveryState, WebhookEndpoint


class Endpoints(Protocol):
    """None stands for an id that is unknown or another account's."""

    async def add(self, endpoint: WebhookEndpoint) -> None: ...

    async def get(self, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint | None: ...

    async def of_account(self, account_id: UUID) -> list[WebhookEndpoint]:
        """Oldest first."""
        ...

    async def replace(self, endpoint: WebhookEndpoint) -> WebhookEndpoint | None:
        """Write the endpoint where nobody changed it since it was read; it comes back with its new revision, None
        means: read it again."""
        ...

    async def remove(self, account_id: UUID, endpoint_id: UUID) -> bool:
        """With its deliveries; False where there is none."""
        ...


class Deliveries(Protocol):
    """Leased rows, made by `Outbox.spread_pending`. A write of an attempt takes the delivery as it was claimed, and
    does nothing (False) when the claim is no longer the present one."""

    async def claim_due(self, lease: timedelta) -> Delivery | None:
        """Claim the delivery that has been due for longest, a lost claim's among them; None where none is due."""
        ...

    async def delivered(self, claim: Delivery, attempt: Attempt) -> bool:
        """The endpoint has it."""
        ...

    async def retry(self, claim: Delivery, attempt: Attempt, delay: timedelta) -> bool:
        """The attempt failed; the next one is due after `delay`."""
        ...

    async def abandon(self, claim: Delivery, attempt: Attempt | None, reason: str) -> bool:
        """No attempt follows."""
        ...

    async def abandon_pending(self, endpoint_id: UUID, reason: str) -> int:
        """Abandon every delivery to the endpoint that is pending; returns how many."""
        ...

    async def redeliver(self, account_id: UUID, delivery_id: UUID) -> Delivery | None:
        """Start the schedule anew, at once; None where there is no such delivery."""
        ...

    async def get(self, account_id: UUID, delivery_id: UUID) -> Delivery | None: ...

    async def page(
        self,
        account_id: UUID,
        limit: int,
        after: UUID | None = None,
        endpoint_id: UUID | None = None,
        event_id: str | None = None,
        state: DeliveryState | None = None,
    ) -> Page[Delivery]:
        """The newest deliveries that match, those strictly after the id `after` in this order."""
        ...
