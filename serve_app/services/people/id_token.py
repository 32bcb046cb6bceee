"""Checks what an identity provider says about a person (OpenID Connect Core 1.0, section 3.1.3.7)."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

# Signatures only: with a shared secret (HS256), or with none, the token would prove nothing.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
_CLOCKS_DIFFER = 60
"""How many seconds the clocks of the provider and of this machine may differ."""


class BadIdToken(Exception):
    """A token that proves nothing; the text says why, without repeating it."""


@dataclass(frozen=True, slots=True)
class IdToken:
    """What a valid token says. `proved_at` is when the person showed the provider who they are, if it tells."""

    subject: str
    claims: dict[str, Any]
    proved_at: datetime | None


def read_id_token(
    text: str, keys: dict[str, Any], *, issuer: str, client_id: str, nonce: str, access_token: str, now: datetime
) -> IdToken:
    """The token, if the issuer signed it with one of its `keys`, for this client, and for the request that carried
    `nonce`. Raises BadIdToken."""
    try:
        decoded = jwt.decode(text, KeySet.import_key_set(keys), algorithms=_ALGORITHMS)  # type: ignore[arg-type]
        options = {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client_id}}
        params = {"client_id": client_id, "nonce": nonce, "access_token": access_token}
        token = CodeIDToken(decoded.claims, decoded.header, options, params)
        token.validate(int(now.timestamp()), _CLOCKS_DIFFER)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise BadIdToken(type(error).__name__) from None
    return IdToken(str(token["sub"]), dict(token), _moment(token.get("auth_time")))


def _moment(seconds: object) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if isinstance(seconds, int | float) else None
