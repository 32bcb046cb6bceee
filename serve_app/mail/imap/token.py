"""Tokens for a mailbox that takes no password (OAuth 2.0)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from serve_app.domain.user_error import UserError
from serve_app.mail.imap.mailboxes import MailboxSettings
from serve_app.net.outcome import Unreachable


class NoToken(Exception):
    """The server gives no token; the text says why, without secrets."""


class TokenServer(Protocol):
    """Where forms are sent; see `NamedServer`."""

    async def post(self, url: str, headers: Mapping[str, str], form: Mapping[str, str]) -> dict[str, Any]:
        """The JSON object that the server answers with. Raises Unreachable."""
        ...


@dataclass(frozen=True, slots=True)
class TokenRequest:
    """Where to ask for a token, and with what."""

    url: str
    form: Mapping[str, str] = field(repr=False)

    async def send(self, server: TokenServer) -> str:
        """A new token. Raises NoToken."""
        try:
            answer = await server.post(self.url, {}, self.form)
        except Unreachable as error:
            raise NoToken(error.reason) from None
        token = answer.get("access_token")
        if not isinstance(token, str):
            raise NoToken("the answer has no token")
        return token


def token_request(mailbox: MailboxSettings) -> TokenRequest | None:
    """None if nothing of OAuth is set. Raises UserError if something is missing."""
    url, client, secret = mailbox.oauth_token_url, mailbox.oauth_client_id, mailbox.oauth_client_secret
    if url is None:
        return None
    if client is None or secret is None:
        raise UserError("a mailbox with an OAuth token URL also needs an OAuth client id and an OAuth client secret")
    form = {"client_id": client, "client_secret": secret.get_secret_value()}
    refresh = mailbox.oauth_refresh_token
    if refresh is None:
        form["grant_type"] = "client_credentials"
    else:
        form |= {"grant_type": "refresh_token", "refresh_token": refresh.get_secret_value()}
    if mailbox.oauth_scope:
        form["scope"] = mailbox.oauth_scope
    return TokenRequest(url, form)
