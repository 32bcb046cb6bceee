"""Who calls over HTTP: bearers of a key of the service, or of a token of an OAuth issuer."""

import json
from collections.abc import Mapping
from hashlib import sha256
from math import inf
from time import monotonic
from typing import Any, cast
from urllib.parse import urlsplit

import httpx
import jwt
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from starlette.authentication import AuthenticationError

from invoices_client import AsyncClient, InvoicesError
from invoices_client import AuthenticationError as UnknownKeyError
from invoices_client.models import Scope

READ, WRITE = "invoices:read", "invoices:write"
# Never a shared secret: whoever verifies a token could make one.
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
_REMEMBERED_SECONDS = 60.0
_KEYS_SECONDS = 600.0
_LEEWAY_SECONDS = 30


def token_of_caller() -> AccessToken:
    """That of the present request, which was verified."""
    token = get_access_token()
    if token is None:
        raise RuntimeError("a request without a token")
    return token


def caller_may_change() -> bool:
    """Whether the token of the present request allows changes."""
    return WRITE in token_of_caller().scopes


class KeyVerifier:
    """Keys of the service are tokens: each caller has the account and the rights of the own key."""

    def __init__(self, http: httpx.AsyncClient, url: str | None) -> None:
        self._http = http
        self._url = url
        self._known: dict[bytes, tuple[float, AccessToken]] = {}

    async def verify_token(self, token: str) -> AccessToken | None:
        oldest = monotonic() - _REMEMBERED_SECONDS
        self._known = {key: known for key, known in self._known.items() if known[0] > oldest}
        key = sha256(token.encode()).digest()
        if key not in self._known:
            found = await self._ask(token)
            if found is None:
                return None
            self._known[key] = (monotonic(), found)
        return self._known[key][1]

    async def _ask(self, token: str) -> AccessToken | None:
        try:
            me = await AsyncClient(api_key=token, url=self._url, max_retries=0, http_client=self._http).me()
        except (UnknownKeyError, ValueError):
            return None
        except InvoicesError:
            raise AuthenticationError("The invoice service does not answer. Try again later.") from None
        scopes = [READ] if me.key.scope == Scope.READ else [READ, WRITE]
        return AccessToken(token=token, client_id=me.key.id, scopes=scopes, subject=me.user_id)


class IssuerVerifier:
    """Signed tokens (JWT) that `issuer` made for this server, `resource`. Its keys are found by its metadata."""

    def __init__(self, http: httpx.AsyncClient, issuer: str, resource: str) -> None:
        self._http = http
        self._issuer = issuer
        self._resource = resource
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched: float | None = None

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            header = jwt.get_unverified_header(token)
            key = await self._key(str(header.get("kid") or ""))
            if key is None:
                return None
            claims = jwt.decode(
                token,
                key,
                algorithms=_ALGORITHMS,
                audience=self._resource,
                issuer=self._issuer,
                leeway=_LEEWAY_SECONDS,
                options={"require": ["exp", "aud", "iss"]},
            )
        except jwt.PyJWTError:
            return None
        return self._accepted(token, claims)

    def _accepted(self, token: str, claims: Mapping[str, Any]) -> AccessToken:
        subject = claims.get("sub")
        scopes = claims.get("scope", claims.get("scp", ""))
        return AccessToken(
            token=token,
            client_id=str(claims.get("client_id") or claims.get("azp") or subject or ""),
            scopes=scopes.split() if isinstance(scopes, str) else [str(scope) for scope in scopes],
            expires_at=int(claims["exp"]) + _LEEWAY_SECONDS,
            resource=self._resource,
            subject=str(subject) if subject is not None else None,
            claims={"iss": self._issuer},
        )

    async def _key(self, id: str) -> jwt.PyJWK | None:
        """The issuer's key with this id. Keys are fetched every ten minutes; for an unknown id at once, but not more
        often than once a minute."""
        age = monotonic() - self._fetched if self._fetched is not None else inf
        if age > (_KEYS_SECONDS if id in self._keys else _REMEMBERED_SECONDS):
            self._fetched = monotonic()
            try:
                self._keys = await self._fetch_keys()
            except (httpx.HTTPError, ValueError, KeyError, jwt.PyJWTError):
                self._fetched = None
                raise AuthenticationError("The issuer of tokens does not answer. Try again later.") from None
        return self._keys.get(id)

    async def _fetch_keys(self) -> dict[str, jwt.PyJWK]:
        found = await self._json((await self._metadata())["jwks_uri"])
        return {key.key_id or "": key for key in jwt.PyJWKSet.from_dict(found).keys}

    async def _metadata(self) -> dict[str, Any]:
        """By RFC 8414, else by OpenID Connect."""
        parts = urlsplit(self._issuer)
        path = parts.path.rstrip("/")
        origin = f"{parts.scheme}://{parts.netloc}"
        places = [
            f"{origin}/.well-known/oauth-authorization-server{path}",
            f"{origin}{path}/.well-known/openid-configuration",
        ]
        for place in places:
            response = await self._http.get(place)
            if response.is_success:
                found = cast("dict[str, Any]", json.loads(response.content))
                if found.get("issuer") == self._issuer:
                    return found
        raise ValueError("the issuer has no metadata")

    async def _json(self, url: str) -> dict[str, Any]:
        response = await self._http.get(url)
        response.raise_for_status()
        return cast("dict[str, Any]", json.loads(response.content))
