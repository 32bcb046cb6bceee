"""Browsers in which a person has signed in before: nobody can use up their mails for signing in."""

from uuid import UUID, uuid4

from starlette.requests import Request
from starlette.responses import Response

from serve_app.domain.clock import utc_now
from serve_app.domain.sign_in import KNOWN_BROWSER_LIFE, KnownBrowser
from serve_app.services.bundle import Services
from serve_app.services.signed_tokens import BadToken, ExpiredToken, TimedTokens
from serve_app.web.cookies import KNOWN, set_known


def known_browser(request: Request, services: Services) -> KnownBrowser | None:
    """Who signed in in this browser last, as its signed cookie says; None without a valid one."""
    try:
        person_id, id = _tokens(services).read(request.cookies.get(KNOWN, ""))
    except (BadToken, ExpiredToken):
        return None
    return KnownBrowser(UUID(person_id), id)


def remember_browser(response: Response, services: Services, person_id: UUID) -> None:
    """Make the browser known as this person's."""
    set_known(response, _tokens(services).write([str(person_id), uuid4().hex]))


def _tokens(services: Services) -> TimedTokens:
    return TimedTokens(services.signing_keys, "known-browser", KNOWN_BROWSER_LIFE, utc_now)
