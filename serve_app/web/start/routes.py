"""The first page."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

from serve_app.domain.limits import megabytes
from serve_app.web.pages import fragment, page, wants_fragment
from serve_app.web.start.view import start_view
from serve_app.web.visitor import AnyServices, AnyVisitor

router = APIRouter()

_MENTIONS = 5


@router.get("/")
async def show_start(request: Request, services: AnyServices, visitor: AnyVisitor) -> HTMLResponse:
    """What waits for the visitor."""
    view = await start_view(services, visitor.account)
    if wants_fragment(request):
        return fragment(request, visitor, "start/start.html", "figures", view=view)
    limit = megabytes(services.settings.max_file_bytes)
    mentions = await services.comments.mentioning(visitor.account.id, visitor.person.id, _MENTIONS)
    return page(request, visitor, "start/start.html", view=view, limit=limit, mentions=mentions)
