"""An identity provider as a process of its own: `python -m tests.support.oidc_provider PORT`.

It is oidc-provider-mock, which does not check PKCE; here it refuses codes whose verifier does not fit.
"""

import sys
from typing import Any

import flask
import uvicorn
from authlib.oauth2.rfc6749.errors import InvalidGrantError
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from oidc_provider_mock import _app as mock
from uvicorn.middleware.wsgi import WSGIMiddleware  # type: ignore[attr-defined]

_challenges: dict[str, str] = {}


class GrantWithPkce(mock.AuthorizationCodeGrant):  # type: ignore[misc]
    """Remembers the challenge of each code, and demands its verifier."""

    def save_authorization_code(self, code: str, request: Any) -> None:
        assert request.payload.data["code_challenge_method"] == "S256"
        _challenges[code] = request.payload.data["code_challenge"]
        super().save_authorization_code(code, request)

    def validate_token_request(self) -> None:
        super().validate_token_request()
        verifier = flask.request.form.get("code_verifier", "")
        if create_s256_code_challenge(verifier) != _challenges.pop(flask.request.form["code"], None):
            raise InvalidGrantError("the code verifier does not fit")


def main(port: int) -> None:
    """Serve until the process is ended."""
    # Looked up when the application registers its grants.
    vars(mock)["AuthorizationCodeGrant"] = GrantWithPkce
    app = mock.app(require_client_registration=True, require_nonce=True)
    uvicorn.run(WSGIMiddleware(app), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main(int(sys.argv[1]))
