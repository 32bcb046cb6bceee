"""The host of a URL in the one way of writing it that everybody reads alike."""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address

import idna

from serve_app.net.outcome import BadUrl, no_public_address

_MAX_CHARACTERS = 253
_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


def plain_name(text: str) -> str:
    """A name in lower-case ASCII without a final dot, or an IPv4 address in four decimal numbers.

    BadUrl for what is no name; Unreachable for an address in another notation (`127.1`, `0x7f.1`, `2130706433`): every
    library reads those in its own way, and nobody needs them.
    """
    name = _ascii(text).lower().removesuffix(".")
    if len(name) > _MAX_CHARACTERS or not _NAME.fullmatch(name):
        raise malformed_host()
    # The rule of browsers: a host that ends in a number is an address.
    if _NUMBER.fullmatch(name.rpartition(".")[2]) and not _is_dotted_quad(name):
        raise no_public_address()
    return name


def plain_ipv6(text: str) -> str:
    """An IPv6 address, without its brackets, in its shortest form. BadUrl for what is none."""
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
    """For a host that is neither a name nor an address."""
    return BadUrl("has a malformed host")


def _ascii(text: str) -> str:
    """As browsers do it: wide digits, ligatures and other dots become what they mean before anything is judged."""
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
