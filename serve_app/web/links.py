"""Addresses outside the web application."""

from starlette.requests import Request

from serve_app.http import own_address as api
from serve_app.settings import Settings


def own_address(request: Request, settings: Settings) -> str:
    """Where callers reach the service, without a slash at the end; see the function of the API. The pages' own mount is
    no part of it."""
    outer = Request({**request.scope, "root_path": request.scope.get("app_root_path", "")})
    return api.own_address(outer, settings)
