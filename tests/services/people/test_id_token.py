"""A token proves who somebody is only if the provider signed it, for this service, for this request, and in time."""

from datetime import UTC, datetime
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from serve_app.services.people.id_token import BadIdToken, IdToken, read_id_token
from tests.support import NOON

ISSUER, CLIENT, NONCE = "https://login.example.com", "invoices", "a nonce"
KEY = RSAKey.generate_key(2048, {"kid": "1", "use": "sig"})
OTHER_KEY = RSAKey.generate_key(2048, {"kid": "1", "use": "sig"})
KEYS = {"keys": [KEY.as_dict(private=False)]}
SECONDS = int(NOON.timestamp())
GOOD: dict[str, Any] = {
    "iss": ISSUER,
    "sub": "42",
    "aud": CLIENT,
    "iat": SECONDS,
    "exp": SECONDS + 300,
    "nonce": NONCE,
    "email": "ann@example.com",
}


def read(text: str) -> IdToken:
    return read_id_token(text, KEYS, issuer=ISSUER, client_id=CLIENT, nonce=NONCE, access_token="token", now=NOON)


def signed(changes: dict[str, Any] | None = None, key: Any = KEY, algorithm: str = "RS256") -> str:
    claims = {name: value for name, value in (GOOD | (changes or {})).items() if value is not None}
    return jwt.encode({"alg": algorithm, "kid": "1"}, claims, key, algorithms=[algorithm])


def test_a_good_token_says_who_and_when() -> None:
    token = read(signed({"auth_time": SECONDS - 60}))
    assert (token.subject, token.claims["email"]) == ("42", "ann@example.com")
    assert token.proved_at == datetime.fromtimestamp(SECONDS - 60, UTC)
    assert read(signed()).proved_at is None
    assert read(signed({"aud": [CLIENT]})).subject == "42"


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://evil.example"},
        {"iss": None},
        {"aud": "another service"},
        {"aud": None},
        {"aud": ["another", CLIENT], "azp": "another"},
        {"sub": None},
        {"nonce": "of another request"},
        {"nonce": None},
        {"exp": SECONDS - 120},
        {"exp": None},
        {"iat": SECONDS + 600},
        {"at_hash": "b2Yvb3RoZXI"},
        {"auth_time": "yesterday"},
    ],
    ids=str,
)
def test_a_token_for_something_else_proves_nothing(changes: dict[str, Any]) -> None:
    with pytest.raises(BadIdToken):
        read(signed(changes))


def test_a_token_that_the_provider_did_not_sign_proves_nothing() -> None:
    shared = OctKey.import_key("the public key or the client's secret, used as a shared one")
    head, body, signature = signed().split(".")
    for text in (
        signed(key=OTHER_KEY),
        signed(key=shared, algorithm="HS256"),
        f"eyJhbGciOiJub25lIn0.{body}.",
        f"{head}.{signed({'email': 'eve@example.com'}).split('.')[1]}.{signature}",
        "",
        "a.b.c",
    ):
        with pytest.raises(BadIdToken):
            read(text)


def test_clocks_may_differ_by_a_minute() -> None:
    assert read(signed({"exp": SECONDS - 30})).subject == "42"
