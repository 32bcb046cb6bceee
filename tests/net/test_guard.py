"""A session of the guard connects to what was checked, and to nothing else."""

from collections.abc import Callable
from ipaddress import ip_network

import pytest
from aiohttp import ClientConnectorError

from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.net.lookups import look_up
from serve_app.net.outcome import BadUrl, Unreachable
from tests.net.sites import reply, serving

Lookups = Callable[..., Callable[[str], list[str]]]
PUBLIC = "8.8.8.8"


async def test_the_checked_address_is_the_one_connected_to(lookups: Lookups, connects: list[str]) -> None:
    # A second lookup would fail: there is none between the check and the connection.
    with pytest.raises(Unreachable, match="no connection"):
        await Fetcher(Guard(lookup=lookups([PUBLIC, PUBLIC])))("https://files.example/", 100)
    assert connects == [PUBLIC]


async def test_a_name_that_changes_after_its_check_is_refused(lookups: Lookups, connects: list[str]) -> None:
    guard = Guard(lookup=lookups([PUBLIC], ["127.0.0.1"]))
    url = await guard.check("https://hooks.example/")
    with pytest.raises(Unreachable, match="no public address"):
        async with guard.session(url) as session:
            await session.post(url, data=b"{}", allow_redirects=False)
    assert connects == []


async def test_public_addresses_pass_the_check(lookups: Lookups, connects: list[str]) -> None:
    guard = Guard(lookup=lookups([PUBLIC]))
    assert str(await guard.check("https://hooks.example")) == "https://hooks.example/"
    assert str(await guard.check(f"https://{PUBLIC}/")) == f"https://{PUBLIC}/"
    assert connects == []


async def test_a_session_refuses_an_address_that_came_past_the_checks(closed: Guard, connects: list[str]) -> None:
    url = closed.url("https://files.example/")
    async with serving(reply()) as site, closed.session(url) as session:
        with pytest.raises(ClientConnectorError):
            await session.get(f"http://127.0.0.1:{site.port}/")
    assert (connects, site.connections) == ([], 0)


async def test_the_environment_names_no_proxy(
    lookups: Lookups, connects: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(reply()) as site:
        for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{site.port}")
        with pytest.raises(Unreachable):
            await Fetcher(Guard(lookup=lookups([PUBLIC])))("https://files.example/", 100)
    assert (connects, site.connections) == ([PUBLIC], 0)


async def test_plain_http_reaches_opened_networks(opened: Guard) -> None:
    async with serving(reply(b"file")) as site:
        for host in ("127.0.0.1", "files.example"):
            assert (await Fetcher(opened)(site.url(scheme="http", host=host), 100)).data == b"file"


@pytest.mark.parametrize("text", ["http://8.8.8.8/", "http://public.example/"])
async def test_plain_http_reaches_nothing_else(text: str, connects: list[str]) -> None:
    guard = Guard([ip_network("10.0.0.0/8")], lookup=lambda name: [PUBLIC])
    for attempt in (Fetcher(guard)(text, 100), guard.check(text)):
        with pytest.raises(BadUrl, match="https"):
            await attempt
    assert connects == []


def test_the_systems_own_names_are_looked_up() -> None:
    assert "127.0.0.1" in look_up("localhost")
