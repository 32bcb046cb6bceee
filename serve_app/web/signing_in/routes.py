"""Signing in: by a link, by the code of a mail; and out."""

from typing import Annotated
from urllib.parse import quote, unquote, urlencode

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from serve_app.domain.email_address import mail_server_form
from serve_app.services.people.refusals import Refusal, SignInRefused
from serve_app.web.cookies import SESSION, SIGN_IN_REQUEST, drop_cookie, is_dropped_by_browsers, set_sign_in_request
from serve_app.web.links import own_address
from serve_app.web.local_paths import own_path
from serve_app.web.pages import page, redirect
from serve_app.web.signing_in.known_browsers import known_browser
from serve_app.web.signing_in.messages import NO_MAIL, REFUSALS
from serve_app.web.signing_in.opening import open_session, peer_of
from serve_app.web.visitor import AnyServices, find_visit

router = APIRouter()

_SIGN_IN = "/app/sign-in"
_CODE = "/app/sign-in/code"


@router.get("/sign-in")
async def show_sign_in(
    request: Request, services: AnyServices, next: str | None = None, again: bool = False, address: str = ""
) -> Response:
    """Asks for the mail address, which an invitation fills in; somebody who is signed in is led on, unless they are to
    sign in again."""
    if is_dropped_by_browsers(request, services.settings):
        return _insecure(request)
    visit = await find_visit(request)
    if visit is not None and visit.account is not None and not again:
        return RedirectResponse(own_path(next), 303)
    invited = address if mail_server_form(address) is not None else ""
    address = visit.person.email if visit is not None else invited
    return _sign_in_page(request, services, address=address, next=own_path(next), again=again)


@router.post("/sign-in")
async def send_mail(
    request: Request,
    services: AnyServices,
    address: Annotated[str, Form()],
    next: Annotated[str | None, Form()] = None,
) -> Response:
    """Mails a link and a code, if anybody here has the address; the answer does not tell."""
    if is_dropped_by_browsers(request, services.settings):
        return _insecure(request)
    address, next_path = address.strip(), own_path(next)
    if mail_server_form(address) is None:
        problem = "This is not an e-mail address. Enter one such as name@example.com."
        return _sign_in_page(request, services, 422, address=address, next=next_path, problem=problem)
    # Before anybody is looked for: so the answer tells nothing about the address.
    if await services.mail_check.problem() is not None:
        return _sign_in_page(request, services, 503, address=address, next=next_path, problem=NO_MAIL)
    try:
        base = own_address(request, services.settings)
        known = known_browser(request, services)
        browser = await services.people.sign_in.ask_for_mail(address, peer_of(request), base, known)
    except SignInRefused as error:
        status, problem = REFUSALS[error.refusal]
        return _sign_in_page(request, services, status, address=address, next=next_path, problem=problem)
    response = RedirectResponse(_CODE, 303)
    set_sign_in_request(response, f"{browser}.{quote(next_path, safe='')}")
    return response


@router.get("/sign-in/code")
async def show_code(request: Request, services: AnyServices) -> Response:
    """Asks for the code of the mail."""
    if _sign_in_request(request)[0] is None:
        return RedirectResponse(_SIGN_IN, 303)
    return page(request, None, "signing_in/code.html", problem="", has_server=services.mail_check.has_server)


@router.post("/sign-in/code")
async def enter_code(request: Request, services: AnyServices, code: Annotated[str, Form()]) -> Response:
    """Signs in with the code of the mail."""
    browser, next_path = _sign_in_request(request)
    try:
        person_id = await services.people.sign_in.by_code(code, browser, peer_of(request))
    except SignInRefused as error:
        status, problem = REFUSALS[error.refusal]
        has_server = services.mail_check.has_server
        return page(request, None, "signing_in/code.html", status, problem=problem, has_server=has_server)
    return await open_session(request, services, person_id, next_path, "code")


@router.get("/enter")
async def show_enter(request: Request, services: AnyServices) -> Response:
    """A button. A script puts the token into its form, which no request has carried yet."""
    if is_dropped_by_browsers(request, services.settings):
        return _insecure(request)
    return page(request, None, "signing_in/enter.html", problem="", has_asked=_sign_in_request(request)[0] is not None)


@router.post("/enter")
async def enter(request: Request, services: AnyServices, token: Annotated[str, Form()] = "") -> Response:
    """Signs in with the token of a link."""
    if is_dropped_by_browsers(request, services.settings):
        # The link can still be used over https.
        return _insecure(request)
    browser, next_path = _sign_in_request(request)
    try:
        person_id = await services.people.sign_in.by_token(token, browser, peer_of(request))
    except SignInRefused as error:
        status, problem = REFUSALS[error.refusal]
        is_other = error.refusal is Refusal.OTHER_BROWSER
        heading = "Enter the code instead" if is_other else "This link does not work"
        return page(request, None, "signing_in/refused.html", status, heading=heading, problem=problem)
    return await open_session(request, services, person_id, next_path, "link")


@router.get("/signed-in")
async def check_cookie(request: Request, next: str | None = None) -> Response:
    """Leads on, if the browser has kept the cookie."""
    visit = await find_visit(request)
    if visit is None:
        return page(request, None, "signing_in/no_cookie.html", 403)
    return RedirectResponse(own_path(next), 303)


@router.post("/sign-out")
async def sign_out(request: Request, services: AnyServices) -> Response:
    """Ends the session of this browser."""
    visit = await find_visit(request)
    if visit is not None:
        await services.people.sessions.end(visit.person.id, visit.session.id)
    response = redirect(_SIGN_IN, "You are signed out.")
    drop_cookie(response, SESSION)
    return response


def _sign_in_page(
    request: Request,
    services: AnyServices,
    status: int = 200,
    *,
    address: str,
    next: str,
    problem: str = "",
    again: bool = False,
) -> Response:
    provider = services.people.provider
    oidc_path = "/app/sign-in/oidc?" + urlencode({"next": next} | ({"again": "1"} if again else {}))
    return page(
        request,
        None,
        "signing_in/sign_in.html",
        status,
        address=address,
        next=next,
        problem=problem,
        again=again,
        has_server=services.mail_check.has_server,
        provider=None if provider is None else provider.name,
        oidc_path=oidc_path,
    )


def _insecure(request: Request) -> Response:
    return page(request, None, "signing_in/insecure.html", 403, host=request.headers.get("host", ""))


def _sign_in_request(request: Request) -> tuple[str | None, str]:
    """The browser's half of a sign-in by mail, and where it leads then."""
    secret, _, next_path = request.cookies.get(SIGN_IN_REQUEST, "").partition(".")
    return secret or None, own_path(unquote(next_path))
