"""`/docs`: interactive API documentation that loads nothing from the internet."""

from pathlib import Path

import fastapi_offline
from fastapi import APIRouter
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import FileResponse, HTMLResponse

from serve_app.api.errors import RouteNotFound

_ASSETS = Path(fastapi_offline.__file__).parent / "static"
_NAMES = ("swagger-ui-bundle.js", "swagger-ui.css", "favicon.png")

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def show_docs() -> HTMLResponse:
    """The page."""
    return get_swagger_ui_html(
        openapi_url="/v1/openapi.json",
        title="Invoice extraction API",
        swagger_js_url="/docs/swagger-ui-bundle.js",
        swagger_css_url="/docs/swagger-ui.css",
        swagger_favicon_url="/docs/favicon.png",
    )


@router.get("/docs/{name}")
async def get_asset(name: str) -> FileResponse:
    """The files that the page consists of."""
    if name not in _NAMES:
        raise RouteNotFound
    return FileResponse(_ASSETS / name, headers={"Cache-Control": "public, max-age=86400"})
