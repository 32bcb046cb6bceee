"""The services for managing webhooks."""

from dataclasses import dataclass

from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.invented_events import InventedEvents
from serve_app.services.webhooks.log import DeliveryLog


@dataclass(frozen=True, slots=True)
class Webhooks:
    """The webhook services, built once by `serve_app.wiring`."""

    endpoints: EndpointService
    deliveries: DeliveryLog
    invented_events: InventedEvents
