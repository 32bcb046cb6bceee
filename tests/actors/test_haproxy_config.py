"""HAProxy holds what the service's own protocol holds: slow and many connections end, nobody chooses an address."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextvars import ContextVar
from functools import partial
from pathlib import Path

import pytest
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from actors.haproxy_config import complete_config, haproxy_binary
from actors.proxy import ProxyGuard
from serve_app.keys.ray_environment import HAPROXY
from serve_app.settings.edge import EdgeSettings
from tests.support.haproxy import QUICK, Ports, completed, ray_config, running_haproxy
from tests.support.serving import HEAD, Client, quick_protocol, serving


def _has_haproxy() -> bool:
    try:
        return os.access(haproxy_binary(), os.X_OK)
    except (FileNotFoundError, ImportError):
        return False


pytestmark = pytest.mark.skipif(not _has_haproxy(), reason="HAProxy is not installed")

LIVE = b"GET /livez HTTP/1.1\r\nHost: service\r\n\r\n"
FORGED = b"GET / HTTP/1.1\r\nHost: service\r\nX-Forwarded-For: 198.51.100.9\r\nX-Forwarded-Proto: https\r\n\r\n"
FEW = EdgeSettings(connections_per_peer=30)
MANY = EdgeSettings(connections_per_peer=1000)


held: ContextVar[asyncio.Event] = ContextVar("held")
"""Answers at /held wait for it."""


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body and answers, after some seconds at /slow, with what it knows of the client."""
    while (message := await receive()).get("more_body", False):
        pass
    if message["type"] == "http.disconnect":
        return
    if scope["path"] == "/slow":
        await asyncio.sleep(2)
    if scope["path"] == "/held":
        await held.get().wait()
    known = {name.decode(): value.decode() for name, value in scope["headers"]}
    answer = JSONResponse({"client": {"address": scope["client"][0]}, "headers": known}, headers={"server": "Replica"})
    await answer(scope, receive, send)


@pytest.fixture
def release() -> asyncio.Event:
    """Set, it lets the replica answer at /held."""
    return asyncio.Event()


@pytest.fixture
async def backend(unused_tcp_port: int, release: asyncio.Event) -> AsyncIterator[int]:
    """A replica."""
    held.set(release)
    guard = ProxyGuard(application, behind_haproxy=True)
    async with serving(guard, unused_tcp_port, quick_protocol()) as port:
        yield port


@pytest.fixture
async def ports(backend: int) -> AsyncIterator[Ports]:
    async with running_haproxy([backend], partial(completed, settings=MANY)) as ports:
        yield ports


async def test_the_client_is_the_peer_whatever_it_says(ports: Ports) -> None:
    status, headers, body = await (await Client.connect(ports.http, FORGED)).answer()
    assert (status, body["client"]["address"]) == (200, "127.0.0.1")
    assert not {"x-forwarded-for", "x-forwarded-proto"} & body["headers"].keys()
    assert "server" not in headers


async def test_what_a_trusted_proxy_says_of_its_client_arrives(backend: int) -> None:
    settings = EdgeSettings(trusted_proxies="127.0.0.0/8, fd00::/8")
    async with running_haproxy([backend], partial(completed, settings=settings)) as ports:
        _, _, body = await (await Client.connect(ports.http, FORGED)).answer()
    assert body["client"]["address"] == "127.0.0.1"
    assert body["headers"]["x-forwarded-for"] == "198.51.100.9"
    assert body["headers"]["x-forwarded-proto"] == "https"


@pytest.mark.parametrize("path", [b"/-/routes", b"/-/ROUTES", b"/-/", b"/%2d/routes", b"/-/healthz/x"])
async def test_what_serve_says_about_itself_is_not_public(ports: Ports, path: bytes) -> None:
    request = b"GET " + path + b" HTTP/1.1\r\nHost: service\r\n\r\n"
    status, headers, body = await (await Client.connect(ports.http, request)).answer()
    assert (status, body["error"]["code"]) == (404, "route_not_found")
    assert headers["x-request-id"]


async def test_the_health_of_the_service_is_public(ports: Ports) -> None:
    client = await Client.connect(ports.http, b"GET /-/healthz HTTP/1.1\r\nHost: service\r\nConnection: close\r\n\r\n")
    assert (await client.rest()).startswith(b"HTTP/1.1 200 ")


async def test_half_open_connections_end_while_others_are_answered(ports: Ports) -> None:
    """400 half heads and 100 half bodies. The answer about a head is HAProxy's own."""
    heads = [await Client.connect(ports.http, HEAD) for _ in range(400)]
    bodies = [await Client.connect(ports.http, HEAD + b"Content-Length: 1000\r\n\r\nhalf") for _ in range(100)]
    assert (await (await Client.connect(ports.http, LIVE)).answer())[0] == 200
    answers = [data for half in (*heads, *bodies) if (data := await half.rest(20))]
    # On a busy machine one may have been ended before its first byte came.
    assert len(answers) > 450
    assert {data[:13] for data in answers} == {b"HTTP/1.1 408 "}
    assert (await (await Client.connect(ports.http, LIVE)).answer())[0] == 200


