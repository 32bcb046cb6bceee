"""A server that the operator has named is asked for JSON; what it answers is limited all the same."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from aiohttp import web

from serve_app.net.outcome import Unreachable
from serve_app.net.trusted import TrustedServer

Serve = Callable[[Callable[[web.Request], Awaitable[web.StreamResponse]]], Awaitable[str]]


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    """Answers every request by a function; gives the address."""
    runners: list[web.AppRunner] = []

    async def start(answer: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> str:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", answer)
        runners.append(web.AppRunner(app, shutdown_timeout=0))
        await runners[-1].setup()
        site = web.TCPSite(runners[-1], "127.0.0.1", 0)
        await site.start()
        host, port = runners[-1].addresses[0][:2]
        return f"http://{host}:{port}/"

    yield start
    for runner in runners:
        await runner.cleanup()


async def test_it_asks_and_posts_forms(serve: Serve) -> None:
    async def echo(request: web.Request) -> web.StreamResponse:
        return web.json_response({"form": dict(await request.post()), "bearer": request.headers["Authorization"]})

    url, headers = await serve(echo), {"Authorization": "Bearer x"}
    assert await TrustedServer().get(url, headers) == {"form": {}, "bearer": "Bearer x"}
    assert await TrustedServer().post(url, headers, {"code": "1"}) == {"form": {"code": "1"}, "bearer": "Bearer x"}


async def test_what_is_no_json_object_is_no_answer(serve: Serve) -> None:
    for body, status, reason in (
        (b"[]", 200, "not a JSON object"),
        (b"<html>", 200, "not a JSON object"),
        (b"{}", 500, "status 500"),
        (b" " * 1_000_001, 200, "too long"),
    ):

        async def answer(_: web.Request, body: bytes = body, status: int = status) -> web.StreamResponse:
            return web.Response(body=body, status=status)

        with pytest.raises(Unreachable) as caught:
            await TrustedServer().get(await serve(answer), {})
        assert reason in caught.value.reason


async def test_redirects_are_not_followed(serve: Serve) -> None:
    async def elsewhere(request: web.Request) -> web.StreamResponse:
        raise web.HTTPFound("/other") if request.path == "/" else AssertionError("it was followed")

    with pytest.raises(Unreachable, match="status 302"):
        await TrustedServer().get(await serve(elsewhere), {})


async def test_a_slow_server_is_not_waited_for(serve: Serve) -> None:
    async def slow(_: web.Request) -> web.StreamResponse:
        await asyncio.sleep(1)
        return web.json_response({})

    with pytest.raises(Unreachable, match=r"longer than 0\.1 s"):
        await TrustedServer(0.1).get(await serve(slow), {})


async def test_a_server_that_is_not_there_is_reported_without_its_address() -> None:
    with pytest.raises(Unreachable) as caught:
        await TrustedServer().get("http://127.0.0.1:9/secret", {})
    assert caught.value.reason == "no connection to the server"
