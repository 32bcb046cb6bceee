"""The first page."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

from serve_app.web.pages import page
from serve_app.web.visitor import AnyVisitor

router = APIRouter()


@router.get("/")
async def show_start(request: Request, visitor: AnyVisitor) -> HTMLResponse:
    """What waits for the visitor."""
    return page(request, visitor, "start/start.html")
