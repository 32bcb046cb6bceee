"""What leads anywhere but to the internet is refused, and nothing is connected to."""

import pytest

from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.net.outcome import BadUrl, Unreachable
from tests.net.hostile import ANSWERS, FOR_THEIR_ADDRESS, FOR_THEIR_FORM
from tests.net.sites import reply, serving


@pytest.mark.parametrize("text", FOR_THEIR_FORM)
async def test_malformed_urls_and_other_schemes_are_refused(text: str, closed: Guard, connects: list[str]) -> None:
    async with serving(reply()) as site:
        with pytest.raises(BadUrl) as caught:
            await Fetcher(closed)(text.replace("{port}", str(site.port)), 100)
    assert "secret" not in caught.value.reason
    assert (connects, site.connections) == ([], 0)


@pytest.mark.parametrize("text", FOR_THEIR_ADDRESS)
async def test_hosts_that_are_not_public_are_refused(text: str, closed: Guard, connects: list[str]) -> None:
    async with serving(reply()) as site:
        with pytest.raises(Unreachable) as caught:
            await Fetcher(closed)(text.replace("{port}", str(site.port)), 100)
    assert caught.value.reason == "the host has no public address"
    assert (connects, site.connections) == ([], 0)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
async def test_names_with_any_address_that_is_not_public_are_refused(answer: list[str], connects: list[str]) -> None:
    guard = Guard(lookup=lambda name: answer)
    for attempt in (Fetcher(guard)("https://files.example/", 100), guard.check("https://files.example/")):
        with pytest.raises(Unreachable) as caught:
            await attempt
        # The same words as for a name that does not exist: no map of the inside.
        assert caught.value.reason == "the host has no public address"
    assert connects == []


async def test_a_name_that_does_not_exist_is_refused() -> None:
    def fail(name: str) -> list[str]:
        raise OSError("Name or service not known")

    with pytest.raises(Unreachable, match="no public address"):
        await Fetcher(Guard(lookup=fail))("https://files.example/", 100)
