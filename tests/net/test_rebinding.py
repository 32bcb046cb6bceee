"""A name that changes between look-ups leads to no inner address (DNS rebinding)."""

import asyncio
import itertools
import ssl
from collections.abc import Callable
from ipaddress import ip_network

import pytest

from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.net.outcome import Unreachable
from serve_app.net.post import HttpPoster

PUBLIC, INNER = "93.184.215.14", "10.9.9.9"
ANSWERS = ([PUBLIC], [INNER], ["127.0.0.1"], ["169.254.169.254"], ["::ffff:10.9.9.9"], [PUBLIC, INNER])
"""What the attacker's name server says in turn."""


@pytest.fixture(params=range(len(ANSWERS)))
def rebinding(request: pytest.FixtureRequest) -> Callable[[str], list[str]]:
    """Answers in turn, beginning with each of them once."""
    answers = itertools.cycle((*ANSWERS[request.param :], *ANSWERS[: request.param]))
    return lambda name: next(answers)


async def test_a_document_is_fetched_from_no_inner_address(
    rebinding: Callable[[str], list[str]], connects: list[str]
) -> None:
    fetch = Fetcher(Guard(lookup=rebinding))
    for _ in range(30):
        with pytest.raises(Unreachable):
            await fetch("https://rebinding.example/invoice.pdf", 1000)
    assert set(connects) == {PUBLIC}


async def test_at_once_neither(rebinding: Callable[[str], list[str]], connects: list[str]) -> None:
    fetch = Fetcher(Guard(lookup=rebinding))
    calls = [fetch(f"https://r{number}.example/invoice.pdf", 1000) for number in range(60)]
    assert all(isinstance(each, Unreachable) for each in await asyncio.gather(*calls, return_exceptions=True))
    assert set(connects) == {PUBLIC}


async def test_a_webhook_is_posted_to_no_inner_address(
    rebinding: Callable[[str], list[str]], connects: list[str]
) -> None:
    async with HttpPoster(Guard(lookup=rebinding)).open("https://rebinding.example/hook") as line:
        for _ in range(30):
            assert (await line.post({}, b"{}")).status is None
    assert set(connects) == {PUBLIC}


async def test_a_check_of_a_webhook_endpoint_is_worth_nothing_for_the_post(
    lookups: Callable[..., Callable[[str], list[str]]], connects: list[str]
) -> None:
    guard = Guard(lookup=lookups([PUBLIC], [INNER]))
    await guard.check("https://rebinding.example/hook")
    async with HttpPoster(guard).open("https://rebinding.example/hook") as line:
        assert (await line.post({}, b"{}")).status is None
    assert connects == []


async def test_an_opened_network_opens_no_other(client_tls: ssl.SSLContext, connects: list[str]) -> None:
    answers = itertools.cycle((["127.0.0.1"], [INNER]))
    fetch = Fetcher(Guard([ip_network("127.0.0.1")], tls=client_tls, lookup=lambda name: next(answers)))
    for _ in range(10):
        with pytest.raises(Unreachable):
            await fetch("https://rebinding.example:9/invoice.pdf", 1000)
    assert set(connects) == {"127.0.0.1"}
