"""The log of deliveries, and redelivery."""

import logging
from datetime import datetime
from uuid import UUID

from serve_app.domain.query import DeliveryQuery, ListPage
from serve_app.domain.webhook import Delivery
from serve_app.services.webhooks.lookup import active_endpoint_of, endpoint_of, paused_endpoint
from serve_app.store.base import Deliveries, Endpoints
from serve_app.store.base.webhooks import EndpointPaused

log = logging.getLogger(__name__)


class DeliveryLog:
    """Shows deliveries with their attempts, and redelivers them.

    Every method raises LookupError for a delivery or an endpoint that is unknown or another account's, and ServiceError
    503 while the storage is out of reach.
    """

    def __init__(self, endpoints: Endpoints, deliveries: Deliveries) -> None:
        self._endpoints = endpoints
        self._deliveries = deliveries

    async def page(
        self, account_id: UUID, query: DeliveryQuery, limit: int, after: UUID | None = None
    ) -> ListPage[Delivery]:
        """The deliveries that match, newest first, starting strictly after the delivery `after`."""
        if query.endpoint_id is not None:
            await endpoint_of(self._endpoints, account_id, query.endpoint_id)
        if after is not None:
            await self.get(account_id, after)
        return await self._deliveries.page(account_id, query, limit, after)

    async def get(self, account_id: UUID, delivery_id: UUID) -> Delivery:
        """With all attempts that were made, oldest first."""
        delivery = await self._deliveries.get(account_id, delivery_id)
        if delivery is None:
            raise _unknown(delivery_id)
        return delivery

    async def redeliver(self, account_id: UUID, delivery_id: UUID) -> Delivery:
        """Send a delivery again at once, whatever its state; its schedule restarts, and its `webhook-id` stays.
        Raises InvalidParameter while its endpoint is paused."""
        try:
            again = await self._deliveries.redeliver(account_id, delivery_id)
        except EndpointPaused:
            raise paused_endpoint() from None
        if again is None:
            raise _unknown(delivery_id)
        log.info("redelivery", extra={"account_id": str(account_id), "delivery_id": str(delivery_id)})
        return again

    async def redeliver_abandoned(self, account_id: UUID, since: datetime, endpoint_id: UUID | None = None) -> int:
        """Redeliver all abandoned deliveries of events since `since`, to one endpoint or to all active ones of the
        account. Returns how many. Raises InvalidParameter if the one endpoint is paused."""
        if endpoint_id is not None:
            await active_endpoint_of(self._endpoints, account_id, endpoint_id)
        count = await self._deliveries.redeliver_abandoned(account_id, since, endpoint_id)
        log.info("abandoned deliveries sent again: %d", count, extra={"account_id": str(account_id)})
        return count


def _unknown(delivery_id: UUID) -> LookupError:
    return LookupError(f"the account has no delivery {delivery_id}")
