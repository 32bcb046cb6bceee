"""The `Idempotency-Key` header."""

from typing import Annotated

from fastapi import Depends, Header

from serve_app.api.dependencies import AnyCaller
from serve_app.domain import errors

_LONGEST = 255


async def get_key(
    _caller: AnyCaller,
    idempotency_key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            json_schema_extra={"minLength": 1, "maxLength": 255},
            description="Repeating a create call with the same key within 24 h gives the first answer again.",
        ),
    ] = None,
) -> str | None:
    """The key, looked at after the API key. ServiceError 400 `invalid_parameter` where it is empty or too long."""
    if idempotency_key is not None and not 1 <= len(idempotency_key) <= _LONGEST:
        raise errors.invalid_parameter(f"Idempotency-Key: must have 1 to {_LONGEST} characters.")
    return idempotency_key


IdempotencyKey = Annotated[str | None, Depends(get_key)]
