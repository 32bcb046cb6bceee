"""With a forward proxy, everything to the outside goes through it, to addresses that were checked here."""

import logging
import ssl
from base64 import b64encode
from collections.abc import Callable
from ipaddress import ip_network

import pytest

from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.net.outcome import Unreachable
from serve_app.net.post import HttpPoster
from serve_app.net.proxy import parse_proxy
from tests.net.hostile import ANSWERS, FOR_THEIR_ADDRESS, FOR_THEIR_FORM
from tests.net.proxying import proxying
from tests.net.sites import redirect, reply, serving

PUBLIC = "93.184.215.14"
PUBLIC_SIX = "2606:4700::1111"
URL = "https://files.example:8443/a.pdf"


async def test_a_file_is_fetched_through_the_proxy_from_the_address_that_was_checked(
    client_tls: ssl.SSLContext, server_tls: ssl.SSLContext, connects: list[str]
) -> None:
    async with serving(reply(b"%PDF"), tls=server_tls) as site, proxying(site.port) as seen:
        guard = Guard(proxy=seen.proxy("user:pass%40word@"), tls=client_tls, lookup=lambda name: [PUBLIC])
        assert (await Fetcher(guard)(URL, 100)).data == b"%PDF"
    assert seen.targets == [f"{PUBLIC}:8443"]
    assert f"Proxy-Authorization: Basic {b64encode(b'user:pass@word').decode()}" in seen.heads[0]
    (request,) = site.requests
    assert request.startswith("GET /a.pdf HTTP/1.1")
    assert "Host: files.example:8443" in request
    # The server gets nothing that is the proxy's.
    assert "Proxy" not in request
    assert set(connects) == {"127.0.0.1"}


async def test_webhooks_go_through_it_and_keep_their_connection(
    client_tls: ssl.SSLContext, server_tls: ssl.SSLContext
) -> None:
    async with serving(reply(), tls=server_tls) as site, proxying(site.port) as seen:
        guard = Guard(proxy=seen.proxy(), tls=client_tls, lookup=lambda name: [PUBLIC])
        async with HttpPoster(guard).open(URL) as line:
            answers = [await line.post({"webhook-id": "evt_1"}, b"{}") for _ in range(2)]
    # The sites of these tests close after each answer: the second post got a tunnel of its own.
    assert [answer.status for answer in answers] == [200, 200]
    assert seen.targets == [f"{PUBLIC}:8443"] * 2
    assert "Proxy-Authorization" not in seen.heads[0]


async def test_every_redirect_is_checked_and_tunnelled_again(
    client_tls: ssl.SSLContext, server_tls: ssl.SSLContext
) -> None:
    async with (
        serving(redirect("https://files.example/b.pdf"), redirect("https://inside.example/"), tls=server_tls) as site,
        proxying(site.port) as seen,
    ):
        names = {"files.example": [PUBLIC], "inside.example": ["10.0.0.7"]}
        guard = Guard(proxy=seen.proxy(), tls=client_tls, lookup=lambda name: names[name])
        with pytest.raises(Unreachable, match="no public address"):
            await Fetcher(guard)(URL, 100)
    assert seen.targets == [f"{PUBLIC}:8443", f"{PUBLIC}:443"]


@pytest.mark.parametrize("text", FOR_THEIR_FORM + FOR_THEIR_ADDRESS)
async def test_hostile_urls_reach_neither_a_server_nor_the_proxy(text: str, connects: list[str]) -> None:
    async with proxying(1) as seen:
        guard = Guard(proxy=seen.proxy(), lookup=lambda name: ["127.0.0.1"])
        async with HttpPoster(guard).open(text.replace("{port}", "443")) as line:
            assert (await line.post({}, b"{}")).status is None
    assert (seen.heads, connects) == ([], [])


@pytest.mark.parametrize("addresses", ANSWERS, ids=str)
async def test_names_that_lead_inside_are_not_sent_to_the_proxy(addresses: list[str], connects: list[str]) -> None:
    async with proxying(1) as seen:
        guard = Guard(proxy=seen.proxy(), lookup=lambda name: addresses)
        async with HttpPoster(guard).open("https://files.example/") as line:
            answer = await line.post({}, b"{}")
    assert answer.error == "the host has no public address"
    assert (seen.heads, connects) == ([], [])


async def test_a_name_that_turns_inside_is_not_followed(
    client_tls: ssl.SSLContext, server_tls: ssl.SSLContext, lookups: Callable[..., Callable[[str], list[str]]]
) -> None:
    async with serving(reply(), tls=server_tls) as site, proxying(site.port) as seen:
        guard = Guard(proxy=seen.proxy(), tls=client_tls, lookup=lookups([PUBLIC], [PUBLIC], ["10.0.0.1"]))
        await guard.check(URL)
        async with HttpPoster(guard).open(URL) as line:
            answers = [await line.post({}, b"{}") for _ in range(2)]
    assert [answer.error for answer in answers] == [None, "the host has no public address"]
    assert len(seen.heads) == 1


