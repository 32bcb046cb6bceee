"""Messages about invalid input, for the caller."""

from collections.abc import Sequence
from typing import Any

# The library prepends this to the messages of our own validators.
_PREFIX = "Value error, "


def complaint_of(found: Sequence[Any], *, in_parts: int = 0) -> str:
    """The first validation error as a message, prefixed with its location without the first `in_parts` parts. The
    message never contains the value, which may be long or secret."""
    name = ".".join(str(part) for part in found[0]["loc"][in_parts:])
    said = str(found[0]["msg"]).removeprefix(_PREFIX)
    return f"{name}: {said}" if name else said
