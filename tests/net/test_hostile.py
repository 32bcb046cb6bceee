"""What leads anywhere but to the internet is refused, and nothing is connected to."""

import pytest

from serve_app.net.fetch import Fetcher
from serve_app.net.guard import Guard
from serve_app.net.outcome import BadUrl, Unreachable
from tests.net.sites import reply, serving

FOR_THEIR_FORM = [
    "http://files.example/a.pdf",
    "http://127.0.0.1:{port}/",
    "ftp://files.example/a.pdf",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/_GET",
    "data:application/pdf,x",
    "javascript:alert(1)",
    "//127.0.0.1:{port}/",
    "127.0.0.1:{port}",
    "",
    "https://",
    "https:///127.0.0.1",
    "https:127.0.0.1:{port}",
    "https://user:secret@127.0.0.1:{port}/",
    "https://files.example@127.0.0.1:{port}/",
    "https://files.example:443@127.0.0.1:{port}/",
    "https://@127.0.0.1:{port}/",
    "https://127.0.0.1:{port}\\@files.example/",
    "https://files.example\\.127.0.0.1:{port}/",
    "https:\\\\127.0.0.1:{port}\\",
    " https://127.0.0.1:{port}/",
    "https://127.0.0.1:{port}/\r\nHost: files.example",
    "https://127.0.0.1\t:{port}/",
    "https://127.0.0.1\x00.files.example/",
    "https://127.0.0.1\u200b:{port}/",
    "https://127.0.0.1\u2028:{port}/",
    "https://%31%32%37.0.0.1:{port}/",
    "https://127.0.0.1%2efiles.example/",
    "https://[::1%25lo]:{port}/",
    "https://[fe80::1%eth0]/",
    "https://[::1:{port}/",
    "https://::1:{port}/",
    "https://[127.0.0.1]:{port}/",
    "https://[::ffff:7f.0.0.1]/",
    "https://[v1.127]/",
    "https://[::1].files.example/",
    "https://127.0.0.1:{port}:443/",
    "https://127.0.0.1:99999/",
    "https://127.0.0.1:٣٣/",
    "https://127.0.0.1:-1/",
    "https://a..example/",
    "https://.127.0.0.1/",
    "https://127.0.0.1../",
    "https://files.example\uff0f127.0.0.1/",
    "https://" + 300 * "a" + "/",
]
FOR_THEIR_ADDRESS = [
    "https://127.0.0.1:{port}/",
    "https://127.0.0.1.:{port}/",
    "https://127.1:{port}/",
    "https://127.0.1:{port}/",
    "https://0x7f.1:{port}/",
    "https://0X7F.0.0.0X1:{port}/",
    "https://0x7f000001:{port}/",
    "https://0177.0.0.01:{port}/",
    "https://017700000001:{port}/",
    "https://2130706433:{port}/",
    "https://127.000.000.001:{port}/",
    "https://0:{port}/",
    "https://0.0.0.0:{port}/",
    "https://0x:{port}/",
    "https://256.0.0.1/",
    "https://127.0.0.1.1/",
    "https://１２７.0.0.1:{port}/",
    "https://①②⑦.⓪.⓪.①:{port}/",
    "https://127。0。0。1:{port}/",
    "https://0ⓧ7f.1:{port}/",
    "https://[::1]:{port}/",
    "https://[0:0:0:0:0:0:0:1]:{port}/",
    "https://[::]:{port}/",
    "https://[::127.0.0.1]:{port}/",
    "https://[::ffff:127.0.0.1]:{port}/",
    "https://[::FFFF:7F00:1]:{port}/",
    "https://[64:ff9b::7f00:1]:{port}/",
    "https://[64:ff9b:1::8.8.8.8]/",
    "https://[2002:7f00:1::]:{port}/",
    "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "https://[fe80::1]/",
    "https://[fec0::1]/",
    "https://[fd00:ec2::254]/latest/meta-data/",
    "https://169.254.169.254/latest/meta-data/",
    "https://2852039166/latest/meta-data/",
    "https://[::ffff:a9fe:a9fe]/latest/meta-data/",
    "https://100.100.100.200/latest/meta-data/",
    "https://192.0.0.192/",
    "https://168.63.129.16/",
    "https://10.0.0.1/",
    "https://172.16.0.1/",
    "https://192.168.0.1/",
    "https://100.64.0.1/",
    "https://255.255.255.255/",
    "https://224.0.0.1/",
    # Names, which all lead to 127.0.0.1 here.
    "https://localhost:{port}/",
    "https://LOCALHOST.:{port}/",
    "https://ⓛⓞⓒⓐⓛhost:{port}/",
    "https://127.0.0.1.nip.example:{port}/",
    "https://files.example:{port}/#@public.example",
]
ANSWERS = [
    [],
    ["127.0.0.1"],
    ["0.0.0.0"],  # noqa: S104 - an answer of a name server
    ["10.0.0.5"],
    ["169.254.169.254"],
    ["100.100.100.200"],
    ["168.63.129.16"],
    ["::1"],
    ["::"],
    ["::ffff:127.0.0.1"],
    ["::ffff:10.0.0.1"],
    ["::127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["64:ff9b:1::a00:1"],
    ["2002:a00:1::"],
    ["fd00:ec2::254"],
    ["fe80::1%2"],
    ["ff02::1"],
    ["8.8.8.8", "127.0.0.1"],
    ["127.0.0.1", "8.8.8.8"],
    ["2001:4860:4860::8888", "10.0.0.1"],
    ["8.8.8.8", "::1"],
    ["8.8.8.8", "not an address"],
]


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
