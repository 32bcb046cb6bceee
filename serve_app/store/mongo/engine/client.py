"""From a URL to a client, with settings that make writes durable."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from motor.motor_asyncio import AsyncIOMotorClient
from pymongo.errors import PyMongoError

from serve_app.domain.user_error import UserError
from serve_app.store.mongo import CONNECTIONS

DEFAULT_NAME = "invoices"
_CALL_MS = 5000
# Options in the URL take precedence. A write is confirmed once it is in the journals of a majority of the members. The
# timeouts are for work at length only: a call has one deadline for all that it waits for (`Database`).
_DEFAULTS: dict[str, Any] = {
    "w": "majority",
    "journal": True,
    "wtimeoutms": 8_000,
    "serverselectiontimeoutms": 5_000,
    "connecttimeoutms": 5_000,
    "sockettimeoutms": 10_000,
    "waitqueuetimeoutms": 5_000,
    "maxpoolsize": CONNECTIONS,
    "appname": "invoices",
}


def open_client(url: str) -> Any:
    """A client that connects on first use. Raises UserError, which never shows the URL, if it is not a MongoDB URL."""
    named = _options(url)
    if "j" in named:
        # The driver would ignore it, and the default would apply.
        raise UserError("the option j of the MongoDB URL is called journal")
    options = {name: value for name, value in _DEFAULTS.items() if name not in named}
    with _without_url():
        # Only the primary has the latest writes.
        return AsyncIOMotorClient(
            url, tz_aware=True, uuidRepresentation="standard", readPreference="primary", timeoutMS=None, **options
        )


def database_name(url: str) -> str:
    """The path of the URL, or the default."""
    return unquote(urlsplit(url).path.strip("/")) or DEFAULT_NAME


def url_beside(url: str, suffix: str) -> str:
    """The URL of another database on the same server, whose name ends with `suffix`, with the same user."""
    parts, name = urlsplit(url), database_name(url)
    options = [parts.query] if parts.query else []
    if parts.scheme == "mongodb" and parts.username and not {"authsource", "authmechanism"} & _options(url).keys():
        # Where MongoDB looks for the user by default, which the other name would change.
        options.append(f"authSource={quote(name, safe='') if parts.path.strip('/') else 'admin'}")
    return parts._replace(path=f"/{quote(name + suffix, safe='')}", query="&".join(options)).geturl()


def call_seconds(url: str) -> float:
    """How long a call may take: the URL's `timeoutMS`, or the default. Raises UserError, which never shows the URL."""
    with _without_url():
        milliseconds = int(_options(url).get("timeoutms", _CALL_MS))
        if milliseconds <= 0:
            raise ValueError
    return milliseconds / 1000


def _options(url: str) -> dict[str, str]:
    with _without_url():
        return {name.lower(): value for name, value in parse_qsl(urlsplit(url).query)}


@contextmanager
def _without_url() -> Iterator[None]:
    """Replaces errors of the URL parsers, which quote parts of the URL."""
    try:
        yield
    except (PyMongoError, ValueError):
        raise UserError("not a valid MongoDB URL: mongodb://[user:password@]host[:port][/database][?options]") from None
