"""Posting to a URL that a stranger gave: whatever happens is an answer, and nothing is connected to that may not be."""

import ssl
from collections.abc import Callable
from ipaddress import ip_network

import pytest

from serve_app.net.guard import Guard
from serve_app.net.post import Answer as Posted
from serve_app.net.post import HttpPoster
from tests.net.hostile import ANSWERS, FOR_THEIR_ADDRESS, FOR_THEIR_FORM
from tests.net.sites import Answer, endless, raw, redirect, reply, serving, silent_after

OK = b"HTTP/1.1 200 OK\r\n"
SECONDS = 0.4


async def post(guard: Guard, url: str, body: bytes = b"{}", seconds: float = 5.0) -> Posted:
    async with HttpPoster(guard, seconds).open(url) as line:
        return await line.post({"webhook-id": "evt_1"}, body)


@pytest.mark.parametrize("text", FOR_THEIR_FORM + FOR_THEIR_ADDRESS)
async def test_hostile_urls_are_not_connected_to(text: str, closed: Guard, connects: list[str]) -> None:
    async with serving(reply()) as site:
        answer = await post(closed, text.replace("{port}", str(site.port)))
    assert answer.status is None
    assert answer.error is not None
    assert "secret" not in answer.error
    assert (connects, site.connections) == ([], 0)


@pytest.mark.parametrize("addresses", ANSWERS, ids=str)
async def test_names_that_lead_inside_are_not_connected_to(addresses: list[str], connects: list[str]) -> None:
    answer = await post(Guard(lookup=lambda name: addresses), "https://files.example/")
    assert (answer.status, answer.error) == (None, "the host has no public address")
    assert connects == []


async def test_a_name_that_turns_inside_after_its_registration_is_not_connected_to(
    lookups: Callable[..., Callable[[str], list[str]]], connects: list[str]
) -> None:
    guard = Guard(lookup=lookups(["8.8.8.8"], ["127.0.0.1"]))
    await guard.check("https://files.example/")
    answer = await post(guard, "https://files.example/")
    assert answer.error == "the host has no public address"
    assert connects == []


async def test_every_new_connection_of_a_line_is_judged(
    client_tls: ssl.SSLContext,
    server_tls: ssl.SSLContext,
    lookups: Callable[..., Callable[[str], list[str]]],
) -> None:
    guard = Guard([ip_network("127.0.0.1")], tls=client_tls, lookup=lookups(["127.0.0.1"], ["10.0.0.1"]))
    async with (
        serving(reply(Connection="close"), tls=server_tls) as site,
        HttpPoster(guard).open(site.url()) as line,
    ):
        assert (await line.post({}, b"{}")).status == 200
        assert (await line.post({}, b"{}")).error == "the host has no public address"
    assert site.connections == 1


async def test_the_body_is_sent_byte_for_byte_with_its_headers(opened: Guard, server_tls: ssl.SSLContext) -> None:
    body = '{"vendor":"Müller\\u00a0KG","amount":1.10}'.encode()
    async with serving(reply(b"thanks"), tls=server_tls) as site:
        answer = await post(opened, site.url("/hook?a=1"), body)
    assert (answer.status, answer.error, answer.body) == (200, None, "thanks")
    (head,) = site.requests
    assert head.startswith("POST /hook?a=1 HTTP/1.1\r\n")
    assert f"Content-Length: {len(body)}\r\n" in head
    assert "webhook-id: evt_1\r\n" in head


async def test_a_redirect_is_an_answer_and_is_not_followed(opened: Guard, server_tls: ssl.SSLContext) -> None:
    async with serving(redirect("/elsewhere"), tls=server_tls) as site:
        answer = await post(opened, site.url())
    assert (answer.status, len(site.requests)) == (302, 1)


async def test_two_kilobytes_of_the_answer_are_kept(opened: Guard, server_tls: ssl.SSLContext) -> None:
    async with serving(reply(b"\x00abc\xff" * 12_000), tls=server_tls) as site:
        answer = await post(opened, site.url())
    assert answer.status == 200
    assert answer.body is not None
    assert len(answer.body) == 2048
    assert answer.body.startswith("\ufffdabc\ufffd")


@pytest.mark.parametrize(
    "body", [reply(b"x" * 65_536), endless(OK + b"\r\n", b"x" * 1000)], ids=["over 64 kB", "endless"]
)
async def test_an_answer_that_is_too_long_is_none(opened: Guard, server_tls: ssl.SSLContext, body: Answer) -> None:
    async with serving(body, tls=server_tls) as site:
        answer = await post(opened, site.url())
    assert (answer.status, answer.error) == (None, "the server's response is too long")


@pytest.mark.parametrize(
    "silent",
    [silent_after(), silent_after(OK), silent_after(OK + b"Content-Length: 9\r\n\r\nhalf")],
    ids=["no answer", "half a head", "half a body"],
)
async def test_an_answer_must_have_come_in_time(opened: Guard, server_tls: ssl.SSLContext, silent: Answer) -> None:
    async with serving(silent, tls=server_tls) as site:
        answer = await post(opened, site.url(), seconds=SECONDS)
    assert (answer.status, answer.error) == (None, f"no answer within {SECONDS:g} s")
    assert answer.seconds >= SECONDS


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        (raw(b""), "the server closed the connection without a response"),
        (raw(b"nonsense\r\n\r\n"), "the server's response is not valid HTTP"),
        (raw(OK + b"Content-Length: 9\r\n\r\nhalf"), "the server's response is incomplete"),
    ],
)
async def test_what_is_no_answer_says_why(
    opened: Guard, server_tls: ssl.SSLContext, broken: Answer, error: str
) -> None:
    async with serving(broken, tls=server_tls) as site:
        answer = await post(opened, site.url())
    assert (answer.status, answer.error) == (None, error)


async def test_a_certificate_must_be_valid(server_tls: ssl.SSLContext) -> None:
    untrusting = Guard([ip_network("127.0.0.1")], lookup=lambda name: ["127.0.0.1"])
    async with serving(reply(), tls=server_tls) as site:
        answer = await post(untrusting, site.url())
    assert (answer.status, answer.error) == (None, "the server's certificate is not valid")
    assert site.requests == []
