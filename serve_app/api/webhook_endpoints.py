"""`/v1/webhook_endpoints`: what the web application's screens of webhooks do, for programs."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, errors_with, success, tagged
from serve_app.api.webhook_resources import (
    AmendEndpointBody,
    NewEndpointBody,
    WebhookEndpoint,
    WebhookEndpointList,
    WebhookEndpointWithSecret,
    endpoint_answer,
    endpoint_list,
    with_secret,
)
from serve_app.domain import webhook
from serve_app.domain.account import Caller
from serve_app.domain.audit import actor_of_key
from serve_app.domain.errors import WebhookEndpointNotFound
from serve_app.http.answers import json_answer
from serve_app.http.bodies import read_body, schema_of
from serve_app.http.dependencies import AnyCaller, AnyServices, Writer, id_in_path
from serve_app.services.bundle import Services

router = APIRouter(prefix="/v1/webhook_endpoints", tags=["webhooks"])

_SECRET_HEADERS = {"Cache-Control": "no-store"}
_WRITE_ERRORS = ("insufficient_scope", "webhook_endpoint_not_found")


EndpointId = Annotated[UUID, Depends(id_in_path(WebhookEndpointNotFound))]


@router.post(
    "",
    status_code=201,
    response_model=WebhookEndpointWithSecret,
    response_description="Registered. No later response contains the secret.",
    responses={
        **success(201, headers=("Location",)),
        **errors_with("invalid_body", "invalid_parameter", "insufficient_scope"),
    },
    openapi_extra=schema_of(
        NewEndpointBody, {"url": "https://example.com/hooks/invoices", "types": ["invoice.completed"]}
    ),
)
async def create_webhook_endpoint(request: Request, caller: Writer, services: AnyServices) -> Response:
    """Register a URL that receives the account's events from now on."""
    body = await read_body(request, NewEndpointBody)
    endpoint, raw = await services.webhooks.endpoints.register(
        caller.account.id, body.url, body.types, body.description
    )
    await _record(services, caller, "webhook.registered", endpoint)
    headers = _SECRET_HEADERS | {"Location": f"/v1/webhook_endpoints/{endpoint.id}"}
    return json_answer(with_secret(endpoint, raw).model_dump_json(), 201, headers)


@router.get(
    "", response_model=WebhookEndpointList, responses={**tagged(), **errors_with()}, openapi_extra=IF_NONE_MATCH
)
async def list_webhook_endpoints(caller: AnyCaller, services: AnyServices) -> Response:
    """The account's webhook endpoints, oldest first, without their secrets."""
    endpoints = await services.webhooks.endpoints.list(caller.account.id)
    return json_answer(endpoint_list(endpoints).model_dump_json())


@router.get(
    "/{id}",
    response_model=WebhookEndpoint,
    responses={**tagged(), **errors_with("webhook_endpoint_not_found")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_webhook_endpoint(endpoint_id: EndpointId, caller: AnyCaller, services: AnyServices) -> Response:
    """One webhook endpoint, without its secret."""
    endpoint = await services.webhooks.endpoints.get(caller.account.id, endpoint_id)
    return json_answer(endpoint_answer(endpoint).model_dump_json())


@router.patch(
    "/{id}",
    response_model=WebhookEndpoint,
    responses={**success(), **errors_with("invalid_body", "invalid_parameter", *_WRITE_ERRORS)},
    openapi_extra=schema_of(AmendEndpointBody, {"types": ["invoice.completed", "invoice.updated"]}),
)
async def amend_webhook_endpoint(
    request: Request, caller: Writer, endpoint_id: EndpointId, services: AnyServices
) -> Response:
    """Change URL, description or types, pause or resume. The change applies to all deliveries that were not sent
    yet."""
    body = await read_body(request, AmendEndpointBody)
    endpoint = await services.webhooks.endpoints.amend(caller.account.id, endpoint_id, body.amendment())
    await _record(services, caller, "webhook.changed", endpoint)
    return json_answer(endpoint_answer(endpoint).model_dump_json())


@router.delete(
    "/{id}",
    status_code=204,
    response_description="The webhook endpoint was deleted.",
    responses={**success(204), **errors_with(*_WRITE_ERRORS)},
)
async def delete_webhook_endpoint(caller: Writer, endpoint_id: EndpointId, services: AnyServices) -> Response:
    """Delete a webhook endpoint permanently, with its deliveries."""
    endpoint = await services.webhooks.endpoints.get(caller.account.id, endpoint_id)
    await services.webhooks.endpoints.delete(caller.account.id, endpoint_id)
    await _record(services, caller, "webhook.deleted", endpoint)
    return Response(status_code=204)


@router.post(
    "/{id}/rotate_secret",
    response_model=WebhookEndpointWithSecret,
    responses={**success(), **errors_with("invalid_parameter", *_WRITE_ERRORS)},
)
async def rotate_webhook_secret(caller: Writer, endpoint_id: EndpointId, services: AnyServices) -> Response:
    """Create a new secret. The old one also signs for another 24 hours. At most three secrets sign at a time."""
    raw = await services.webhooks.endpoints.rotate_secret(caller.account.id, endpoint_id)
    endpoint = await services.webhooks.endpoints.get(caller.account.id, endpoint_id)
    await _record(services, caller, "webhook.secret_rotated", endpoint)
    return json_answer(with_secret(endpoint, raw).model_dump_json(), headers=_SECRET_HEADERS)


async def _record(services: Services, caller: Caller, action: str, endpoint: webhook.WebhookEndpoint) -> None:
    # Without the URL: its path or query may be a password.
    details = {"description": endpoint.description or None, "types": ", ".join(endpoint.types) or None}
    actor = actor_of_key(caller.key.name)
    await services.people.audit.record(actor, caller.account.id, action, str(endpoint.id), **details)
