"""What comes of fetching: the file, or one of three errors. Their reasons are for whoever gave the URL: in plain words,
and silent about this side of the network."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file from a server. `name` and `content_type` are what the server calls it: claims, to be checked."""

    data: bytes
    name: str | None
    content_type: str


class BadUrl(Exception):
    """A URL that is refused for what it is. `reason` follows on its name, as "must begin with https://"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreachable(Exception):
    """A URL that leads to nothing. `reason` follows on a colon, as "the server answered with status 404"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TooLarge(Exception):
    """A file over the limit."""


def not_https() -> BadUrl:
    """For every scheme but https."""
    return BadUrl("must begin with https://")


def no_public_address() -> Unreachable:
    """For a host that is unknown and for one that is not public alike: the difference would be a map of the inside."""
    return Unreachable("the host has no public address")
