"""The server over HTTP: keys of the service or OAuth tokens, each as far as it goes."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import httpx
import httpx2
import jwt
import pytest
import uvicorn
from cryptography.hazmat.primitives.asymmetric import ec
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from invoices_client import AsyncClient
from invoices_mcp import Options
from invoices_mcp.remote import Remote, build_remote
from serve_app.domain.account import Scope, mint_key
from serve_app.domain.clock import utc_now
from serve_app.store.base import Store
from tests.clients.mcp.conftest import Person, both_revisions, texts
from tests.support.ports import listening_socket

ISSUER, RESOURCE = "https://issuer.example/realm", "https://mcp.example/mcp"
KEY = ec.generate_private_key(ec.SECP256R1())
METADATA_PATH = "/.well-known/oauth-protected-resource/mcp"


def issuer_or(service: httpx.AsyncBaseTransport) -> httpx.AsyncBaseTransport:
    """A way to the issuer of tokens, and to the service."""
    public = {**jwt.algorithms.ECAlgorithm.to_jwk(KEY.public_key(), as_dict=True), "kid": "k1"}
    answers = {
        "https://issuer.example/realm/.well-known/openid-configuration": {
            "issuer": ISSUER,
            "jwks_uri": "https://issuer.example/keys",
        },
        "https://issuer.example/keys": {"keys": [public]},
    }

    class Transport(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if request.url.host != "issuer.example":
                return await service.handle_async_request(request)
            found = answers.get(str(request.url))
            return httpx.Response(404) if found is None else httpx.Response(200, json=found)

    return Transport()


def token(key: Any = KEY, algorithm: str = "ES256", **changes: Any) -> str:
    claims = {"iss": ISSUER, "aud": RESOURCE, "exp": time.time() + 60, "sub": "anna", "client_id": "host"}
    claims |= {"scope": "invoices:read invoices:write", **changes}
    return jwt.encode({name: value for name, value in claims.items() if value}, key, algorithm, {"kid": "k1"})


@asynccontextmanager
async def served(remote: Remote, transport: httpx.AsyncBaseTransport, key: str) -> AsyncIterator[str]:
    """The address of a running server."""
    async with httpx.AsyncClient(transport=issuer_or(transport)) as http:
        app = build_remote(remote, http, Options(), url="http://service", key=key)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, ws="none"))
        listening = listening_socket()
        task = asyncio.create_task(server.serve([listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task
            listening.close()


@asynccontextmanager
async def session(
    url: str, bearer: str, revision: str = "2026-07-28", person: Person | None = None
) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {bearer}"}) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        answer = person.answer if person else None
        async with Client(transport, mode=revision, elicitation_callback=answer) as agent:
            yield agent


@pytest.fixture
async def read_key(client: AsyncClient, store: Store) -> str:
    key, raw = mint_key(UUID((await client.me()).user_id), "auditor", Scope.READ, utc_now())
    await store.keys.add(key)
    return raw


@both_revisions
async def test_keys_of_the_service_are_tokens(
    transport: httpx.AsyncBaseTransport, key: str, read_key: str, invoice_id: str, revision: str
) -> None:
    person = Person()
    async with served(Remote("127.0.0.1", 0), transport, "") as url:
        async with session(url, read_key, revision) as agent:
            assert len((await agent.list_tools()).tools) == 5
        async with session(url, key, revision, person) as agent:
            assert len((await agent.list_tools()).tools) == 9
            marked = await agent.call_tool("mark_paid", {"invoice_id": invoice_id})
    assert marked.structured_content["done"], texts(marked)
    assert len(person.questions) == 1


@both_revisions
async def test_tokens_of_the_issuer_have_their_scopes(
    transport: httpx.AsyncBaseTransport, key: str, invoice_id: str, revision: str
) -> None:
    remote = Remote("127.0.0.1", 0, RESOURCE, ISSUER)
    async with served(remote, transport, key) as url:
        async with session(url, token(), revision) as agent:
            assert len((await agent.list_tools()).tools) == 9
            assert not (await agent.call_tool("tag", {"invoice_id": invoice_id, "tag": "north"})).is_error
        async with session(url, token(scope="invoices:read"), revision) as agent:
            assert len((await agent.list_tools()).tools) == 5
            refused = await agent.call_tool("tag", {"invoice_id": invoice_id, "tag": "north"})
    assert "for reading only" in texts(refused)[0]


FORGED: dict[str, Callable[[], str]] = {
    "empty": lambda: ".",
    "no token": lambda: "abc",
    "of another resource": lambda: token(aud="https://other.example"),
    "of another issuer": lambda: token(iss="https://other.example"),
    "expired": lambda: token(exp=time.time() - 120),
    "without an end": lambda: token(exp=None),
    "unsigned": lambda: token(None, "none"),
    "signed by another": lambda: token(ec.generate_private_key(ec.SECP256R1())),
    "signed with a secret": lambda: token("s" * 32, "HS256"),
    "a key of the service": lambda: "inv_live_x",
}


async def test_other_tokens_are_refused_with_the_way_to_a_good_one(
    transport: httpx.AsyncBaseTransport, key: str
) -> None:
    async with (
        served(Remote("127.0.0.1", 0, RESOURCE, ISSUER), transport, key) as url,
        httpx.AsyncClient(base_url=url) as http,
    ):
        for name, forge in FORGED.items():
            answer = await http.post("/mcp", json={}, headers={"Authorization": f"Bearer {forge()}"})
            assert answer.status_code == 401, name
            assert f'resource_metadata="https://mcp.example{METADATA_PATH}"' in answer.headers["WWW-Authenticate"]
        unscoped = await http.post("/mcp", json={}, headers={"Authorization": f"Bearer {token(scope='other')}"})
        metadata = (await http.get(METADATA_PATH)).json()
    assert (unscoped.status_code, unscoped.json()["error"]) == (403, "insufficient_scope")
    assert (metadata["resource"], metadata["authorization_servers"]) == (RESOURCE, [ISSUER])


async def test_unknown_keys_and_foreign_hosts_are_refused(transport: httpx.AsyncBaseTransport, key: str) -> None:
    async with served(Remote("127.0.0.1", 0), transport, "") as url, httpx.AsyncClient(base_url=url) as http:
        unknown = await http.post("/mcp", json={}, headers={"Authorization": "Bearer inv_live_x"})
        foreign = await http.post("/mcp", json={}, headers={"Authorization": f"Bearer {key}", "Host": "evil.example"})
    assert unknown.status_code == 401
    assert foreign.status_code == 421


@pytest.mark.parametrize(
    "remote", [Remote("", 0, None, ISSUER), Remote("", 0, RESOURCE, "http://issuer"), Remote("", 0, "http://mcp")]
)
def test_no_token_goes_in_the_clear(remote: Remote) -> None:
    with pytest.raises(ValueError, match=r"--public-url|https"):
        remote.check()
