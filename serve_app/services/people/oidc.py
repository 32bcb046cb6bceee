"""Signing in at an identity provider: OpenID Connect, authorization code with PKCE and nonce (ADR 0041)."""

import logging
from base64 import b64encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote_plus, urlsplit
from uuid import UUID

from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.person import Identity, Person
from serve_app.domain.session import FRESH, new_secret
from serve_app.net.outcome import Unreachable
from serve_app.services.people.id_token import BadIdToken, IdToken, read_id_token
from serve_app.services.people.refusals import Refusal, SignInRefused
from serve_app.services.ports import NamedServer
from serve_app.store.base import People

_SCOPE = "openid email"
_DESCRIPTION_LIFE = timedelta(minutes=5)
"""How long the provider's description of itself is used, so that those who start to sign in do not each make a request
to it."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OidcClient:
    """What the operator has agreed on with the provider. `name` is what people call it."""

    issuer: str
    id: str
    secret: str = field(repr=False)
    name: str | None = None


@dataclass(frozen=True, slots=True)
class OidcRequest:
    """What the browser that was sent to the provider must bring back."""

    state: str
    nonce: str
    verifier: str

    @classmethod
    def new(cls) -> "OidcRequest":
        return cls(new_secret(), new_secret(), new_secret())


@dataclass(frozen=True, slots=True)
class ProvedPerson:
    """Somebody for whom the provider vouches. `proved_at` is when they last showed it who they are, if it tells."""

    person_id: UUID
    proved_at: datetime | None


class OidcSignIn:
    """Sends people to the provider. The first time it is believed about the mail address that it has verified; from
    then on a person is who has the same id there, whatever the address. Nobody gets in who was not invited."""

    def __init__(self, client: OidcClient, server: NamedServer, people: People, clock: Clock = utc_now) -> None:
        self._client = client
        self._server = server
        self._people = people
        self._clock = clock
        self._description: tuple[datetime, dict[str, Any]] | None = None

    @property
    def name(self) -> str:
        """What the sign-in page calls the provider."""
        return self._client.name or urlsplit(self._client.issuer).netloc

    async def start(self, request: OidcRequest, redirect_uri: str, *, again: bool) -> str:
        """Where to send the browser. With `again`, the person is to show the provider anew who they are. Raises
        SignInRefused if the provider is out of reach."""
        provider = await self._provider()
        challenge = create_s256_code_challenge(request.verifier)
        reauthentication = {"prompt": "login", "max_age": str(int(FRESH.total_seconds()))} if again else {}
        return str(
            prepare_grant_uri(
                _endpoint(provider, "authorization_endpoint"),
                self._client.id,
                "code",
                redirect_uri,
                _SCOPE,
                request.state,
                nonce=request.nonce,
                code_challenge=challenge,
                code_challenge_method="S256",
                **reauthentication,
            )
        )

    async def finish(self, request: OidcRequest, answer: dict[str, str], redirect_uri: str) -> ProvedPerson:
        """The person for whom the provider vouches; `answer` is what the browser brought back. Raises
        SignInRefused."""
        try:
            claims, token = await self._claims(request, answer, redirect_uri)
        except (Unreachable, BadIdToken) as error:
            log.warning("the identity provider's answer cannot be used: %s", error)
            raise SignInRefused(Refusal.PROVIDER_FAILED) from None
        identity = Identity(self._client.issuer, token.subject)
        person = await self._people.of_identity(identity) or await self._first_time(identity, claims)
        return ProvedPerson(person.id, token.proved_at)

    async def _first_time(self, identity: Identity, claims: dict[str, Any]) -> Person:
        """The person with the address that the provider has verified, who has this identity from now on."""
        email = claims.get("email")
        # Some providers write the boolean as a text.
        if not isinstance(email, str) or claims.get("email_verified") not in (True, "true"):
            raise SignInRefused(Refusal.UNVERIFIED_ADDRESS)
        person = await self._people.find(email)
        if person is None:
            raise SignInRefused(Refusal.UNKNOWN_PERSON)
        if not await self._people.bind(person.id, identity):
            log.warning(
                "somebody else at the identity provider has a known address", extra={"person_id": str(person.id)}
            )
            raise SignInRefused(Refusal.OTHER_IDENTITY)
        return person

    async def _claims(
        self, request: OidcRequest, answer: dict[str, str], redirect_uri: str
    ) -> tuple[dict[str, Any], IdToken]:
        """What the provider says about the person, and the token that proves it."""
        self._check(request, answer)
        provider = await self._provider()
        tokens = await self._redeem(provider, request, answer["code"], redirect_uri)
        access_token = str(tokens.get("access_token", ""))
        token = read_id_token(
            str(tokens.get("id_token", "")),
            await self._server.get(_endpoint(provider, "jwks_uri"), {}),
            issuer=self._client.issuer,
            client_id=self._client.id,
            nonce=request.nonce,
            access_token=access_token,
            now=self._clock(),
        )
        if "email" in token.claims or "userinfo_endpoint" not in provider:
            return token.claims, token
        bearer = {"Authorization": f"Bearer {access_token}"}
        said = await self._server.get(_endpoint(provider, "userinfo_endpoint"), bearer)
        if said.get("sub") != token.subject:
            raise BadIdToken("the user info is about somebody else")
        return said, token

    def _check(self, request: OidcRequest, answer: dict[str, str]) -> None:
        if answer.get("state") != request.state:
            raise BadIdToken("the response does not belong to this browser's request")
        # RFC 9207.
        if answer.get("iss", self._client.issuer) != self._client.issuer:
            raise BadIdToken("the response is from another provider")
        if "code" not in answer:
            raise BadIdToken(f"the provider refused: {answer.get('error', 'no reason given')[:50]!r}")

    async def _redeem(
        self, provider: dict[str, Any], request: OidcRequest, code: str, redirect_uri: str
    ) -> dict[str, Any]:
        """The tokens for the code, which is worth something only with this client's secret and this request's
        verifier."""
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": request.verifier,
        }
        headers = {}
        if "client_secret_basic" in provider.get("token_endpoint_auth_methods_supported", ["client_secret_basic"]):
            pair = f"{quote_plus(self._client.id)}:{quote_plus(self._client.secret)}"
            headers["Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
        else:
            form |= {"client_id": self._client.id, "client_secret": self._client.secret}
        return await self._server.post(_endpoint(provider, "token_endpoint"), headers, form)

    async def _provider(self) -> dict[str, Any]:
        """The provider's description of itself (OpenID Connect Discovery 1.0)."""
        now = self._clock()
        if self._description is None or now - self._description[0] >= _DESCRIPTION_LIFE:
            self._description = now, await self._described()
        return self._description[1]

    async def _described(self) -> dict[str, Any]:
        url = f"{self._client.issuer.rstrip('/')}/.well-known/openid-configuration"
        try:
            provider = await self._server.get(url, {})
        except Unreachable as error:
            log.warning("cannot reach the identity provider: %s", error)
            raise SignInRefused(Refusal.PROVIDER_FAILED) from None
        if provider.get("issuer") != self._client.issuer:
            log.warning("OIDC_ISSUER must be written as the identity provider writes it")
            raise SignInRefused(Refusal.PROVIDER_FAILED)
        return provider


def _endpoint(provider: dict[str, Any], name: str) -> str:
    """An address that the provider names; none of them may be less secure than the provider's own."""
    url, issuer = str(provider.get(name, "")), str(provider["issuer"])
    if urlsplit(url).scheme not in ("https", urlsplit(issuer).scheme):
        log.warning("the identity provider has no usable %s", name)
        raise SignInRefused(Refusal.PROVIDER_FAILED)
    return url
