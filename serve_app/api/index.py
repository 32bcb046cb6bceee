"""`GET /v1`: where the description of the API is, and which modes it has."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse

from serve_app.domain.account import KEY_START, TEST_KEY_START

router = APIRouter(include_in_schema=False)


@router.get("/v1")
async def show_index(request: Request) -> JSONResponse:
    """It needs no key, like the description itself."""
    app = request.app
    return JSONResponse(
        {
            "version": app.version,
            "description": app.openapi_url,
            "documentation": "/docs",
            "modes": [
                {"livemode": True, "keys": KEY_START, "about": "Documents are read, and count towards the quota."},
                {"livemode": False, "keys": TEST_KEY_START, "about": "The name of a file decides its result, at once."},
            ],
        }
    )
