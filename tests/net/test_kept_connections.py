"""A connection that was kept and that the server has closed meanwhile costs no attempt."""

import asyncio
from collections.abc import Callable
from ipaddress import ip_network

import pytest

from serve_app.net.guard import Guard
from serve_app.net.post import HttpPoster
from tests.net.keep_alive import DONE, LEFT, keep_alive_server

HEADERS = {"webhook-id": "evt_1", "webhook-timestamp": "1747483207"}
NO_ANSWER = "the server closed the connection without a response"


@pytest.mark.parametrize("resets", [False, True], ids=["ended", "reset"])
async def test_what_finds_its_connection_closed_is_sent_again_as_it_was(opened: Guard, resets: bool) -> None:
    async with (
        keep_alive_server((DONE, LEFT), (DONE,), resets=resets) as server,
        HttpPoster(opened).open(server.url) as line,
    ):
        assert (await line.post({}, b"{}")).status == 200
        assert (await line.post(HEADERS, b"[]")).status == 200
    assert server.counts == [2, 1]
    assert server.requests[0][1] == server.requests[1][0]


async def test_it_is_sent_on_a_new_connection_though_others_were_kept(opened: Guard) -> None:
    async with (
        keep_alive_server((DONE, LEFT), (DONE, LEFT), (DONE,)) as server,
        HttpPoster(opened).open(server.url) as line,
    ):
        await asyncio.gather(line.post({}, b"{}"), line.post({}, b"{}"))
        assert (await line.post({}, b"{}")).status == 200
    assert sorted(server.counts) == [1, 1, 2]


async def test_it_is_sent_again_only_once(opened: Guard) -> None:
    async with keep_alive_server((DONE, LEFT), (LEFT,)) as server, HttpPoster(opened).open(server.url) as line:
        await line.post({}, b"{}")
        assert (await line.post({}, b"{}")).error == NO_ANSWER
    assert server.counts == [2, 1]


async def test_a_new_connection_that_is_closed_is_an_answer(opened: Guard) -> None:
    async with keep_alive_server((LEFT,)) as server, HttpPoster(opened).open(server.url) as line:
        assert (await line.post({}, b"{}")).error == NO_ANSWER
    assert server.counts == [1]


async def test_an_answer_that_breaks_off_is_an_answer(opened: Guard) -> None:
    async with keep_alive_server((DONE, b"HTTP/1.1 200 OK\r\n")) as server, HttpPoster(opened).open(server.url) as line:
        await line.post({}, b"{}")
        assert (await line.post({}, b"{}")).error == NO_ANSWER
    assert server.counts == [2]


async def test_the_new_connection_is_judged(lookups: Callable[..., Callable[[str], list[str]]]) -> None:
    guard = Guard([ip_network("127.0.0.1")], lookup=lookups(["127.0.0.1"], ["10.0.0.1"]))
    async with keep_alive_server((DONE, LEFT)) as server, HttpPoster(guard).open(server.url) as line:
        await line.post({}, b"{}")
        assert (await line.post({}, b"{}")).error == "the URL must begin with https://"
    assert server.counts == [2]
