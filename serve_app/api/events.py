"""`/v1/events`."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, errors_with, tagged
from serve_app.api.schemas import EventList
from serve_app.domain.event import AnyEvent, EventType
from serve_app.domain.query import EventQuery
from serve_app.http.answers import json_answer, list_answer
from serve_app.http.dependencies import AnyCaller, AnyServices
from serve_app.http.parameters import EventId, Limit, Moment
from serve_app.http.schema_details import EVENT_ID

router = APIRouter(prefix="/v1/events", tags=["events"])


@router.get(
    "",
    response_model=EventList,
    responses={**tagged(), **errors_with("invalid_parameter", "query_timeout")},
    openapi_extra=IF_NONE_MATCH,
)
async def list_events(
    services: AnyServices,
    caller: AnyCaller,
    limit: Limit = 25,
    type: Annotated[EventType | None, Query(description="Default: `invoice.completed` and `invoice.failed`.")] = None,
    created_after: Annotated[Moment | None, Query(description="Strictly after; without an offset in UTC.")] = None,
    created_before: Annotated[Moment | None, Query(description="Strictly before; without an offset in UTC.")] = None,
    starting_after: Annotated[
        EventId | None,
        Query(description="Only events after this one. It may have been deleted in the last 30 days."),
    ] = None,
) -> Response:
    """List the account's events, newest first, as webhooks receive them. Events of deletions are kept for 30 days."""
    query = EventQuery(type, created_after, created_before)
    page = await services.events.list(caller.account.id, query, limit, starting_after)
    return list_answer([event.payload for event in page.items], page.has_more)


@router.get(
    "/{id}",
    response_model=AnyEvent,
    responses={**tagged(), **errors_with("event_not_found")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_event(
    services: AnyServices, caller: AnyCaller, id: Annotated[str, Path(json_schema_extra={"pattern": EVENT_ID})]
) -> Response:
    """One event of the caller's account, as it was sent to its webhooks."""
    return json_answer((await services.events.get(caller.account.id, id)).payload)
