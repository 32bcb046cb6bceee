"""Webhook endpoints as `/v1/webhook_endpoints` takes and answers them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import ConfigDict, Field, WithJsonSchema, model_validator

from serve_app.domain import webhook
from serve_app.domain.event import ENDS_OF_RUNS, EventType
from serve_app.domain.livemode import is_live
from serve_app.domain.resource import Resource
from serve_app.domain.webhook import PauseReason
from serve_app.http.bodies import Body
from serve_app.services.webhooks.endpoints import MAX_DESCRIPTION_LENGTH, MAX_URL_LENGTH, EndpointAmendment

_URL = "https://example.com/hooks/invoices"


def _without_default(schema: dict[str, Any]) -> None:
    """An omitted property stays unchanged; a default would make clients send it."""
    schema.pop("default")


_URI = {"type": "string", "format": "uri", "minLength": 1, "maxLength": MAX_URL_LENGTH}
Url = Annotated[str, Field(min_length=1, max_length=MAX_URL_LENGTH), WithJsonSchema(_URI)]
Description = Annotated[str, Field(max_length=MAX_DESCRIPTION_LENGTH)]
Types = Annotated[
    list[EventType], Field(min_length=1, max_length=len(EventType), examples=[["invoice.completed", "invoice.failed"]])
]


class NewEndpointBody(Body):
    """A webhook endpoint to register."""

    url: Annotated[Url, Field(examples=[_URL])]
    """The URL that receives events: https, at a public address, without user and password, registered only once."""
    description: Annotated[Description, Field(examples=["ERP"])] = ""
    """The purpose of the endpoint; control characters are dropped."""
    types: Annotated[Types, Field(default_factory=list)]
    """The types of events to send. Default: `invoice.completed` and `invoice.failed`."""


class AmendEndpointBody(Body):
    """The changes; at least one property. All of them are made, or none."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1})

    url: Annotated[Url, Field(json_schema_extra=_without_default, examples=[_URL])] = ""
    """The new URL."""
    description: Annotated[Description, Field(json_schema_extra=_without_default, examples=["ERP"])] = ""
    """The new description."""
    types: Annotated[Types, Field(default_factory=list)]
    """The new types of events."""
    active: Annotated[bool, Field(json_schema_extra=_without_default, examples=[False])] = True
    """False pauses the endpoint: deliveries that wait for a retry are abandoned. True resumes it for new events."""

    @model_validator(mode="after")
    def _has_something(self) -> "AmendEndpointBody":
        if not self.model_fields_set:
            raise ValueError("send at least one of `url`, `description`, `types` and `active`")
        return self

    def amendment(self) -> EndpointAmendment:
        """The same change for the service."""
        said = {name: getattr(self, name) for name in self.model_fields_set}
        return EndpointAmendment(said.get("url"), said.get("description"), said.get("types"), said.get("active"))


class WebhookEndpoint(Resource):
    """A URL at which the account receives events."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    id: Annotated[UUID, Field(examples=["019e2f3a-8e4f-7071-9283-a4b5c6d7e8f9"])]
    """The endpoint's id."""
    object: Annotated[Literal["webhook_endpoint"], Field(examples=["webhook_endpoint"])] = "webhook_endpoint"
    """The kind of resource."""
    url: Annotated[str, Field(examples=[_URL])]
    """The URL that receives events, in normalised form."""
    description: Annotated[str, Field(examples=["ERP"])]
    """The purpose of the endpoint, or an empty text."""
    livemode: Annotated[bool, Field(examples=[True])] = True
    """False in test mode: an endpoint receives the events of its mode only."""
    types: Annotated[list[EventType], Field(examples=[["invoice.completed", "invoice.failed"]])]
    """All types of events that are sent."""
    active: Annotated[bool, Field(examples=[True])]
    """Whether events are sent; false while the endpoint is paused."""
    paused_reason: Annotated[PauseReason | None, Field(examples=[None])]
    """The reason of the pause: `by_hand`, `gone` (it answered 410) or `failing` (for five days); null while it is
    active."""
    failing_since: Annotated[datetime | None, Field(examples=[None])]
    """When the first attempt since the last success failed; null if the last one succeeded."""
    created_at: Annotated[datetime, Field(examples=["2026-05-17T12:00:05Z"])]
    """When it was registered."""


class WebhookEndpointWithSecret(WebhookEndpoint):
    """A webhook endpoint with its secret, which no other response contains."""

    secret: Annotated[str, Field(examples=["whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDcDaWVcXtX10="])]
    """The secret that signs webhooks: `whsec_` and base64. Store it: no later response contains it."""


class WebhookEndpointList(Resource):
    """The account's webhook endpoints, oldest first; all of them, since an account has at most 100."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    object: Annotated[Literal["list"], Field(examples=["list"])] = "list"
    """The kind of answer."""
    data: list[WebhookEndpoint]
    """The endpoints."""
    has_more: Annotated[Literal[False], Field(examples=[False])] = False
    """Always false."""


def endpoint_answer(endpoint: webhook.WebhookEndpoint) -> WebhookEndpoint:
    """The endpoint as it is answered, without anything secret."""
    return WebhookEndpoint(**_fields_of(endpoint))


def with_secret(endpoint: webhook.WebhookEndpoint, raw: str) -> WebhookEndpointWithSecret:
    """The same with its current secret."""
    return WebhookEndpointWithSecret(**_fields_of(endpoint), secret=raw)


def endpoint_list(endpoints: Sequence[webhook.WebhookEndpoint]) -> WebhookEndpointList:
    """The list of these endpoints."""
    return WebhookEndpointList(data=[endpoint_answer(endpoint) for endpoint in endpoints])


def _fields_of(endpoint: webhook.WebhookEndpoint) -> dict[str, Any]:
    shared = ("id", "url", "description", "paused_reason", "failing_since", "created_at")
    values = {name: getattr(endpoint, name) for name in shared}
    more = {"livemode": is_live(endpoint.account_id), "active": endpoint.is_active}
    return values | more | {"types": list(endpoint.types or ENDS_OF_RUNS)}
