"""The host of a URL in a canonical notation that all parsers interpret alike."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

import idna

from serve_app.net.outcome import BadUrl, no_public_address

_MAX_CHARACTERS = 253
_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def plain_name(text: str) -> str:
    """A name in lower-case ASCII without a trailing dot, or an IPv4 address as four decimal numbers.

    Raises BadUrl for anything that is not a name; Unreachable for an address in another notation (`127.1`, `0x7f.1`,
    `2130706433`): libraries interpret those differently, and no user needs them.
    """
    name = _ascii(text).lower().removesuffix(".")
    if len(name) > _MAX_CHARACTERS or not _NAME.fullmatch(name):
        raise malformed_host()
    # As in browsers, a host that ends in a number is an address.
    if _NUMBER.fullmatch(name.rpartition(".")[2]) and not _is_dotted_quad(name):
        raise no_public_address()
    return name


def plain_ipv6(text: str) -> str:
    """An IPv6 address, without brackets, in its shortest form. Raises BadUrl if it is not one."""
    try:
        return str(IPv6Address(text))
    except ValueError:
        raise malformed_host() from None


def is_address(host: str) -> bool:
    """Whether a host is an address, not a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def malformed_host() -> BadUrl:
    """The error for a host that is neither a name nor an address."""
    return BadUrl("has a malformed host")


def _ascii(text: str) -> str:
    """Like browsers, maps full-width digits, ligatures and alternative dots to plain characters before any check."""
    if text.isascii():
        return text
    if len(text) > _MAX_CHARACTERS:
        raise malformed_host()
    try:
        return idna.encode(text, uts46=True).decode("ascii")
    except UnicodeError:
        raise malformed_host() from None


def _is_dotted_quad(name: str) -> bool:
    try:
        return str(IPv4Address(name)) == name
    except ValueError:
        return False
