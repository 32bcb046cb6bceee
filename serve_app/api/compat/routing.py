"""The paths of one adapter: off unless the operator has switched it on, with errors in its vendor's shape."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.responses import Response

from serve_app.domain.errors import ServiceError
from serve_app.http.dependencies import get_services
from serve_app.http.error_table import answer_to
from serve_app.http.errors import RouteNotFound
from serve_app.http.request_state import ERROR_CODE

_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

AnswerError = Callable[[ServiceError], Response]


def adapter_router(name: str, answer_error: AnswerError) -> APIRouter:
    """The router of `/compat/NAME`. Its paths are in no OpenAPI document, because their vendors describe them."""

    class Route(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            return _answering(name, super().get_route_handler(), answer_error)

    return APIRouter(prefix=f"/compat/{name}", route_class=Route, include_in_schema=False)


def add_unknown_paths(router: APIRouter) -> None:
    """Answer all other paths with the vendor's error. Call it after the other paths were added."""
    for path in ("", "/{rest:path}"):
        router.add_api_route(path, _no_route, methods=_METHODS, name=f"unknown path of {router.prefix}")


async def _no_route() -> Response:
    raise RouteNotFound


def _answering(
    name: str, handle: Callable[[Request], Awaitable[Response]], answer_error: AnswerError
) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    async def answer(request: Request) -> Response:
        services = await get_services(request)
        if name not in services.settings.adapters:
            raise RouteNotFound
        try:
            return await handle(request)
        except ServiceError as error:
            return _answered(request, error)
        except RequestValidationError:
            # Adapters have no parameters but those of their paths.
            return _answered(request, RouteNotFound())

    def _answered(request: Request, error: ServiceError) -> Response:
        # For the log of calls, which has the service's own codes.
        request.scope["state"][ERROR_CODE] = answer_to(error).code
        return answer_error(error)

    return answer
