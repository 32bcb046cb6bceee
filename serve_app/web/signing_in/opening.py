"""What follows when it is known who somebody is."""

from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from serve_app.domain.audit import actor_of
from serve_app.services.bundle import Services
from serve_app.web.cookies import SESSION, SIGN_IN_REQUEST, drop_cookie, set_session
from serve_app.web.signing_in.known_browsers import remember_browser


async def open_session(
    request: Request, services: Services, person_id: UUID, next_path: str, way: str, proved_at: datetime | None = None
) -> Response:
    """Sign the browser in, and lead to `next_path`. The session that it had before ends. `way` is how the person signed
    in, for the audit trail; `proved_at` when, if not just now."""
    people, agent = services.people, request.headers.get("user-agent", "")
    session, secret = await people.sessions.open(person_id, agent, request.cookies.get(SESSION), proved_at)
    visit = await people.sessions.find(secret)
    if visit is not None:
        await people.audit.record(actor_of(visit.person), session.account_id, "person.signed_in", by=way)
    response = RedirectResponse(f"/app/signed-in?{urlencode({'next': next_path})}", 303)
    set_session(response, secret)
    remember_browser(response, services, person_id)
    drop_cookie(response, SIGN_IN_REQUEST)
    return response


def peer_of(request: Request) -> str:
    """The IP address that the request came from (`serve_app.http.client_address` says how it is found)."""
    return request.client.host if request.client else "unknown"
