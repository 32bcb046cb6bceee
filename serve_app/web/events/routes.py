"""The event log."""

import json

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

from serve_app.domain.event import EventType
from serve_app.domain.query import DeliveryQuery, EventQuery
from serve_app.web.api_calls import curl_of
from serve_app.web.pages import page
from serve_app.web.query_parameters import from_day, one_of, path_with, until_day
from serve_app.web.visitor import AnyServices, AnyVisitor
from serve_app.web.webhooks.view import TYPES, state_of_delivery

router = APIRouter()

LIST = "/app/events"
PAGE = 50
_MOST_DELIVERIES = 100


@router.get("/events")
async def list_events(
    request: Request,
    services: AnyServices,
    visitor: AnyVisitor,
    type: str = "",
    since: str = "",
    until: str = "",
    after: str = "",
) -> HTMLResponse:
    """The account's events, filtered by the address."""
    query = EventQuery(one_of(EventType, type), from_day(since), until_day(until))
    found = await services.events.list(visitor.account.id, query, PAGE, after or None)
    filters = {"type": type, "since": since, "until": until}
    return page(
        request,
        visitor,
        "events/list.html",
        filters=filters,
        events=[event.parsed() for event in found.items],
        types=TYPES,
        next_path=path_with(LIST, **filters, after=found.items[-1].id) if found.has_more else "",
        first_path=path_with(LIST, **filters) if after else "",
        call=curl_of(
            request,
            services.settings,
            "/v1/events",
            type=type,
            created_after=query.created_after and query.created_after.isoformat().replace("+00:00", "Z"),
            created_before=query.created_before and query.created_before.isoformat().replace("+00:00", "Z"),
        ),
    )


@router.get("/events/{id}")
async def show_event(request: Request, services: AnyServices, visitor: AnyVisitor, id: str) -> HTMLResponse:
    """An event as it was sent, with its deliveries."""
    event = await services.events.get(visitor.account.id, id)
    query = DeliveryQuery(event_id=event.id)
    found = await services.webhooks.deliveries.page(visitor.account.id, query, _MOST_DELIVERIES)
    endpoints = await services.webhooks.endpoints.list(visitor.account.id)
    return page(
        request,
        visitor,
        "events/event.html",
        event=event.parsed(),
        text=json.dumps(json.loads(event.payload), indent=2, ensure_ascii=False),
        deliveries=found.items,
        names={endpoint.id: endpoint.description or endpoint.url for endpoint in endpoints},
        state_of=state_of_delivery,
        call=curl_of(request, services.settings, f"/v1/events/{event.id}"),
    )
