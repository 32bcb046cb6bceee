"""Nobody waits longer than their timeout, and no connection outlives its caller."""

import asyncio
import ssl
import threading

import pytest

from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.net.outcome import Unreachable
from tests.net.sites import Answer, redirect, serving, silent_after

OK = b"HTTP/1.1 200 OK\r\n"
SECONDS = 0.4
HALF_A_BODY = silent_after(OK + b"Content-Length: 9\r\n\r\n%PDF")


async def slow_redirect(writer: asyncio.StreamWriter) -> None:
    """Each of them in time, all of them together too late."""
    await asyncio.sleep(SECONDS / 2)
    await redirect("/")(writer)


@pytest.mark.parametrize(
    "answer",
    [silent_after(), silent_after(OK), HALF_A_BODY, slow_redirect],
    ids=["no answer", "half a head", "half a body", "slow redirects"],
)
async def test_the_time_is_limited_in_all(opened: Guard, server_tls: ssl.SSLContext, answer: Answer) -> None:
    async with serving(answer, tls=server_tls) as site:
        with pytest.raises(Unreachable, match=f"longer than {SECONDS:g} s"):
            await Fetcher(opened, SECONDS)(site.url(), 1000)


async def test_a_handshake_counts(opened: Guard) -> None:
    async with serving(silent_after()) as site:
        with pytest.raises(Unreachable, match="longer than"):
            await Fetcher(opened, SECONDS)(site.url(), 1000)


async def test_a_lookup_counts(connects: list[str]) -> None:
    answered = threading.Event()

    def look_up_slowly(name: str) -> list[str]:
        answered.wait(60)
        return ["8.8.8.8"]

    with pytest.raises(Unreachable, match="longer than"):
        await Fetcher(Guard(lookup=look_up_slowly), 0.1)("https://files.example/", 1000)
    answered.set()
    assert connects == []


async def test_a_caller_who_goes_takes_the_connection_along(fetch: Fetcher, server_tls: ssl.SSLContext) -> None:
    async with serving(HALF_A_BODY, tls=server_tls) as site:
        task = asyncio.create_task(fetch(site.url(), 1000))
        await asyncio.wait_for(site.asked.wait(), 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(site.abandoned.wait(), 10)
