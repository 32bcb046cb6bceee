"""The `Idempotency-Key` header."""

from typing import Annotated

from fastapi import Depends, Header

from serve_app.domain.errors import InvalidParameter
from serve_app.http.dependencies import AnyCaller

_LONGEST = 255


async def get_key(
    _caller: AnyCaller,
    idempotency_key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            json_schema_extra={"minLength": 1, "maxLength": 255},
            description="A create call repeated with the same key within 24 h gets the first response again.",
        ),
    ] = None,
) -> str | None:
    """The key, checked after the API key. Raises InvalidParameter if it is empty or too long."""
    if idempotency_key is None:
        return None
    key = _decoded(idempotency_key)
    if not 1 <= len(key) <= _LONGEST:
        raise InvalidParameter(f"Idempotency-Key: must have 1 to {_LONGEST} characters.", "Idempotency-Key")
    return key


def _decoded(header: str) -> str:
    """The framework decodes headers as Latin-1, but most clients send UTF-8, with several bytes for some characters."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeDecodeError:
        return header


IdempotencyKey = Annotated[str | None, Depends(get_key)]
