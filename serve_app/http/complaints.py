"""Messages about invalid input, for the caller. None is the validation library's own."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from serve_app.domain.plain_text import one_line, shortened

# The library prepends this to the messages of our own validators.
_PREFIX = "Value error, "
_PARAM_LENGTH = 100
_PLACE = re.compile(r"line (\d+) column (\d+)")
# By the library's type of error; the names in braces are those of its context.
_PHRASES: Mapping[str, str] = {
    "missing": "is required",
    "extra_forbidden": "is unknown; remove it",
    "string_type": "must be text",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must match the pattern {pattern}",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "enum": "must be {expected}",
    "literal_error": "must be {expected}",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
}
_ELSE = "has a value that is not allowed"


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with a request. `param` is the path of the value, with dots; None if it is the whole body."""

    param: str | None
    message: str


def complaint_of(found: Sequence[Any], *, in_parts: int = 0) -> Complaint:
    """The first validation error, with its location without the first `in_parts` parts. The message never contains the
    value, which may be long or secret."""
    first = found[0]
    name = ".".join(str(part) for part in first["loc"][in_parts:])
    param = shortened(one_line(name), _PARAM_LENGTH) or None
    return Complaint(param, _message(first, param))


def _message(error: Mapping[str, Any], param: str | None) -> str:
    if error["type"] == "value_error":
        text = str(error["msg"]).removeprefix(_PREFIX)
        return text if param is None else f"{param}: {text}"
    phrase = _phrase(error)
    return f"The body {phrase}." if param is None else f"{param}: {phrase}"


def _phrase(error: Mapping[str, Any]) -> str:
    if error["type"] == "json_invalid":
        place = _PLACE.search(str(error["msg"]))
        return "is not valid JSON" + (f" at line {place[1]}, column {place[2]}" if place else "")
    return _PHRASES.get(error["type"], _ELSE).format_map(error.get("ctx") or {})
