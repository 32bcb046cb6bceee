"""Webhook endpoints: list, register, show, change, pause, delete."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.event import ENDS_OF_RUNS, EventType
from serve_app.domain.query import DeliveryQuery
from serve_app.domain.webhook import DeliveryState, WebhookEndpoint
from serve_app.services.bundle import Services
from serve_app.services.webhooks.endpoints import EndpointAmendment
from serve_app.web.changes import record
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import one_of, require_id
from serve_app.web.visitor import AnyServices, FreshOwner, Owner, Visitor
from serve_app.web.webhooks.view import (
    PAUSES,
    TYPES,
    EndpointRow,
    has_outcome,
    old_secrets_end,
    state_of_delivery,
    state_of_endpoint,
)

router = APIRouter()

LIST = "/app/webhooks"
MOST_COUNTED = 100
Text = Annotated[str, Form()]
Types = Annotated[list[str], Form(alias="type")]


@router.get("/webhooks")
async def list_endpoints(request: Request, services: AnyServices, visitor: Owner) -> HTMLResponse:
    """The account's endpoints, with their health of 24 hours."""
    webhooks, account_id = services.webhooks, visitor.account.id
    endpoints = await webhooks.endpoints.list(account_id)
    rows = [EndpointRow(each, await webhooks.deliveries.health(account_id, each.id)) for each in endpoints]
    return page(
        request, visitor, "webhooks/list.html", rows=rows, ends_of_runs=ENDS_OF_RUNS, state_of=state_of_endpoint
    )


@router.get("/webhooks/new")
async def ask_for_endpoint(request: Request, services: AnyServices, visitor: FreshOwner) -> HTMLResponse:
    """The form for a new endpoint."""
    return _new(request, services, visitor)


@router.post("/webhooks/new")
async def register_endpoint(
    request: Request,
    services: AnyServices,
    visitor: FreshOwner,
    url: Text = "",
    description: Text = "",
    types: Types = [],  # noqa: B006 - FastAPI copies it
) -> Response:
    """Register it, and show its secret."""
    try:
        chosen = _types(types)
        endpoint, raw = await services.webhooks.endpoints.register(visitor.account.id, url.strip(), chosen, description)
    except InvalidParameter as error:
        values = {"url": url, "description": description, "chosen": types}
        return _new(request, services, visitor, 400, problem=error.message, **values)
    await _record(services, visitor, "webhook.registered", endpoint)
    return _secret(request, visitor, endpoint, raw, "Copy the secret", is_new=True)


@router.get("/webhooks/{id}")
async def show_endpoint(
    request: Request, services: AnyServices, visitor: Owner, id: str, test: str = ""
) -> HTMLResponse:
    """An endpoint, with everything that can be done to it, and the result of the test event `test`."""
    endpoint = await _endpoint(services, visitor, id)
    delivery = await services.webhooks.deliveries.get(visitor.account.id, require_id(test)) if test else None
    return await _show(request, services, visitor, endpoint, delivery=delivery)


@router.post("/webhooks/{id}/settings")
async def change_endpoint(
    request: Request,
    services: AnyServices,
    visitor: Owner,
    id: str,
    url: Text = "",
    description: Text = "",
    types: Types = [],  # noqa: B006
) -> Response:
    """Change URL, description and types."""
    endpoint = await _endpoint(services, visitor, id)
    try:
        amendment = EndpointAmendment(url.strip(), description, _types(types))
        changed = await services.webhooks.endpoints.amend(visitor.account.id, endpoint.id, amendment)
    except InvalidParameter as error:
        values = {"url": url, "description": description, "chosen": types}
        return await _show(request, services, visitor, endpoint, 400, problem=error.message, **values)
    await _record(services, visitor, "webhook.changed", changed, types=", ".join(changed.types or ENDS_OF_RUNS))
    return redirect(_path(endpoint), "Saved. The change applies to all deliveries that were not sent yet.")


@router.get("/webhooks/{id}/pause")
async def ask_to_pause(request: Request, services: AnyServices, visitor: Owner, id: str) -> HTMLResponse:
    """The question whether to pause, with what will be lost."""
    endpoint = await _endpoint(services, visitor, id)
    pending = await _count_pending(services, endpoint)
    return page(request, visitor, "webhooks/pause.html", endpoint=endpoint, pending=pending, most=MOST_COUNTED)


@router.post("/webhooks/{id}/pause")
async def pause_endpoint(services: AnyServices, visitor: Owner, id: str) -> Response:
    """Stop sending."""
    endpoint = await services.webhooks.endpoints.pause(visitor.account.id, require_id(id))
    await _record(services, visitor, "webhook.paused", endpoint)
    return redirect(_path(endpoint), "The endpoint is paused. Nothing is sent until you resume it.")


@router.post("/webhooks/{id}/resume")
async def resume_endpoint(services: AnyServices, visitor: Owner, id: str) -> Response:
    """Send new events again."""
    endpoint = await services.webhooks.endpoints.resume(visitor.account.id, require_id(id))
    await _record(services, visitor, "webhook.resumed", endpoint)
    return redirect(
        _path(endpoint), "The endpoint is active again for new events. You can redeliver abandoned deliveries."
    )


@router.get("/webhooks/{id}/rotate")
async def ask_to_rotate(request: Request, services: AnyServices, visitor: FreshOwner, id: str) -> HTMLResponse:
    """The question whether to make a new secret."""
    return page(request, visitor, "webhooks/rotate.html", endpoint=await _endpoint(services, visitor, id))


