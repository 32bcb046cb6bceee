"""The log of deliveries, and redelivery."""

import logging
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.endpoint_health import PERIOD, RecentHealth, health_of, hour_of
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.query import DeliveryQuery, ListPage
from serve_app.domain.webhook import Delivery
from serve_app.services.webhooks.lookup import active_endpoint_of, endpoint_of, paused_endpoint
from serve_app.services.webhooks.secrets import EndpointSecrets
from serve_app.services.webhooks.signature import signed_headers
from serve_app.store.base import Deliveries, Endpoints
from serve_app.store.base.webhooks import EndpointPaused

log = logging.getLogger(__name__)


class DeliveryLog:
    """Shows deliveries with their attempts, and redelivers them.

    Every method raises LookupError for a delivery or an endpoint that is unknown or another account's, and ServiceError
    503 while the storage is out of reach.
    """

    def __init__(
        self, endpoints: Endpoints, deliveries: Deliveries, secrets: EndpointSecrets, clock: Clock = utc_now
    ) -> None:
        self._endpoints = endpoints
        self._deliveries = deliveries
        self._secrets = secrets
        self._clock = clock

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

    async def health(self, account_id: UUID, endpoint_id: UUID) -> RecentHealth:
        """How the endpoint did in the last 24 hours, by full hours."""
        await endpoint_of(self._endpoints, account_id, endpoint_id)
        since = hour_of(self._clock() - PERIOD)
        return health_of(await self._deliveries.attempts_since(endpoint_id, since))

    async def body(self, account_id: UUID, delivery_id: UUID) -> str:
        """What is sent, as it is sent."""
        delivery = await self.get(account_id, delivery_id)
        payloads = await self._deliveries.payloads([delivery])
        if delivery.event_id not in payloads:
            raise _unknown(delivery_id)
        return payloads[delivery.event_id].text

    async def sign(self, account_id: UUID, delivery_id: UUID) -> tuple[str, Mapping[str, str], str]:
        """The endpoint's URL, and the headers and the body of the delivery, signed now as an attempt would be. Raises
        InvalidParameter if this deployment cannot open a secret."""
        delivery = await self.get(account_id, delivery_id)
        endpoint = await endpoint_of(self._endpoints, account_id, delivery.endpoint_id)
        body, now = await self.body(account_id, delivery_id), self._clock()
        try:
            secrets = self._secrets.signing(endpoint, now)
        except ValueError:
            raise InvalidParameter(
                "The endpoint's secret was encrypted with a key that this deployment does not have. Rotate the secret."
            ) from None
        log.info("request signed for its owner", extra={"account_id": str(account_id), "delivery_id": str(delivery_id)})
        return endpoint.url, signed_headers(secrets, delivery.event_id, int(now.timestamp()), body.encode()), body

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
