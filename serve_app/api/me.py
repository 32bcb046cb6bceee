"""`/v1/me`."""

from fastapi import APIRouter

from serve_app.api.dependencies import AnyCaller, AnyServices
from serve_app.api.documented import errors_with, success
from serve_app.domain.account import Me

router = APIRouter(prefix="/v1/me", tags=["account"])


@router.get("", responses={**success(), **errors_with()})
async def describe_me(services: AnyServices, caller: AnyCaller) -> Me:
    """The key that is used and the account's quota."""
    return await services.me(caller)