async def test_the_proxys_own_name_is_no_way_inside(connects: list[str]) -> None:
    async with proxying(1) as seen:
        guard = Guard(proxy=seen.proxy(host="proxy.example"), lookup=lambda name: ["127.0.0.1"])
        for host in ("proxy.example", "127.0.0.1"):
            async with HttpPoster(guard).open(f"https://{host}:{seen.port}/") as line:
                assert (await line.post({}, b"{}")).error == "the host has no public address"
    assert (seen.heads, connects) == ([], [])


async def test_a_proxy_is_found_by_its_name(client_tls: ssl.SSLContext, server_tls: ssl.SSLContext) -> None:
    names = {"proxy.example": ["127.0.0.1"], "files.example": [PUBLIC]}
    async with serving(reply(b"1"), tls=server_tls) as site, proxying(site.port) as seen:
        guard = Guard(proxy=seen.proxy(host="proxy.example"), tls=client_tls, lookup=lambda name: names[name])
        assert (await Fetcher(guard)(URL, 100)).data == b"1"


@pytest.mark.parametrize(
    ("addresses", "target"),
    [([PUBLIC_SIX, PUBLIC], PUBLIC), ([PUBLIC_SIX], f"[{PUBLIC_SIX}]"), (["10.1.0.1", PUBLIC], PUBLIC)],
)
async def test_one_address_is_chosen(
    addresses: list[str], target: str, client_tls: ssl.SSLContext, server_tls: ssl.SSLContext
) -> None:
    async with serving(reply(b"1"), tls=server_tls) as site, proxying(site.port) as seen:
        opened = [ip_network("10.0.0.0/8")]
        guard = Guard(opened, proxy=seen.proxy(), tls=client_tls, lookup=lambda name: addresses)
        await Fetcher(guard)(URL, 100)
    assert seen.targets == [f"{target}:8443"]


async def test_opened_networks_are_reached_without_it(client_tls: ssl.SSLContext, server_tls: ssl.SSLContext) -> None:
    async with serving(reply(b"1"), tls=server_tls) as site, proxying(1) as seen:
        guard = Guard([ip_network("127.0.0.1")], proxy=seen.proxy(), tls=client_tls, lookup=lambda name: ["127.0.0.1"])
        assert (await Fetcher(guard)(site.url(), 100)).data == b"1"
    async with serving(reply(b"2")) as site:
        assert (await Fetcher(guard)(site.url(scheme="http"), 100)).data == b"2"
    assert seen.heads == []


async def test_certificates_are_checked_for_the_name_through_the_tunnel(
    client_tls: ssl.SSLContext, server_tls: ssl.SSLContext
) -> None:
    async with serving(reply(), tls=server_tls) as site, proxying(site.port) as seen:
        guard = Guard(proxy=seen.proxy(), tls=client_tls, lookup=lambda name: [PUBLIC])
        with pytest.raises(Unreachable, match="certificate is not valid"):
            await Fetcher(guard)("https://other.example/", 100)


@pytest.mark.parametrize("refusal", ["407 Proxy Authentication Required", "403 Forbidden", "502 Bad Gateway"])
async def test_a_proxy_that_refuses_is_named_without_its_credentials(
    refusal: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with proxying(1, refusal) as seen:
        guard = Guard(proxy=seen.proxy("user:sesame@"), lookup=lambda name: [PUBLIC])
        async with HttpPoster(guard).open(URL) as line:
            answer = await line.post({}, b"{}")
    assert answer.error == "the connection through this service's proxy failed"
    assert "sesame" not in caplog.text + repr(seen.proxy("user:sesame@"))


async def test_a_proxy_that_is_away_fails_the_request_and_nothing_goes_beside_it(connects: list[str]) -> None:
    guard = Guard(proxy=parse_proxy("http://127.0.0.1:9"), lookup=lambda name: [PUBLIC])
    with pytest.raises(Unreachable, match="through this service's proxy"):
        await Fetcher(guard)(URL, 100)
    assert set(connects) <= {"127.0.0.1"}


@pytest.mark.parametrize(
    "text",
    [
        "proxy.example:3128",
        "https://proxy.example:3128",
        "socks5://proxy.example:1080",
        "http://proxy.example",
        "http://:3128",
        "http://user:sesame@proxy.example:3128/path",
        "http://user:sesame@proxy.example:3128?a=b",
        "http://user:sesame@proxy.example:99999",
        "http://user:sesame@[::1:3128",
    ],
)
def test_a_malformed_proxy_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ValueError, match="must look like http://host:3128") as caught:
        parse_proxy(text)
    assert "sesame" not in str(caught.value)
