"""Finds a webhook endpoint by its id, and changes it while other processes do the same."""

from collections.abc import Callable
from uuid import UUID

from serve_app.domain.errors import InvalidParameter, ServiceError, WebhookEndpointNotFound
from serve_app.domain.user_error import UserError
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.store.base import Endpoints

_TRIES = 20

Change = Callable[[WebhookEndpoint], WebhookEndpoint]


def paused_endpoint() -> ServiceError:
    """The error for what cannot be done while an endpoint is paused."""
    return InvalidParameter("The webhook endpoint is paused; resume it first.")


async def endpoint_of(endpoints: Endpoints, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint:
    """The account's endpoint with this id. Raises WebhookEndpointNotFound if it has none."""
    endpoint = await endpoints.get(account_id, endpoint_id)
    if endpoint is None:
        raise WebhookEndpointNotFound
    return endpoint


async def active_endpoint_of(endpoints: Endpoints, account_id: UUID, endpoint_id: UUID) -> WebhookEndpoint:
    """Like `endpoint_of`; also raises InvalidParameter if the endpoint is paused."""
    endpoint = await endpoint_of(endpoints, account_id, endpoint_id)
    if not endpoint.is_active:
        raise paused_endpoint()
    return endpoint


async def change_endpoint(endpoints: Endpoints, account_id: UUID, endpoint_id: UUID, change: Change) -> WebhookEndpoint:
    """The endpoint after the change, which may be a no-op. If another process is faster, the change is applied again to
    the new state. Raises WebhookEndpointNotFound, UserError if it keeps
    changing."""
    for _ in range(_TRIES):
        present = await endpoint_of(endpoints, account_id, endpoint_id)
        changed = change(present)
        written = present if changed == present else await endpoints.replace(changed)
        if written is not None:
            return written
    raise UserError("the webhook endpoint keeps changing; try again")
