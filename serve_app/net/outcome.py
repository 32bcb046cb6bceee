"""The outcome of a fetch: the file, or one of three errors. Their reasons are for the user who gave the URL: in plain
words, and without details of the internal network."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file from a server. `name` and `content_type` are the server's claims and must be checked."""

    data: bytes
    name: str | None
    content_type: str


class BadUrl(Exception):
    """A URL that is refused as written. `reason` continues a sentence that starts with the URL's name, such as "must
    begin with https://"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreachable(Exception):
    """A URL that yields no result. `reason` follows a colon, such as "the server answered with status 404"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TooLarge(Exception):
    """A file larger than the limit."""


def not_https() -> BadUrl:
    """The error for every scheme except https."""
    return BadUrl("must begin with https://")


def no_public_address() -> Unreachable:
    """The error for an unknown host and for a non-public one: telling them apart would reveal the internal network."""
    return Unreachable("the host has no public address")


def too_long() -> Unreachable:
    """The error for an answer of more bytes than are accepted."""
    return Unreachable("the server's response is too long")
