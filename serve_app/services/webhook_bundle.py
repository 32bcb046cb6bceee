"""What those who manage webhooks need to do their work."""

from dataclasses import dataclass

from serve_app.services.webhook_endpoints import ManageEndpoints
from serve_app.services.webhook_log import DeliveryLog
from serve_app.services.webhook_test_event import SendTestEvent


@dataclass(frozen=True, slots=True)
class Webhooks:
    """The verbs of webhooks, built once by `serve_app.wiring`."""

    endpoints: ManageEndpoints
    deliveries: DeliveryLog
    send_test_event: SendTestEvent
