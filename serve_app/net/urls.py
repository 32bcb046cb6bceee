"""Parses and normalizes URLs for connections. Pure: no name lookups."""

import re
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from yarl import URL

from serve_app.net.hosts import malformed_host, plain_ipv6, plain_name
from serve_app.net.outcome import BadUrl, not_https

_MAX_CHARACTERS = 8000
_MAX_PORT = 65535
# No credentials, no percent-encoding and no IPv6 zones: none of them is part of a public host.
_AUTHORITY = re.compile(r"(\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^][@:%]+))(:(?P<port>[0-9]{0,5}))?")
# Characters left unescaped in a path or query: re-escaping them would break signed links.
_SAFE = "!$%&'()*+,/:;=?@[]~"


def parse(text: str) -> URL:
    """The URL with its host in canonical notation and without its fragment. The scheme is `https` or `http`; the caller
    decides whether `http` is allowed.

    Raises BadUrl for any other scheme, credentials or malformed input; Unreachable for an address in an unusual
    notation.
    """
    parts = _split(text)
    if parts.scheme not in ("https", "http"):
        raise not_https()
    if "@" in parts.netloc:
        raise BadUrl("must not contain credentials")
    query = f"?{quote(parts.query, _SAFE)}" if parts.query else ""
    return URL(f"{parts.scheme}://{_authority(parts.netloc)}{quote(parts.path or '/', _SAFE)}{query}", encoded=True)


def follow(base: URL, location: str) -> URL:
    """The target of a redirect: `location`, as sent by the server at `base`. Raises errors as `parse` does."""
    _check(location)
    try:
        return parse(urljoin(str(base), location))
    except ValueError:
        raise _malformed() from None


def _split(text: str) -> SplitResult:
    _check(text)
    try:
        return urlsplit(text)
    except ValueError:
        raise _malformed() from None


def _check(text: str) -> None:
    """Refuse what parsers interpret differently or silently drop: spaces, line breaks, invisible characters and
    backslashes."""
    if not text.isprintable() or " " in text or "\\" in text:
        raise BadUrl("must not contain spaces, control characters or backslashes")
    if len(text) > _MAX_CHARACTERS:
        raise BadUrl(f"must not be longer than {_MAX_CHARACTERS} characters")


def _authority(text: str) -> str:
    match = _AUTHORITY.fullmatch(text)
    if match is None:
        raise malformed_host()
    host = plain_name(match["name"]) if match["name"] else f"[{plain_ipv6(match['six'])}]"
    if not match["port"]:
        return host
    port = int(match["port"])
    if not 1 <= port <= _MAX_PORT:
        raise BadUrl("has a port that does not exist")
    return f"{host}:{port}"


def _malformed() -> BadUrl:
    return BadUrl("is malformed")
