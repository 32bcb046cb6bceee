"""Test events, with the result on the same page."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.event import EventType
from serve_app.domain.webhook import Delivery
from serve_app.web.changes import record
from serve_app.web.pages import fragment, redirect, wants_fragment
from serve_app.web.query_parameters import one_of, require_id
from serve_app.web.visitor import AnyServices, Owner, Visitor
from serve_app.web.webhooks.view import has_outcome, state_of_delivery

router = APIRouter()


@router.post("/webhooks/{id}/test")
async def send_test_event(
    request: Request, services: AnyServices, visitor: Owner, id: str, type: Annotated[str, Form()] = ""
) -> Response:
    """Send it, and show what comes of it."""
    endpoint_id = require_id(id)
    path = f"/app/webhooks/{endpoint_id}"
    try:
        kind = one_of(EventType, type)
        delivery = await services.webhooks.sample_events.send(visitor.account.id, endpoint_id, kind)
    except InvalidParameter as error:
        if wants_fragment(request):
            return fragment(request, visitor, "webhooks/test.html", "refused", problem=error.message)
        return redirect(path, error.message)
    await record(services, visitor, "webhook.tested", id, type=delivery.event_type)
    if wants_fragment(request):
        return _result(request, visitor, delivery)
    return redirect(f"{path}?test={delivery.id}#test")


@router.get("/webhooks/{id}/test/{delivery}")
async def show_test(request: Request, services: AnyServices, visitor: Owner, id: str, delivery: str) -> HTMLResponse:
    """What has come of a test event so far."""
    found = await services.webhooks.deliveries.get(visitor.account.id, require_id(delivery))
    if found.endpoint_id != require_id(id):
        raise LookupError(delivery)
    return _result(request, visitor, found)


def _result(request: Request, visitor: Visitor, delivery: Delivery) -> HTMLResponse:
    return fragment(
        request,
        visitor,
        "webhooks/test.html",
        "result",
        delivery=delivery,
        state_of_delivery=state_of_delivery,
        has_outcome=has_outcome,
    )
