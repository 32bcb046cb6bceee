"""Every error, whoever raised it, becomes the envelope `{ error: { type, code, message } }`."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Match

from serve_app.domain import errors
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.errors import ErrorType, ServiceError

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


def envelope(error: ServiceError) -> JSONResponse:
    """The answer that tells the error."""
    content = {"error": {"type": error.type, "code": error.code, "message": error.message}}
    return JSONResponse(content, status_code=error.status, headers=error.headers)


def add_error_handlers(app: FastAPI) -> None:
    """Let `app` answer all errors with the envelope; what is not handled here is caught by `AnswerFaults`."""
    app.exception_handler(ServiceError)(_service_error)
    app.exception_handler(RequestValidationError)(_validation_error)
    app.exception_handler(HTTPException)(_http_error)


async def _service_error(_: Request, error: ServiceError) -> JSONResponse:
    answer = envelope(error)
    if error.type is ErrorType.QUOTA_EXCEEDED:
        answer.headers["Retry-After"] = str(_seconds_to_next_month())
    return answer


def _seconds_to_next_month() -> int:
    now = utc_now()
    # 32 days after its start every month is over.
    return math.ceil((month_start(month_start(now) + timedelta(days=32)) - now).total_seconds())


async def _validation_error(_: Request, error: RequestValidationError) -> JSONResponse:
    return envelope(_bad_request(error.errors()))


def _bad_request(found: Sequence[Any]) -> ServiceError:
    """The first complaint, by the place it is about; never the value itself, which may be long or secret."""
    where, *path = found[0]["loc"]
    name = ".".join(str(part) for part in path)
    message = f"{name}: {found[0]['msg']}" if name else str(found[0]["msg"])
    return errors.invalid_body(message) if where == "body" else errors.invalid_parameter(message)


async def _http_error(request: Request, error: HTTPException) -> JSONResponse:
    """Errors of the framework itself: routing and the parsing of forms."""
    if error.status_code == 404:
        return envelope(errors.route_not_found())
    if error.status_code == 405:
        return envelope(errors.method_not_allowed(_allowed(request)))
    if error.status_code < 500:
        return envelope(errors.invalid_body(str(error.detail)))
    return envelope(errors.internal())


def _allowed(request: Request) -> str:
    """All methods of the path: the framework names only those of the first route that has it."""
    routes = request.app.router.routes
    scope = {name: value for name, value in request.scope.items() if name not in ("path_params", "endpoint", "route")}
    allowed = [
        method
        for method in _METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in routes)
    ]
    return ", ".join(allowed)
