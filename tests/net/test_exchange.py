"""Everything a server sends is counted: it cannot keep the service busy with bytes that are not a response."""

import ssl

import pytest

from serve_app.net import connector
from serve_app.net.exchange import Exchange
from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.net.outcome import Unreachable
from serve_app.net.post import Answer as Posted
from serve_app.net.post import HttpPoster
from tests.net.keep_alive import DONE, keep_alive_server
from tests.net.sites import Answer, Site, endless, raw, reply, serving

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
TOO_LONG = "the server's response is too long"
FLOODS = {
    "interim answers": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "early hints": endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    "an extension of a chunk": endless(CHUNKED + b"1;", b"a" * 1000),
    "chunks with extensions": endless(CHUNKED, b"1;" + b"a" * 1000 + b"\r\na\r\n"),
}


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connector, "GRACE_SECONDS", 0.1)


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
@pytest.mark.parametrize("is_secure", [True, False], ids=["https", "http"])
async def test_what_makes_no_answer_ends_the_connection(
    opened: Guard, server_tls: ssl.SSLContext, flood: Answer, is_secure: bool
) -> None:
    async with serving(flood, tls=server_tls if is_secure else None) as site:
        answer = await post(opened, site, is_secure=is_secure)
    assert (answer.status, answer.error) == (None, TOO_LONG)


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
async def test_neither_does_a_flood_hold_a_fetch(opened: Guard, flood: Answer) -> None:
    async with serving(flood) as site:
        with pytest.raises(Unreachable, match="too long"):
            await Fetcher(opened)(site.url(scheme="http"), 1000)


LONG = 1_000_000 * b"a"
ANSWERS = {
    "announced": reply(LONG),
    "without a length": raw(OK + b"\r\n" + LONG),
    "in one chunk": raw(CHUNKED + b"f4240\r\n" + LONG + b"\r\n0\r\n\r\n"),
    "in tiny chunks": raw(CHUNKED + 20_000 * b"1\r\na\r\n" + b"0\r\n\r\n"),
}


@pytest.mark.parametrize("long", ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize("is_secure", [True, False], ids=["https", "http"])
async def test_an_answer_that_is_too_long_is_none(
    opened: Guard, server_tls: ssl.SSLContext, long: Answer, is_secure: bool
) -> None:
    async with serving(long, tls=server_tls if is_secure else None) as site:
        answer = await post(opened, site, is_secure=is_secure)
    assert (answer.status, answer.error) == (None, TOO_LONG)


async def test_interim_answers_are_no_answer(opened: Guard) -> None:
    async with serving(raw(b"HTTP/1.1 100 Continue\r\n\r\n" + DONE)) as site:
        answer = await post(opened, site, is_secure=False)
    assert (answer.status, answer.error) == (200, None)


async def test_answers_on_a_kept_connection_are_counted_each_by_itself(opened: Guard) -> None:
    answer = OK + b"X: " + 7000 * b"a" + b"\r\nContent-Length: 0\r\n\r\n"
    async with keep_alive_server(20 * (answer,)) as server, HttpPoster(opened).open(server.url) as line:
        assert [(await line.post({}, b"{}")).status for _ in range(20)] == 20 * [200]
    assert server.counts == [20]


async def test_every_byte_counts(opened: Guard) -> None:
    answer = OK + b"Content-Length: 4\r\n\r\n%PDF"
    async with serving(raw(answer)) as site:
        assert await get(opened, site, len(answer)) == b"%PDF"
        with pytest.raises(Unreachable, match=TOO_LONG):
            await get(opened, site, len(answer) - 1)


async def post(guard: Guard, site: Site, *, is_secure: bool) -> Posted:
    async with HttpPoster(guard, 20).open(site.url(scheme="https" if is_secure else "http")) as line:
        return await line.post({}, b"{}")


async def get(guard: Guard, site: Site, most_bytes: int) -> bytes:
    url = guard.url(site.url(scheme="http"))
    async with Exchange(most_bytes), guard.session(url) as session, session.get(url) as response:
        return await response.read()