@router.post("/webhooks/{id}/rotate")
async def rotate_secret(request: Request, services: AnyServices, visitor: FreshOwner, id: str) -> Response:
    """Make a new secret, and show it."""
    endpoint = await _endpoint(services, visitor, id)
    try:
        raw = await services.webhooks.endpoints.rotate_secret(visitor.account.id, endpoint.id)
    except InvalidParameter as error:
        return redirect(_path(endpoint), error.message)
    await _record(services, visitor, "webhook.secret_rotated", endpoint)
    return _secret(request, visitor, await _endpoint(services, visitor, id), raw, "Copy the new secret")


@router.post("/webhooks/{id}/secret")
async def reveal_secret(request: Request, services: AnyServices, visitor: FreshOwner, id: str) -> Response:
    """Show the secret."""
    endpoint = await _endpoint(services, visitor, id)
    raw = await services.webhooks.endpoints.reveal_secret(visitor.account.id, endpoint.id)
    await _record(services, visitor, "webhook.secret_shown", endpoint)
    return _secret(request, visitor, endpoint, raw, "The secret")


@router.get("/webhooks/{id}/delete")
async def ask_to_delete(request: Request, services: AnyServices, visitor: Owner, id: str) -> HTMLResponse:
    """The question whether to delete, with what will be lost."""
    endpoint = await _endpoint(services, visitor, id)
    pending = await _count_pending(services, endpoint)
    return page(request, visitor, "webhooks/delete.html", endpoint=endpoint, pending=pending, most=MOST_COUNTED)


@router.post("/webhooks/{id}/delete")
async def delete_endpoint(services: AnyServices, visitor: Owner, id: str) -> Response:
    """Remove it with its deliveries."""
    endpoint = await _endpoint(services, visitor, id)
    await services.webhooks.endpoints.delete(visitor.account.id, endpoint.id)
    await _record(services, visitor, "webhook.deleted", endpoint)
    return redirect(LIST, "The endpoint and its deliveries were deleted.")


async def _endpoint(services: Services, visitor: Visitor, id: str) -> WebhookEndpoint:
    return await services.webhooks.endpoints.get(visitor.account.id, require_id(id))


async def _count_pending(services: Services, endpoint: WebhookEndpoint) -> int:
    query = DeliveryQuery(endpoint_id=endpoint.id, state=DeliveryState.PENDING)
    found = await services.webhooks.deliveries.page(endpoint.account_id, query, MOST_COUNTED)
    return len(found.items)


async def _record(
    services: Services, visitor: Visitor, action: str, endpoint: WebhookEndpoint, **details: object
) -> None:
    # Without the URL: its path or query may be a password.
    await record(services, visitor, action, str(endpoint.id), description=endpoint.description or None, **details)


async def _show(
    request: Request, services: Services, visitor: Visitor, endpoint: WebhookEndpoint, status: int = 200, **values: Any
) -> HTMLResponse:
    now, account_id = utc_now(), visitor.account.id
    latest = await services.webhooks.deliveries.page(account_id, DeliveryQuery(endpoint_id=endpoint.id), 5)
    known = {
        "endpoint": endpoint,
        "state": state_of_endpoint(endpoint),
        "pause": PAUSES.get(endpoint.paused_reason) if endpoint.paused_reason else "",
        "health": await services.webhooks.deliveries.health(account_id, endpoint.id),
        "old_end": old_secrets_end(endpoint.secrets, now),
        "old_key_end": old_secrets_end(endpoint.signing_keys, now),
        "latest": latest.items,
        "state_of_delivery": state_of_delivery,
        "has_outcome": has_outcome,
        "types": TYPES,
        "chosen": endpoint.types or ENDS_OF_RUNS,
        "url": endpoint.url,
        "description": endpoint.description,
        "problem": "",
        "delivery": None,
    }
    return page(request, visitor, "webhooks/endpoint.html", status, **known | values)


def _new(request: Request, services: Services, visitor: Visitor, status: int = 200, **values: Any) -> HTMLResponse:
    known = {"url": "", "description": "", "chosen": ENDS_OF_RUNS, "types": TYPES, "problem": ""}
    networks = services.settings.webhook_networks
    return page(request, visitor, "webhooks/new.html", status, **known | {"networks": networks} | values)


def _secret(
    request: Request, visitor: Visitor, endpoint: WebhookEndpoint, raw: str, heading: str, *, is_new: bool = False
) -> HTMLResponse:
    ends = old_secrets_end(endpoint.secrets, utc_now())
    return page(
        request, visitor, "webhooks/secret.html", endpoint=endpoint, raw=raw, heading=heading, is_new=is_new, ends=ends
    )


def _types(texts: list[str]) -> list[EventType]:
    """Raises InvalidParameter if there are none: the store takes an empty list for the ends of all runs."""
    chosen = [type for text in texts if (type := one_of(EventType, text)) is not None]
    if not chosen:
        raise InvalidParameter("Choose at least one event type.")
    return [] if set(chosen) == set(ENDS_OF_RUNS) else chosen


def _path(endpoint: WebhookEndpoint | UUID) -> str:
    return f"{LIST}/{endpoint.id if isinstance(endpoint, WebhookEndpoint) else endpoint}"
