"""`/docs`: interactive API documentation that loads nothing from the internet."""

from pathlib import Path

import fastapi_offline
from fastapi import APIRouter
from starlette.responses import FileResponse

from serve_app.http.errors import RouteNotFound

_OWN = Path(__file__).parent / "templates"
_ASSETS = Path(fastapi_offline.__file__).parent / "static"
_FILES = {name: _ASSETS / name for name in ("swagger-ui-bundle.js", "swagger-ui.css", "favicon.png")} | {
    "start.js": _OWN / "docs.js",
    "docs.css": _OWN / "docs.css",
}
_PAGE_HEADERS = {
    # Swagger UI writes styles into its elements, and has its icons in its style sheet.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
        " connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",
}

router = APIRouter(include_in_schema=False)


@router.get("/docs")
async def show_docs() -> FileResponse:
    """The page."""
    return FileResponse(_OWN / "docs.html", headers=_PAGE_HEADERS)


@router.get("/docs/{name}")
async def get_asset(name: str) -> FileResponse:
    """The files that the page consists of."""
    if name not in _FILES:
        raise RouteNotFound
    headers = {"Cache-Control": "public, max-age=86400", "X-Content-Type-Options": "nosniff"}
    return FileResponse(_FILES[name], headers=headers)
