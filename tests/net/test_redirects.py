"""Every step of a redirect is judged as the first one was."""

import ssl

import pytest

from serve_app.net.fetch import Fetcher
from serve_app.net.outcome import Unreachable
from tests.net.sites import redirect, reply, serving

HOSTILE = [
    "https://127.0.0.2/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "https://127.2/",
    "//0x7f.2/",
    "https://user:secret@files.example/",
    "http://8.8.8.8/",
    "http://169.254.169.254/",
    "ftp://files.example/",
    "file:///etc/passwd",
    "data:text/html,x",
    "https://files.example\\@127.0.0.2/",
    "https://[::1/",
    "https://a b.example/",
]


async def test_three_redirects_are_followed(fetch: Fetcher, server_tls: ssl.SSLContext) -> None:
    steps = (redirect("2"), redirect("/d/3"), reply(status="308 Moved", Location="/d/last.pdf?x"), reply(b"file"))
    async with serving(*steps, tls=server_tls) as site:
        fetched = await fetch(site.url("/d/1"), 100)
    assert (fetched.data, fetched.name) == (b"file", "last.pdf")
    assert [head.split()[1] for head in site.requests] == ["/d/1", "/d/2", "/d/3", "/d/last.pdf?x"]


@pytest.mark.parametrize("status", ["301 a", "302 b", "303 c", "307 d", "308 e"])
async def test_every_kind_of_redirect_is_followed(fetch: Fetcher, server_tls: ssl.SSLContext, status: str) -> None:
    async with serving(reply(status=status, Location="/b"), reply(b"file"), tls=server_tls) as site:
        assert (await fetch(site.url(), 100)).data == b"file"


async def test_a_fourth_redirect_is_not(fetch: Fetcher, server_tls: ssl.SSLContext) -> None:
    async with serving(*[redirect("/again")] * 4, reply(b"file"), tls=server_tls) as site:
        with pytest.raises(Unreachable, match="more than 3 times"):
            await fetch(site.url(), 100)
    assert len(site.requests) == 4


@pytest.mark.parametrize("location", HOSTILE)
async def test_redirects_out_of_bounds_are_not_followed(
    fetch: Fetcher, server_tls: ssl.SSLContext, connects: list[str], location: str
) -> None:
    async with serving(redirect(location), tls=server_tls) as site:
        with pytest.raises(Unreachable) as caught:
            await fetch(site.url(), 100)
    assert "secret" not in caught.value.reason
    assert (connects, site.connections) == (["127.0.0.1"], 1)


async def test_cookies_are_not_kept(fetch: Fetcher, server_tls: ssl.SSLContext) -> None:
    first = reply(status="302 Found", Location="/b", Set_Cookie="session=1; Path=/")
    async with serving(first, reply(b"file"), tls=server_tls) as site:
        await fetch(site.url(), 100)
    assert "cookie" not in site.requests[1].lower()
