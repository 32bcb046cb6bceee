"""The services for managing webhooks."""

from dataclasses import dataclass

from serve_app.services.webhooks.endpoints import EndpointService
from serve_app.services.webhooks.log import DeliveryLog
from serve_app.services.webhooks.sample_events import SampleEvents


@dataclass(frozen=True, slots=True)
class Webhooks:
    """The webhook services, built once by `serve_app.wiring`."""

    endpoints: EndpointService
    deliveries: DeliveryLog
    sample_events: SampleEvents
