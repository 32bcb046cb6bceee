"""Tokens for a mailbox that takes no password (OAuth 2.0)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from serve_app.domain.user_error import UserError
from serve_app.net.outcome import Unreachable
from serve_app.services.ports import NamedServer
from serve_app.settings import Settings


class NoToken(Exception):
    """The server gives no token; the text says why, without secrets."""


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """Where to ask for a token, and with what."""

    url: str
    form: Mapping[str, str] = field(repr=False)

    async def send(self, server: NamedServer) -> str:
        """A new token. Raises NoToken."""
        try:
            answer = await server.post(self.url, {}, self.form)
        except Unreachable as error:
            raise NoToken(error.reason) from None
        token = answer.get("access_token")
        if not isinstance(token, str):
            raise NoToken("the answer has no token")
        return token


def token_request(settings: Settings) -> TokenRequest | None:
    """None if nothing of OAuth is set. Raises UserError if something is missing."""
    url, client, secret = (
        settings.imap_oauth_token_url,
        settings.imap_oauth_client_id,
        settings.imap_oauth_client_secret,
    )
    if url is None:
        return None
    if client is None or secret is None:
        raise UserError("IMAP_OAUTH_TOKEN_URL also needs IMAP_OAUTH_CLIENT_ID and IMAP_OAUTH_CLIENT_SECRET")
    form = {"client_id": client, "client_secret": secret.get_secret_value()}
    refresh = settings.imap_oauth_refresh_token
    if refresh is None:
        form["grant_type"] = "client_credentials"
    else:
        form |= {"grant_type": "refresh_token", "refresh_token": refresh.get_secret_value()}
    if settings.imap_oauth_scope:
        form["scope"] = settings.imap_oauth_scope
    return TokenRequest(url, form)
