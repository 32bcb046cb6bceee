"""Requests that the parser of HTTP refuses get the API's errors."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import uvicorn
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http import auto

from actors import proxy
from actors.application import create_application
from actors.http_protocol import AnyVerbProtocol
from tests.support.serving import Answer, Client, serving


@pytest.fixture
async def port(unused_tcp_port: int) -> AsyncIterator[int]:
    async with serving(create_application(), unused_tcp_port, AnyVerbProtocol) as port:
        yield port


async def exchange(port: int, request: bytes) -> Answer:
    """Status, headers and JSON of the answer."""
    client = await Client.connect(port, request)
    answer = await client.answer()
    client.close()
    return answer


@pytest.mark.parametrize("verb", [b"FOO", b"get", b"X-Y", b"PROPFIND", b"TRACE"])
async def test_an_unknown_verb_is_405_with_a_request_id(port: int, verb: bytes) -> None:
    request = verb + b" /v1/invoices HTTP/1.1\r\nHost: service\r\nX-Request-Id: order-7\r\n\r\n"
    status, headers, body = await exchange(port, request)
    assert (status, body["error"]["code"], headers["x-request-id"]) == (405, "method_not_allowed", "order-7")
    assert set(headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


async def test_of_an_unknown_verb_the_body_is_read_and_the_connection_kept(port: int) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"FOO /v1/me HTTP/1.1\r\nHost: service\r\nContent-Length: 4\r\n\r\nbody")
    writer.write(b"GET /livez HTTP/1.1\r\nHost: service\r\nConnection: close\r\n\r\n")
    async with asyncio.timeout(5):
        answers = await reader.read()
    assert answers.startswith(b"HTTP/1.1 405")
    assert b"HTTP/1.1 200 OK" in answers
    writer.close()


@pytest.mark.parametrize("request_line", [b"nonsense", b"\x16\x03\x01 / HTTP/1.1", b"GET /v1/me HTTP/9.9"])
async def test_what_is_not_http_is_400_in_the_envelope(port: int, request_line: bytes) -> None:
    status, headers, body = await exchange(port, request_line + b"\r\n\r\n")
    assert (status, body["error"]["code"]) == (400, "invalid_body")
    assert headers["content-type"] == "application/json"
    assert len(headers["x-request-id"]) == 32


@pytest.mark.parametrize(
    "hosts",
    [
        b"",
        b"Host: service\r\nHost: service\r\n",
        b"Host: service\r\nhost: evil.example\r\n",
        b"Host:\r\n",
        b"Host: a b\r\n",
        b"Host: user@service\r\n",
        b"Host: service/path\r\n",
        b"Host: service:port\r\n",
        b"Host: [::1\r\n",
    ],
)
@pytest.mark.parametrize("path", [b"/livez", b"/v1/nothing", b"/app/sign-in"])
async def test_without_exactly_one_host_it_is_400(port: int, hosts: bytes, path: bytes) -> None:
    status, headers, body = await exchange(port, b"GET " + path + b" HTTP/1.1\r\n" + hosts + b"\r\n")
    assert (status, body["error"]["code"]) == (400, "invalid_body")
    assert "Host" in body["error"]["message"]
    assert headers["connection"] == "close"


@pytest.mark.parametrize(
    "host", [b"service", b"service:8000", b"127.0.0.1:8000", b"[::1]:8000", b"xn--e1afmkfd.example"]
)
async def test_every_kind_of_host_is_fine(port: int, host: bytes) -> None:
    assert (await exchange(port, b"GET /livez HTTP/1.1\r\nHost: " + host + b"\r\n\r\n"))[0] == 200


async def test_before_http_1_1_a_host_was_not_needed(port: int) -> None:
    assert (await exchange(port, b"GET /livez HTTP/1.0\r\n\r\n"))[0] == 200


async def test_what_the_server_is_stays_unsaid(port: int) -> None:
    for path in (b"/livez", b"/v1/nothing", b"/docs/favicon.jpg"):
        _, headers, _ = await exchange(port, b"GET " + path + b" HTTP/1.1\r\nHost: service\r\n\r\n")
        assert "server" not in headers
        assert "date" in headers


_WEBSOCKET = (
    b" HTTP/1.1\r\nHost: service\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        (b"/v1/nothing", 404, "route_not_found"),
        (b"/app/nothing/here", 404, "route_not_found"),
        (b"/", 400, "invalid_parameter"),
        (b"/livez", 400, "invalid_parameter"),
        (b"/v1/invoices", 400, "invalid_parameter"),
        (b"/v1/me?x=1", 400, "invalid_parameter"),
        (b"/app/", 400, "invalid_parameter"),
        (b"/docs", 400, "invalid_parameter"),
    ],
)
async def test_a_websocket_is_refused_in_the_envelope(port: int, path: bytes, status: int, code: str) -> None:
    answered, headers, body = await exchange(port, b"GET " + path + _WEBSOCKET)
    assert (answered, body["error"]["code"], headers["connection"]) == (status, code, "close")
    assert headers["x-request-id"]


@pytest.mark.parametrize("protocol", [b"h2c", b"foo/2", b"TLS/1.0"])
async def test_other_protocols_are_ignored_as_http_says(port: int, protocol: bytes) -> None:
    """Java's client offers h2c with its first request, also with a body."""
    asks = b"Host: service\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEA\r\nUpgrade: " + protocol
    assert (await exchange(port, b"GET /livez HTTP/1.1\r\n" + asks + b"\r\n\r\n"))[0] == 200
    status, _, body = await exchange(
        port, b"POST /v1/nothing HTTP/1.1\r\n" + asks + b"\r\nContent-Length: 4\r\n\r\nbody"
    )
    assert (status, body["error"]["code"]) == (404, "route_not_found")


@pytest.mark.parametrize("trusted", ["127.0.0.1", "*"])
async def test_the_library_believes_nobody_about_where_a_request_comes_from(
    unused_tcp_port: int, trusted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", trusted)

    async def says(scope: Scope, receive: Receive, send: Send) -> None:
        answer = JSONResponse({"from": {"peer": scope["client"][0], "scheme": scope["scheme"]}})
        await answer(scope, receive, send)

    forged = b"X-Forwarded-For: 198.51.100.9\r\nX-Forwarded-Proto: https\r\n"
    async with serving(says, unused_tcp_port, AnyVerbProtocol) as port:
        _, _, body = await exchange(port, b"GET / HTTP/1.1\r\nHost: service\r\n" + forged + b"\r\n")
    assert body["from"] == {"peer": "127.0.0.1", "scheme": "http"}


def test_serves_proxy_listens_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "AutoHTTPProtocol", object)
    proxy.middlewares()
    config = uvicorn.Config(create_application(), log_config=None)
    config.load()
    assert config.http_protocol_class is AnyVerbProtocol
