"""Only addresses of the internet are public, however they are written."""

from ipaddress import ip_address

import pytest

from serve_app.net.addresses import Access, is_public, parse_networks

SPECIAL = """
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
    168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1
    192.52.193.1 192.88.99.1 192.168.0.1 192.175.48.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
    239.255.255.250 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
    64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::169.254.169.254 64:ff9b:1::8.8.8.8 64:ff9b:1:ffff::1 100::1
    100:0:0:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::
    2002:808:808::1 2620:4f:8000::1 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254 fd20:ce::254 fe80::1 fe80::1%eth0
    fec0::1 ff02::1 ff0e::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
""".split()  # noqa: SIM905 - a list would have a line for each
PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 168.63.129.17
    169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.1 192.167.255.255 192.169.0.0 198.17.255.255
    198.20.0.0 223.255.255.255 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2001:200::1 2001:4860:4860::8888 2600::1 2a00:1450::1
""".split()  # noqa: SIM905


@pytest.mark.parametrize("text", SPECIAL)
def test_special_addresses_are_not_public(text: str) -> None:
    assert not is_public(ip_address(text))
    assert not Access().allows(text)


@pytest.mark.parametrize("text", PUBLIC)
def test_the_rest_is_public(text: str) -> None:
    assert is_public(ip_address(text))
    assert Access().allows(text)


@pytest.mark.parametrize(
    "text", ["", "localhost", "127.1", "0x7f.0.0.1", "8.8.8.8 ", "8.8.8.8/32", "[::1]", "08.8.8.8"]
)
def test_what_is_no_address_is_never_allowed(text: str) -> None:
    assert not Access(parse_networks("0.0.0.0/0, ::/0")).allows(text)


@pytest.mark.parametrize("text", ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "fd00:1::5", "192.0.2.7"])
def test_opened_networks_are_allowed_in_every_notation(text: str) -> None:
    assert Access(parse_networks("10.1.0.0/16, fd00:1::/64,192.0.2.7,")).allows(text)


@pytest.mark.parametrize("text", ["10.2.0.1", "fd00:2::5", "192.0.2.8", "127.0.0.1"])
def test_opening_a_network_opens_no_other(text: str) -> None:
    assert not Access(parse_networks("10.1.0.0/16, fd00:1::/64, 192.0.2.7")).allows(text)


def test_without_public_addresses_only_opened_networks_are_allowed() -> None:
    access = Access(parse_networks("10.1.0.0/16"), to_public=False)
    assert (access.allows("10.1.0.1"), access.allows("8.8.8.8")) == (True, False)


@pytest.mark.parametrize("text", ["10.0.0.1/8", "10.0.0.0/33", "intranet", "10.0.0.0-10.0.0.9"])
def test_a_mistake_in_the_networks_is_reported(text: str) -> None:
    with pytest.raises(ValueError, match=text.partition("/")[0]):
        parse_networks(text)


def test_no_networks_are_none() -> None:
    assert parse_networks("") == ()
