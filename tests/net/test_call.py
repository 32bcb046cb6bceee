"""Calls of JSON APIs: whatever the server does is an answer or Unreachable, and nothing inside is connected to."""

import ssl

import pytest

from serve_app.net.call import HttpCall
from serve_app.net.guard import Guard
from serve_app.net.outcome import Unreachable
from tests.net.hostile import FOR_THEIR_ADDRESS, FOR_THEIR_FORM
from tests.net.sites import endless, redirect, reply, serving, silent_after


async def test_the_answer_is_its_status_and_json(opened: Guard, server_tls: ssl.SSLContext) -> None:
    async with serving(reply(b'{"id": 7}'), tls=server_tls) as site:
        assert await HttpCall(opened)("PUT", site.url("/bills"), {"x": "y"}, b"{}") == (200, {"id": 7})


async def test_what_is_no_json_is_none(opened: Guard, server_tls: ssl.SSLContext) -> None:
    async with serving(reply(b"<html>"), tls=server_tls) as site:
        assert await HttpCall(opened)("GET", site.url(), {}) == (200, None)


async def test_a_redirect_is_not_followed(opened: Guard, server_tls: ssl.SSLContext) -> None:
    async with serving(redirect("https://127.0.0.1/secret"), tls=server_tls) as site:
        status, _ = await HttpCall(opened)("GET", site.url(), {})
    assert 300 <= status < 400


@pytest.mark.parametrize("text", FOR_THEIR_FORM + FOR_THEIR_ADDRESS)
async def test_hostile_urls_are_not_connected_to(text: str, closed: Guard, connects: list[str]) -> None:
    async with serving(reply()) as site:
        with pytest.raises(Unreachable):
            await HttpCall(closed)("GET", text.replace("{port}", str(site.port)), {})
    assert (connects, site.connections) == ([], 0)


async def test_a_server_without_an_end_or_an_answer_is_left(opened: Guard, server_tls: ssl.SSLContext) -> None:
    async with serving(endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65_536), tls=server_tls) as site:
        with pytest.raises(Unreachable):
            await HttpCall(opened, 5.0)("GET", site.url(), {})
    async with serving(silent_after(b""), tls=server_tls) as site:
        with pytest.raises(Unreachable, match="no answer within"):
            await HttpCall(opened, 0.2)("GET", site.url(), {})
