"""`/v1/me`."""

from fastapi import APIRouter
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, errors_with, tagged
from serve_app.domain.account import Me
from serve_app.http.answers import json_answer
from serve_app.http.dependencies import AnyCaller, AnyServices

router = APIRouter(prefix="/v1/me", tags=["account"])


@router.get("", response_model=Me, responses={**tagged(), **errors_with()}, openapi_extra=IF_NONE_MATCH)
async def describe_me(services: AnyServices, caller: AnyCaller) -> Response:
    """The key in use and the account's quota."""
    return json_answer((await services.callers.describe(caller)).model_dump_json())
