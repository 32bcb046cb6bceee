"""Answers about webhooks. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import datetime

from invoices_client.models.base import Model
from invoices_client.models.enums import EventType, PauseReason


class WebhookEndpoint(Model):
    """A URL at which the account receives events."""

    id: str
    """The endpoint's id."""
    object: str
    """The kind of resource."""
    url: str
    """The URL that receives events, in normalised form."""
    description: str
    """The purpose of the endpoint, or an empty text."""
    livemode: bool
    """False in test mode: an endpoint receives the events of its mode only."""
    types: list[EventType] = []
    """All types of events that are sent."""
    active: bool
    """Whether events are sent; false while the endpoint is paused."""
    paused_reason: PauseReason | None = None
    """The reason of the pause: `by_hand`, `gone` (it answered 410) or `failing` (for five days); null while it is
    active.
    """
    failing_since: datetime | None = None
    """When the first attempt since the last success failed; null if the last one succeeded."""
    created_at: datetime
    """When it was registered."""


class WebhookEndpointWithSecret(WebhookEndpoint):
    """A webhook endpoint with its secret, which no other response contains."""

    secret: str
    """The secret that signs webhooks: `whsec_` and base64. Store it: no later response contains it."""


class WebhookEndpointList(Model):
    """The account's webhook endpoints, oldest first; all of them, since an account has at most 100."""

    object: str
    """The kind of answer."""
    data: list[WebhookEndpoint] = []
    """The endpoints."""
    has_more: bool
    """Always false."""
