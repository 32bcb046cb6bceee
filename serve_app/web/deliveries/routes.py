"""The log of deliveries: list, show, redeliver, sign on demand."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.webhook import Delivery
from serve_app.services.bundle import Services
from serve_app.web.changes import record
from serve_app.web.deliveries.view import LIST, PAGE, STATES, DeliveryFilters, as_curl, rows_of
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import from_day, id_of, path_with, require_id
from serve_app.web.visitor import AnyServices, FreshOwner, Owner, Visitor
from serve_app.web.webhooks.view import ABANDONED, state_of_delivery

router = APIRouter()

SIGNATURE_LIFE = timedelta(minutes=5)
"""How old a signature may be for receivers; docs/how-to/receive-webhooks.md."""

Text = Annotated[str, Form()]
Ids = Annotated[list[str], Form(alias="id")]


@router.get("/deliveries")
async def list_deliveries(
    request: Request,
    services: AnyServices,
    visitor: Owner,
    endpoint: str = "",
    state: str = "",
    event: str = "",
    since: str = "",
    until: str = "",
    after: str = "",
) -> HTMLResponse:
    """The account's deliveries, filtered by the address."""
    filters, account_id = DeliveryFilters(endpoint, state, event, since, until), visitor.account.id
    endpoints = await services.webhooks.endpoints.list(account_id)
    found = await services.webhooks.deliveries.page(account_id, filters.query(), PAGE, id_of(after))
    return page(
        request,
        visitor,
        "deliveries/list.html",
        filters=filters,
        endpoints=endpoints,
        rows=rows_of(found, endpoints),
        states=STATES,
        state_of=state_of_delivery,
        next_path=filters.path(found.items[-1].id) if found.has_more else "",
        first_path=filters.path() if after else "",
        today=utc_now().date().isoformat(),
    )


@router.post("/deliveries/redeliver")
async def redeliver_selected(
    services: AnyServices,
    visitor: Owner,
    id: Ids = [],  # noqa: B006 - FastAPI copies it
    back: Text = "",
) -> Response:
    """Send the selected deliveries again."""
    done, problem = 0, ""
    for text in dict.fromkeys(id):
        try:
            await services.webhooks.deliveries.redeliver(visitor.account.id, require_id(text))
            done += 1
        except InvalidParameter as error:
            problem = f" The others failed: {error.message}"
    if done:
        await record(services, visitor, "delivery.redelivered", f"{done} selected")
    path = back if back.startswith(f"{LIST}?") else LIST
    if not id:
        return redirect(path, "Nothing was selected.")
    return redirect(path, f"{done} of {len(dict.fromkeys(id))} are sent again now.{problem}")


@router.post("/deliveries/redeliver-failed")
async def redeliver_failed(services: AnyServices, visitor: Owner, since: Text = "", endpoint: Text = "") -> Response:
    """Send all that failed since a day again."""
    moment = from_day(since)
    if moment is None:
        raise InvalidParameter("Choose the first day of the deliveries to send again.")
    count = await services.webhooks.deliveries.redeliver_abandoned(visitor.account.id, moment, id_of(endpoint))
    await record(services, visitor, "delivery.redelivered", f"{count} failed", since=since, endpoint=endpoint or None)
    path = path_with(LIST, endpoint=endpoint)
    return redirect(path, f"{count} failed {'delivery is' if count == 1 else 'deliveries are'} sent again now.")


@router.get("/deliveries/{id}")
async def show_delivery(request: Request, services: AnyServices, visitor: Owner, id: str) -> HTMLResponse:
    """A delivery with its attempts."""
    return await _show(request, services, visitor, await _delivery(services, visitor, id))


@router.post("/deliveries/{id}/redeliver")
async def redeliver(services: AnyServices, visitor: Owner, id: str) -> Response:
    """Send it again at once."""
    path = f"{LIST}/{require_id(id)}"
    try:
        delivery = await services.webhooks.deliveries.redeliver(visitor.account.id, require_id(id))
    except InvalidParameter as error:
        return redirect(path, error.message)
    await record(services, visitor, "delivery.redelivered", str(delivery.id), event=delivery.event_id)
    return redirect(path, "The delivery is sent again now, with a new retry schedule.")


@router.post("/deliveries/{id}/sign")
async def sign_request(request: Request, services: AnyServices, visitor: FreshOwner, id: str) -> Response:
    """The request as a command, signed now."""
    delivery = await _delivery(services, visitor, id)
    command = as_curl(*await services.webhooks.deliveries.sign(visitor.account.id, delivery.id))
    await record(services, visitor, "delivery.signed", str(delivery.id), event=delivery.event_id)
    return await _show(request, services, visitor, delivery, command)


async def _delivery(services: Services, visitor: Visitor, id: str) -> Delivery:
    return await services.webhooks.deliveries.get(visitor.account.id, require_id(id))


async def _show(
    request: Request, services: Services, visitor: Visitor, delivery: Delivery, command: str = ""
) -> HTMLResponse:
    account_id = visitor.account.id
    return page(
        request,
        visitor,
        "deliveries/delivery.html",
        delivery=delivery,
        endpoint=await services.webhooks.endpoints.get(account_id, delivery.endpoint_id),
        body=await services.webhooks.deliveries.body(account_id, delivery.id),
        state=state_of_delivery(delivery),
        reason=ABANDONED.get(delivery.abandoned_reason) if delivery.abandoned_reason else "",
        command=command,
        now=utc_now(),
        valid_until=utc_now() + SIGNATURE_LIFE,
    )
