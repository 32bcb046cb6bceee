"""Changing a webhook endpoint that others change at the same time."""

from collections.abc import Callable
from uuid import UUID

from serve_app.domain.webhook import WebhookEndpoint
from serve_app.services.webhook_lookup import endpoint_of
from serve_app.store.base import Endpoints

_TRIES = 20

Change = Callable[[WebhookEndpoint], WebhookEndpoint]


async def change_endpoint(endpoints: Endpoints, account_id: UUID, endpoint_id: UUID, change: Change) -> WebhookEndpoint:
    """The endpoint after the change, which may be none. Where somebody else is faster it is made again, from what is
    there then. LookupError for an endpoint that is unknown or another account's, ValueError where it keeps changing."""
    for _ in range(_TRIES):
        present = await endpoint_of(endpoints, account_id, endpoint_id)
        wanted = change(present)
        written = present if wanted == present else await endpoints.replace(wanted)
        if written is not None:
            return written
    raise ValueError("the webhook endpoint keeps changing; try again")
