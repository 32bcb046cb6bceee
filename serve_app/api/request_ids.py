"""Ids of requests: a caller's own where it is safe to be logged and sent back."""

import re
from uuid import uuid4

HEADER = b"x-request-id"
_SAFE = re.compile(rb"[A-Za-z0-9._~:/+=@-]{1,128}")


def is_safe(id: bytes) -> bool:
    """Whether it is 1 to 128 characters that mean nothing to logs and terminals."""
    return _SAFE.fullmatch(id) is not None


def request_id_of(headers: list[tuple[bytes, bytes]]) -> str:
    """The id that a request's headers carry, the first where there are several; a new one where it is not safe."""
    own = next((value for name, value in headers if name.lower() == HEADER), b"")
    return own.decode() if is_safe(own) else uuid4().hex
