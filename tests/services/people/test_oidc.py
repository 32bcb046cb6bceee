"""What signing in at an identity provider asks of the provider."""

from collections.abc import Mapping
from typing import Any

from serve_app.services.people.oidc import OidcClient, OidcRequest, OidcSignIn
from serve_app.store.base import Store
from tests.support import Clock

ISSUER, BACK = "https://login.example.com", "https://invoices.example.com/back"


class Server:
    """A provider that describes itself; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def get(self, url: str, headers: Mapping[str, str]) -> dict[str, Any]:
        self.asked.append(url)
        return {"issuer": ISSUER, "authorization_endpoint": f"{ISSUER}/authorize"}

    async def post(self, url: str, headers: Mapping[str, str], form: Mapping[str, str]) -> dict[str, Any]:
        raise AssertionError(url)


async def test_many_who_start_to_sign_in_cost_the_provider_one_request(store: Store, clock: Clock) -> None:
    server = Server()
    sign_in = OidcSignIn(OidcClient(ISSUER, "us", "secret"), server, store.people, clock)
    for _ in range(100):
        address = await sign_in.start(OidcRequest.new(), BACK, again=False)
        assert address.startswith(f"{ISSUER}/authorize?")
    assert len(server.asked) == 1
    clock.advance(3600)
    await sign_in.start(OidcRequest.new(), BACK, again=False)
    assert len(server.asked) == 2
