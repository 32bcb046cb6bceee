"""Requests that the parser of HTTP refuses get the API's errors."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
import uvicorn
from uvicorn.protocols.http import auto

from actors import proxy
from actors.http_protocol import AnyVerbProtocol
from serve_app.api.app import create_api


@pytest.fixture
async def port(unused_tcp_port: int) -> AsyncIterator[int]:
    config = uvicorn.Config(
        create_api(), http=AnyVerbProtocol, port=unused_tcp_port, log_config=None, lifespan="off", ws="none"
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    yield unused_tcp_port
    server.should_exit = True
    await task


async def exchange(port: int, request: bytes) -> tuple[int, dict[str, str], dict[str, dict[str, str]]]:
    """Status, headers and JSON of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    async with asyncio.timeout(5):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await reader.readexactly(int(headers["content-length"]))
    writer.close()
    return int(status.split()[1]), headers, json.loads(body)


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


def test_serves_proxy_listens_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "AutoHTTPProtocol", object)
    proxy.middlewares()
    config = uvicorn.Config(create_api(), log_config=None)
    config.load()
    assert config.http_protocol_class is AnyVerbProtocol
