"""Errors as pages: what happened, in words, and what to do."""

import logging

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import MonthlyLimitReached, ServiceError
from serve_app.domain.user_error import UserError
from serve_app.http.error_table import answer_to
from serve_app.web.local_paths import DEPLOYMENT, START
from serve_app.web.visitor import NoAccount, NotAllowed, NotSignedIn, SignInAgain, signing_in_path

log = logging.getLogger(__name__)

_TITLES = {
    400: ("Invalid request", "The request is incomplete or wrong."),
    403: ("No permission", "Ask an owner of the account for permission."),
    404: ("Not found", "It was deleted or belongs to another account."),
    405: ("Not found", "It was deleted or belongs to another account."),
    429: ("Too many attempts", "Wait a moment, then try again."),
    500: ("Something went wrong", "The error was logged. Try again in a minute."),
    503: ("The service is busy or restarting", "Try again in a minute. No data was lost."),
}


def add_error_pages(web: FastAPI) -> None:
    """Make `web` answer every error with a page."""
    web.exception_handler(ServiceError)(_service_error)
    web.exception_handler(LookupError)(_missing)
    web.exception_handler(UserError)(_user_error)
    web.exception_handler(NotSignedIn)(_sign_in)
    web.exception_handler(SignInAgain)(_sign_in)
    web.exception_handler(NotAllowed)(_not_allowed)
    web.exception_handler(RequestValidationError)(_bad_request)
    web.exception_handler(HTTPException)(_http_error)


def forged() -> HTMLResponse:
    """The answer to a request that another site made the browser send."""
    return _static_page(403, "This request was refused", "The request did not come from a page of this service.")


async def _service_error(request: Request, error: ServiceError) -> Response:
    answer = answer_to(error)
    heading = "Monthly limit reached" if isinstance(error, MonthlyLimitReached) else ""
    response = _error_page(request, answer.status, str(error), heading)
    response.headers.update(answer.headers)
    return response


async def _user_error(request: Request, error: UserError) -> Response:
    text = str(error)
    return _error_page(request, 400, f"{text[:1].upper()}{text[1:]}.")


async def _missing(request: Request, error: LookupError) -> Response:
    if isinstance(error, KeyError | IndexError):
        log.error("page failed", exc_info=error)
        return _error_page(request, 500)
    return _error_page(request, 404)


async def _sign_in(request: Request, error: NotSignedIn | SignInAgain) -> Response:
    """A page leads to the sign-in and back. An answer to htmx carries the header that makes it leave the page."""
    path = signing_in_path(request, again=isinstance(error, SignInAgain))
    if request.headers.get("hx-request") == "true":
        return Response(status_code=401, headers={"HX-Redirect": path})
    return Response(status_code=303, headers={"Location": path})


async def _not_allowed(request: Request, error: NotAllowed) -> Response:
    if isinstance(error, NoAccount) and request.url.path == START:
        return Response(status_code=303, headers={"Location": DEPLOYMENT})
    return _error_page(request, 403, str(error))


async def _bad_request(request: Request, _: RequestValidationError) -> Response:
    return _error_page(request, 400)


async def _http_error(request: Request, error: HTTPException) -> Response:
    return _error_page(request, error.status_code)


def _error_page(request: Request, status: int, text: str = "", heading: str = "") -> HTMLResponse:
    from serve_app.web.pages import page

    title, usual = _TITLES.get(status, _TITLES[400 if status < 500 else 500])
    visitor = request.scope["state"].get("visitor")
    return page(request, visitor, "shell/error.html", status, heading=heading or title, text=text or usual)


def _static_page(status: int, heading: str, text: str) -> HTMLResponse:
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{heading}</title><h1>{heading}</h1><p>{text}</p>',
        status,
    )
