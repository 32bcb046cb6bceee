"""Nobody holds connections by sending slowly, reading slowly, or opening many."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.types import Receive, Scope, Send

from tests.support.serving import HEAD, Client, quick_protocol, serving

BIG = 40_000_000
"""Bytes of an answer that fits into no buffer."""
LIVE = b"GET /livez HTTP/1.1\r\nHost: service\r\n\r\n"


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body; answers with its length, after a moment at /slow, and with very much at /big."""
    received, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        received += len(message["body"])
        more = message["more_body"]
    if scope["path"] == "/slow":
        await asyncio.sleep(2)
    body = bytes(BIG) if scope["path"] == "/big" else b'{"received": {"bytes": "%d"}}' % received
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for begin in range(0, len(body), 1_000_000):
        part = body[begin : begin + 1_000_000]
        await send({"type": "http.response.body", "body": part, "more_body": begin + len(part) < len(body)})


@pytest.fixture
async def port(unused_tcp_port: int) -> AsyncIterator[int]:
    async with serving(application, unused_tcp_port, quick_protocol()) as port:
        yield port


async def test_half_open_connections_end_while_others_are_answered(port: int) -> None:
    """400 half heads and 100 half bodies."""
    heads = [await Client.connect(port, HEAD) for _ in range(400)]
    bodies = [await Client.connect(port, HEAD + b"Content-Length: 1000\r\n\r\nhalf") for _ in range(100)]
    assert (await (await Client.connect(port, LIVE)).answer(1))[0] == 200
    answers = [data for half in (*heads, *bodies) if (data := await half.rest())]
    # On a busy machine one may have been ended before its first byte came.
    assert len(answers) > 450
    for data in answers:
        assert data.startswith(b"HTTP/1.1 408 ")
        assert b"connection: close" in data.lower()
        assert b'"request_timeout"' in data
    assert (await (await Client.connect(port, LIVE)).answer(1))[0] == 200


async def ends_within(seconds: float, client: Client, trickle: bytes) -> None:
    """Send byte by byte until the server ends the connection; raises TimeoutError if it does not."""

    async def send() -> None:
        for byte in trickle:
            await client.send(bytes([byte]))
            await asyncio.sleep(0.05)

    sending = asyncio.create_task(send())
    try:
        await client.rest(seconds)
    finally:
        sending.cancel()


async def test_a_head_that_comes_byte_by_byte_is_ended(port: int) -> None:
    await ends_within(3, await Client.connect(port), HEAD + b"X: " + bytes(b"x" * 1000))


async def test_a_connection_on_which_nothing_is_sent_is_closed(port: int) -> None:
    assert await (await Client.connect(port)).rest() == b""


async def test_empty_lines_after_an_answer_do_not_hold_the_connection(port: int) -> None:
    client = await Client.connect(port, LIVE)
    await client.answer()
    await client.send(b"\r\n")
    assert await client.rest() == b""


async def test_half_of_a_second_request_is_ended(port: int) -> None:
    client = await Client.connect(port, LIVE)
    await client.answer()
    await client.send(HEAD)
    assert (await client.answer())[0] == 408


async def test_a_body_that_trickles_is_ended(port: int) -> None:
    client = await Client.connect(port, HEAD + b"Content-Length: 1000000\r\n\r\n")
    await ends_within(3, client, bytes(1000))


async def test_a_chunked_body_that_does_not_end_is_ended(port: int) -> None:
    client = await Client.connect(port, HEAD + b"Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
    assert (await client.answer())[0] == 408


async def test_a_slow_upload_that_makes_progress_is_read_to_its_end(port: int) -> None:
    """Four times as long as a body may stand still."""
    client = await Client.connect(port, HEAD + b"Content-Length: 200000\r\n\r\n")
    for _ in range(20):
        await client.send(bytes(10_000))
        await asyncio.sleep(0.1)
    status, _, body = await client.answer()
    assert (status, body["received"]["bytes"]) == (200, "200000")


async def test_who_waits_for_an_answer_is_not_slow(port: int) -> None:
    client = await Client.connect(port, b"GET /slow HTTP/1.1\r\nHost: service\r\n\r\n")
    assert (await client.answer())[0] == 200


async def test_who_waits_for_the_next_request_is_not_slow(port: int) -> None:
    client = await Client.connect(port, LIVE)
    await client.answer()
    await asyncio.sleep(1.5)
    await client.send(LIVE)
    assert (await client.answer())[0] == 200


async def test_an_answer_that_nobody_reads_is_dropped(port: int) -> None:
    client = await Client.connect(port, b"GET /big HTTP/1.1\r\nHost: service\r\n\r\n")
    await asyncio.sleep(2.5)
    assert len(await client.rest()) < BIG


async def test_an_answer_that_is_read_slowly_but_steadily_arrives(port: int) -> None:
    client = await Client.connect(port, b"GET /big HTTP/1.1\r\nHost: service\r\n\r\n")
    received = 0
    async with asyncio.timeout(30):
        while received < BIG:
            received += len(await client.reader.read(500_000))
            await asyncio.sleep(0.01)


async def test_a_peer_has_so_many_connections_at_most(unused_tcp_port: int) -> None:
    slow = b"GET /slow HTTP/1.1\r\nHost: service\r\n\r\n"
    async with serving(application, unused_tcp_port, quick_protocol(connections=20)) as port:
        busy = [await Client.connect(port, slow) for _ in range(20)]
        await asyncio.sleep(0.2)
        refused = await Client.connect(port, LIVE)
        status, headers, body = await refused.answer()
        assert (status, body["error"]["code"], headers["retry-after"]) == (503, "service_unavailable", "5")
        assert {(await client.answer())[0] for client in busy} == {200}
        for client in busy:
            client.close()
        await asyncio.sleep(0.2)
        assert (await (await Client.connect(port, LIVE)).answer())[0] == 200


async def test_a_new_connection_takes_the_place_of_an_idle_one(unused_tcp_port: int) -> None:
    async with serving(application, unused_tcp_port, quick_protocol(connections=20)) as port:
        idle = [await Client.connect(port, HEAD) for _ in range(20)]
        await asyncio.sleep(0.1)
        assert (await (await Client.connect(port, LIVE)).answer())[0] == 200
        assert await idle[0].rest(0.2) == b""


async def test_a_trusted_proxy_has_as_many_as_it_likes(unused_tcp_port: int) -> None:
    protocol = quick_protocol(connections=20, exempt="127.0.0.0/8")
    async with serving(application, unused_tcp_port, protocol) as port:
        clients = [await Client.connect(port, LIVE) for _ in range(60)]
        assert {(await client.answer())[0] for client in clients} == {200}
