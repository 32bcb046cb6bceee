"""The services for managing webhooks."""

from dataclasses import dataclass

from serve_app.services.webhooks.endpoints import ManageEndpoints
from serve_app.services.webhooks.invented_event import SendTestEvent
from serve_app.services.webhooks.log import DeliveryLog


@dataclass(frozen=True, slots=True)
class Webhooks:
    """The webhook services, built once by `serve_app.wiring`."""

    endpoints: ManageEndpoints
    deliveries: DeliveryLog
    send_test_event: SendTestEvent
