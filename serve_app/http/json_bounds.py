"""JSON from callers, parsed in bounded time.

A parser takes a hundred times longer for a megabyte of brackets than for one text of that size, and holds the
interpreter meanwhile: 22 MB of `[],[],` stopped everything else in the process for eight seconds. So the number of
values is limited before anything is parsed.
"""

import json
from functools import cache
from typing import Any

import msgspec

from serve_app.http.errors import InvalidBody
from serve_app.system.pieces import pieces_of

MOST_VALUES = 20_000
"""Values and names in a body; commas and brackets inside of texts count, too."""
_MOST_BYTES = 256 * 1024
"""Of a member that is not a text."""
_MARKS = (b",", b"[", b"{")


def check_values(body: bytes) -> None:
    """Raises InvalidBody for more than `MOST_VALUES`. Takes a few milliseconds for 20 MB."""
    left = MOST_VALUES
    for piece in pieces_of(body):
        left -= sum(piece.count(mark) for mark in _MARKS)
        if left < 0:
            raise InvalidBody(f"The JSON body has more than {MOST_VALUES} values.")


def members_of(body: bytes, *names: str) -> dict[str, Any]:
    """These members of a JSON object, None for those that it does not have. Texts may be of any length; other members
    are limited. What else the object contains is skipped without being decoded. Raises InvalidBody."""
    try:
        found = _decoder(names).decode(body)
    except (ValueError, RecursionError):
        raise InvalidBody("The body is not the expected JSON object.") from None
    return {name: _value(bytes(getattr(found, name))) for name in names}


@cache
def _decoder(names: tuple[str, ...]) -> "msgspec.json.Decoder[Any]":
    fields = [(name, msgspec.Raw, msgspec.Raw(b"null")) for name in names]
    return msgspec.json.Decoder(msgspec.defstruct("Members", fields))


def _value(text: bytes) -> Any:
    if not text.startswith(b'"'):
        if len(text) > _MOST_BYTES:
            raise InvalidBody("A member of the JSON object is too long.")
        check_values(text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidBody("The body is not the expected JSON object.") from None
