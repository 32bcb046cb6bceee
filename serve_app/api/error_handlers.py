"""Turns every error, whatever its origin, into the envelope `{ error: { type, code, message, param, doc_url } }`."""

import logging
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from serve_app.domain.errors import InvalidParameter, ServiceError, Unavailable
from serve_app.http.complaints import complaint_of
from serve_app.http.error_table import answer_to
from serve_app.http.errors import InternalError, InvalidBody, MethodNotAllowed, RouteNotFound
from serve_app.http.request_state import ERROR_CODE, NO_ENDPOINT

log = logging.getLogger(__name__)

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class ErrorResponse(JSONResponse):
    """Leaves its code in the request's state, for the log of calls."""

    def __init__(self, error: ServiceError) -> None:
        answer = answer_to(error)
        super().__init__(answer.envelope, answer.status, answer.headers)
        self._code = answer.code

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})[ERROR_CODE] = self._code
        await super().__call__(scope, receive, send)


def answer_of(error: ServiceError) -> JSONResponse:
    """The response for an error."""
    return ErrorResponse(error)


def add_error_handlers(app: FastAPI) -> None:
    """Make `app` respond to errors with the envelope; `AnswerFaults` catches errors not handled here."""
    app.exception_handler(ServiceError)(_service_error)
    app.exception_handler(RequestValidationError)(_validation_error)
    app.exception_handler(HTTPException)(_http_error)


async def _service_error(_: Request, error: ServiceError) -> JSONResponse:
    if isinstance(error, Unavailable) and error.__cause__ is not None:
        log.warning("not available: %r", error.__cause__)
    return answer_of(error)


async def _validation_error(_: Request, error: RequestValidationError) -> JSONResponse:
    return answer_of(_bad_request(error.errors()))


def _bad_request(found: Sequence[Any]) -> ServiceError:
    complaint = complaint_of(found, in_parts=1)
    kind = InvalidBody if found[0]["loc"][0] == "body" else InvalidParameter
    return kind(complaint.message, complaint.param)


async def _http_error(request: Request, error: HTTPException) -> JSONResponse:
    """Handle errors from the framework itself: routing and form parsing."""
    if error.status_code in (404, 405) and request.url.path.startswith("/v1/"):
        request.scope["state"][NO_ENDPOINT] = True
    if error.status_code == 404:
        return answer_of(RouteNotFound())
    if error.status_code == 405:
        return answer_of(MethodNotAllowed(_allowed(request)))
    if error.status_code < 500:
        # The framework raises it for a body that it cannot parse.
        return answer_of(InvalidBody("The body cannot be read. Send it in the format that its Content-Type names."))
    return answer_of(InternalError())


def _allowed(request: Request) -> str:
    """All methods allowed for the path: the framework names only those of the first matching route."""
    routes = request.app.router.routes
    scope = {name: value for name, value in request.scope.items() if name not in ("path_params", "endpoint", "route")}
    allowed = [
        method
        for method in _METHODS
        if any(route.matches({**scope, "method": _served_as(method)})[0] is Match.FULL for route in routes)
    ]
    return ", ".join(allowed)


def _served_as(method: str) -> str:
    """The method that the endpoints see: `Head` turns HEAD into GET."""
    return "GET" if method == "HEAD" else method
