"""A test mail, followed until it arrives."""

from datetime import timedelta
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.web.changes import record
from serve_app.web.mail.view import is_moving, state_of
from serve_app.web.pages import fragment, page, redirect, wants_fragment
from serve_app.web.query_parameters import require_id
from serve_app.web.visitor import AnyServices, Reviewer

router = APIRouter()

SLOW = timedelta(minutes=2)
"""After this time, the page says where a mail may be stuck."""
GIVEN_UP = timedelta(hours=1)


@router.post("/mail/addresses/{id}/test")
async def send_test_mail(services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Send it, and follow it."""
    path = f"/app/mail/addresses/{require_id(id)}"
    try:
        token = await services.mailroom.trials.send(visitor.account.id, require_id(id))
    except InvalidParameter as error:
        return redirect(path, error.message)
    await record(services, visitor, "mail_address.tested", id)
    return redirect(f"{path}/test/{token}?sent={int(utc_now().timestamp())}")


@router.get("/mail/addresses/{id}/test/{token}")
async def follow_test_mail(
    request: Request, services: AnyServices, visitor: Reviewer, id: str, token: str, sent: int = 0
) -> HTMLResponse:
    """How far it has come."""
    address = await services.mailroom.addresses.get(visitor.account.id, require_id(id))
    mail = await services.mailroom.trials.find(visitor.account.id, address.id, token)
    result = (await services.mailroom.results.of([mail]))[0] if mail else None
    waited = utc_now().timestamp() - sent
    values: dict[str, Any] = {
        "address": address,
        "written": services.mailroom.addresses.written(address),
        "mail": mail,
        "state": state_of(mail, result) if mail and result else None,
        "seconds": max(0, int(mail.received_at.timestamp() - sent)) if mail else 0,
        "is_slow": waited > SLOW.total_seconds(),
        "is_over": waited > GIVEN_UP.total_seconds(),
        "is_moving": mail is None or result is None or is_moving(mail, result),
        "poll": f"{request.url.path}?sent={sent}",
    }
    if wants_fragment(request):
        return fragment(request, visitor, "mail/test.html", "steps", **values)
    return page(request, visitor, "mail/test.html", **values)
