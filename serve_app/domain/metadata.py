"""What an account notes about its own invoices: keys and texts that the service stores and never interprets."""

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

MAX_KEYS = 20
KEY_LENGTH = 40
VALUE_LENGTH = 500
"""In characters."""


def _checked(value: Any) -> Any:
    """Messages of our own: they name no key that is too long, and tell the limit."""
    if not isinstance(value, dict):
        raise ValueError("must be an object whose values are text")
    if len(value) > MAX_KEYS:
        raise ValueError(f"has {len(value)} keys; at most {MAX_KEYS} are allowed")
    for key, text in value.items():
        if not isinstance(key, str) or not 1 <= len(key) <= KEY_LENGTH:
            raise ValueError(f"a key must have 1 to {KEY_LENGTH} characters")
        if not isinstance(text, str):
            raise ValueError(f"the value of {key!r} must be text")
        if len(text) > VALUE_LENGTH:
            raise ValueError(f"the value of {key!r} must have at most {VALUE_LENGTH} characters")
    return value


Metadata = Annotated[
    dict[str, str],
    BeforeValidator(_checked),
    WithJsonSchema(
        {
            "type": "object",
            "maxProperties": MAX_KEYS,
            "propertyNames": {"minLength": 1, "maxLength": KEY_LENGTH},
            "additionalProperties": {"type": "string", "maxLength": VALUE_LENGTH},
        }
    ),
]
