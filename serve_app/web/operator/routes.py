"""The whole deployment, for its operators."""

from datetime import timedelta

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.audit import actor_of
from serve_app.domain.clock import utc_now
from serve_app.web.pages import page
from serve_app.web.visitor import AnyServices, Operator
from serve_app.web.webhooks.view import PAUSES

router = APIRouter()

_LONG_WAIT = timedelta(minutes=10)


@router.get("/operator")
async def show_deployment(request: Request, services: AnyServices, visitor: Operator) -> HTMLResponse:
    """Queue, failures, models, paused endpoints, settings."""
    seen = await services.deployment.overview()
    return page(
        request,
        visitor,
        "operator/deployment.html",
        seen=seen,
        is_slow=seen.queue.oldest is not None and seen.at - seen.queue.oldest > _LONG_WAIT,
        failures=sorted(seen.failures.items(), key=lambda item: -item[1]),
        pauses=PAUSES,
        settings=services.deployment.settings(),
    )


@router.get("/operator/support-bundle")
async def send_support_bundle(services: AnyServices, visitor: Operator) -> Response:
    """The bundle as a download."""
    content = await services.deployment.support_bundle()
    await services.people.audit.record(actor_of(visitor.person), None, "support_bundle.made")
    headers = {"Content-Disposition": f'attachment; filename="support-{utc_now():%Y-%m-%d}.zip"'}
    return Response(content, media_type="application/zip", headers=headers)
