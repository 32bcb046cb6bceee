"""Changes a webhook endpoint that other processes change at the same time."""

from collections.abc import Callable
from uuid import UUID

from serve_app.domain.user_error import UserError
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.services.webhooks.lookup import endpoint_of
from serve_app.store.base import Endpoints

_TRIES = 20

Change = Callable[[WebhookEndpoint], WebhookEndpoint]


async def change_endpoint(endpoints: Endpoints, account_id: UUID, endpoint_id: UUID, change: Change) -> WebhookEndpoint:
    """The endpoint after the change, which may be a no-op. If another process is faster, the change is applied again to
    the new state. Raises LookupError if the endpoint is unknown or another account's, ValueError if it keeps
    changing."""
    for _ in range(_TRIES):
        present = await endpoint_of(endpoints, account_id, endpoint_id)
        wanted = change(present)
        written = present if wanted == present else await endpoints.replace(wanted)
        if written is not None:
            return written
    raise UserError("the webhook endpoint keeps changing; try again")