async def test_a_connection_on_which_nothing_was_sent_ends_without_an_answer(ports: Ports) -> None:
    assert await (await Client.connect(ports.http)).rest() == b""


async def test_a_call_that_waits_for_its_answer_is_not_slow(ports: Ports) -> None:
    request = b"GET /slow HTTP/1.1\r\nHost: service\r\n\r\n"
    assert (await (await Client.connect(ports.http, request)).answer())[0] == 200


@pytest.mark.parametrize("hosts", [b"", b"Host: a\r\nHost: b\r\n", b"Host: a/b\r\n"])
async def test_without_exactly_one_host_it_is_400(ports: Ports, hosts: bytes) -> None:
    client = await Client.connect(ports.http, b"GET / HTTP/1.1\r\n" + hosts + b"Connection: close\r\n\r\n")
    assert (await client.rest()).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("data", [b"\x16\x03\x01 no HTTP\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"])
async def test_what_is_not_http_1_is_400(ports: Ports, data: bytes) -> None:
    assert (await (await Client.connect(ports.http, data)).rest()).startswith(b"HTTP/1.1 400 ")


HELD = b"GET /held HTTP/1.1\r\nHost: service\r\nConnection: close\r\n\r\n"


async def held_answer(ports: Ports) -> bytes:
    """Empty if the connection ends without one."""
    try:
        return await (await Client.connect(ports.http, HELD)).rest(20)
    except ConnectionResetError:
        return b""


async def answered(ports: Ports, release: asyncio.Event, limit: int) -> list[bytes]:
    """The begin of each answer at 10 connections more than the limit. Those over it end while the others wait."""
    ends = [asyncio.create_task(held_answer(ports)) for _ in range(limit + 10)]
    for ended, end in enumerate(asyncio.as_completed(ends), 1):
        await end
        if ended == 10:
            release.set()
    return sorted(end.result()[:13] for end in ends)


async def test_a_peer_has_so_many_connections_at_most(backend: int, release: asyncio.Event) -> None:
    async with running_haproxy([backend], partial(completed, settings=FEW)) as ports:
        assert await answered(ports, release, 30) == [b""] * 10 + [b"HTTP/1.1 200 "] * 30
        await asyncio.sleep(0.2)
        assert (await (await Client.connect(ports.http, LIVE)).answer())[0] == 200


async def test_a_trusted_proxy_has_as_many_as_it_likes(backend: int) -> None:
    settings = EdgeSettings(connections_per_peer=10, trusted_proxies="127.0.0.1")
    async with running_haproxy([backend], partial(completed, settings=settings)) as ports:
        clients = [await Client.connect(ports.http, LIVE) for _ in range(60)]
        assert {(await client.answer())[0] for client in clients} == {200}


async def test_without_a_replica_it_is_503_in_the_envelope() -> None:
    async with running_haproxy([], partial(completed, settings=MANY)) as ports:
        status, headers, body = await (await Client.connect(ports.http, LIVE)).answer()
    assert (status, body["error"]["code"], headers["retry-after"]) == (503, "service_unavailable", "5")
    assert headers["x-request-id"]


async def test_a_replica_that_is_gone_is_an_error_of_the_envelope(unused_tcp_port: int) -> None:
    async with running_haproxy([unused_tcp_port], partial(completed, settings=MANY)) as ports:
        status, headers, body = await (await Client.connect(ports.http, LIVE)).answer(30)
    assert (status, body["error"]["type"]) in {(503, "api_error"), (500, "api_error")}
    assert headers["content-type"] == "application/json"


async def test_the_statistics_are_for_this_machine_only(ports: Ports) -> None:
    (await Client.connect(ports.stats)).close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.2", ports.stats)


async def test_ray_starts_it_with_the_settings_of_the_environment(
    backend: int, release: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a second time with the same file, as after a crash."""
    monkeypatch.setenv("CONNECTIONS_PER_PEER", "10")

    def twice(path: Path) -> list[str]:
        os.system(f"{HAPROXY} -c -f {path}")  # noqa: S605 - our own program
        return [HAPROXY, "-db", "-f", str(path)]

    async with running_haproxy([backend], twice) as ports:
        assert await answered(ports, release, 10) == [b""] * 10 + [b"HTTP/1.1 200 "] * 10


def test_a_configuration_of_another_form_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="HAProxy has no line"):
        complete_config("global\n", tmp_path, FEW, QUICK)


def test_its_pages_for_operators_are_for_this_machine_only(tmp_path: Path) -> None:
    path = ray_config(tmp_path, Ports(1, 2), [])
    completed(path, EdgeSettings())
    bound = re.findall(r"^ +bind (\S+)", path.read_text(), re.MULTILINE)
    assert len(bound) == 3
    assert all(each.startswith("127.0.0.1:") for each in bound)
