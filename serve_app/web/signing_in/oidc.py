"""Signing in at an identity provider."""

from datetime import timedelta

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from serve_app.domain.clock import utc_now
from serve_app.services.bundle import Services
from serve_app.services.people.oidc import OidcRequest, OidcSignIn
from serve_app.services.people.refusals import SignInRefused
from serve_app.services.signed_tokens import BadToken, ExpiredToken, TimedTokens
from serve_app.web.cookies import drop_cookie, set_cookie
from serve_app.web.links import own_address
from serve_app.web.local_paths import own_path
from serve_app.web.pages import page
from serve_app.web.signing_in.messages import REFUSALS
from serve_app.web.signing_in.opening import open_session
from serve_app.web.visitor import AnyServices

router = APIRouter()

REQUEST = "__Host-invoices-oidc"
"""What the provider's answer must fit, signed. Lax, because the answer comes from another site."""
_LIFE = timedelta(minutes=10)


@router.get("/sign-in/oidc")
async def leave_for_provider(
    request: Request, services: AnyServices, next: str | None = None, again: bool = False
) -> Response:
    """Sends the browser to the provider. A link and no form: browsers apply `form-action` to where forms lead."""
    provider, started = _provider(services), OidcRequest.new()
    try:
        address = await provider.start(started, _back(request, services), again=again)
    except SignInRefused as error:
        return _refused(request, error)
    response = RedirectResponse(address, 303)
    value = _tokens(services).write([started.state, started.nonce, started.verifier, own_path(next)])
    set_cookie(response, REQUEST, value, int(_LIFE.total_seconds()))
    return response


@router.get("/sign-in/oidc/back")
async def come_back(request: Request, services: AnyServices) -> Response:
    """The provider's answer."""
    provider = _provider(services)
    try:
        state, nonce, verifier, next_path = _tokens(services).read(request.cookies.get(REQUEST, ""))
    except (BadToken, ExpiredToken):
        return RedirectResponse("/app/sign-in", 303)
    try:
        started = OidcRequest(state, nonce, verifier)
        proved = await provider.finish(started, dict(request.query_params), _back(request, services))
    except SignInRefused as error:
        response = _refused(request, error)
    else:
        response = await open_session(
            request, services, proved.person_id, own_path(next_path), "identity provider", proved.proved_at
        )
    drop_cookie(response, REQUEST)
    return response


def _provider(services: Services) -> OidcSignIn:
    if services.people.provider is None:
        raise HTTPException(404)
    return services.people.provider


def _back(request: Request, services: Services) -> str:
    return f"{own_address(request, services.settings)}/app/sign-in/oidc/back"


def _tokens(services: Services) -> TimedTokens:
    return TimedTokens(services.signing_keys, "sign-in", _LIFE, utc_now)


def _refused(request: Request, error: SignInRefused) -> Response:
    status, problem = REFUSALS[error.refusal]
    return page(request, None, "signing_in/refused.html", status, heading="You are not signed in", problem=problem)
