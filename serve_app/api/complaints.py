"""What is wrong with an input, in words for the caller."""

from collections.abc import Sequence
from typing import Any

# The library puts it before the words of checks of our own.
_PREFIX = "Value error, "


def complaint_of(found: Sequence[Any], *, in_parts: int = 0) -> str:
    """The first of a validation's errors, by the place it is about, without the `in_parts` first parts of that place;
    never the value itself, which may be long or secret."""
    name = ".".join(str(part) for part in found[0]["loc"][in_parts:])
    said = str(found[0]["msg"]).removeprefix(_PREFIX)
    return f"{name}: {said}" if name else said
