"""The server over Streamable HTTP, for agents on other machines."""

import os
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import httpx
import uvicorn
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

from invoices_mcp.access import Access
from invoices_mcp.app import build_server
from invoices_mcp.options import Options
from invoices_mcp.tokens import READ, IssuerVerifier, KeyVerifier, caller_may_change, token_of_caller

_PATH = "/mcp"
_LARGEST = 40 * 2**20
_LOCAL = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Remote:
    """Where the server listens, as whom clients know it, and who issues tokens.

    `url` is the address of `/mcp` that clients use. Without an `issuer`, the callers' tokens are keys of the service.
    """

    host: str
    port: int
    url: str | None = None
    issuer: str | None = None

    def check(self) -> None:
        """Raises ValueError for what would send tokens in the clear, or accept those of others."""
        if self.issuer is not None and self.url is None:
            raise ValueError("--issuer needs --public-url, for which tokens are made")
        for url in (self.issuer, self.url):
            parts = urlsplit(url or "https://localhost")
            if parts.scheme != "https" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
                raise ValueError(f"{url} must begin with https://")


def build_remote(remote: Remote, http: httpx.AsyncClient, options: Options, *, url: str | None, key: str) -> Starlette:
    """The application. With an issuer, callers use the service with `key`, as far as their tokens allow."""
    remote.check()
    options = replace(options, is_remote=True)
    service = url or os.environ.get("INVOICES_URL") or "http://127.0.0.1:8000"
    if remote.issuer is not None and remote.url is not None:
        access = Access(lambda: key, http, options, url=service, grants_changes=caller_may_change)
        verifier: IssuerVerifier | KeyVerifier = IssuerVerifier(http, remote.issuer, remote.url)
        auth = _auth(remote.issuer, remote.url)
    else:
        access = Access(lambda: token_of_caller().token, http, options, url=service, grants_changes=caller_may_change)
        verifier, auth = KeyVerifier(http, service), _auth(service, None)
    server = build_server(access, token_verifier=verifier, auth=auth)
    return server.streamable_http_app(
        streamable_http_path=_PATH,
        host=remote.host,
        max_request_body_size=_LARGEST,
        transport_security=_hosts(remote.url),
    )


async def serve_remote(app: Starlette, remote: Remote) -> None:
    """Serve until the process is stopped."""
    await uvicorn.Server(uvicorn.Config(app, host=remote.host, port=remote.port, log_level="warning")).serve()


def _auth(issuer: str, resource: str | None) -> AuthSettings:
    """With a `resource`, clients find the issuer by its metadata, and only tokens for it count."""
    return AuthSettings(
        issuer_url=AnyHttpUrl(issuer),
        resource_server_url=AnyHttpUrl(resource) if resource is not None else None,
        validate_token_resource=resource is not None,
        required_scopes=[READ],
    )


def _hosts(url: str | None) -> TransportSecuritySettings:
    """Only these names, so that no page in a browser reaches a local server by a name of its own."""
    public = [urlsplit(url)] if url else []
    return TransportSecuritySettings(
        allowed_hosts=[*(f"{host}:*" for host in _LOCAL), *(each.netloc for each in public)],
        allowed_origins=[
            *(f"http://{host}:*" for host in _LOCAL),
            *(f"{each.scheme}://{each.netloc}" for each in public),
        ],
    )
