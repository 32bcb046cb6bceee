"""The services for managing webhooks."""

from dataclasses import dataclass

from serve_app.services.webhook_endpoints import ManageEndpoints
from serve_app.services.webhook_log import DeliveryLog
from serve_app.services.webhook_test_event import SendTestEvent


@dataclass(frozen=True, slots=True)
class Webhooks:
    """The webhook services, built once by `serve_app.wiring`."""

    endpoints: ManageEndpoints
    deliveries: DeliveryLog
    send_test_event: SendTestEvent
