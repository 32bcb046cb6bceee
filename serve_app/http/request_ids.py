"""Request ids: the caller's own if it is safe to log and send back."""

import re
from uuid import uuid4

HEADER = b"x-request-id"
_SAFE = re.compile(rb"[A-Za-z0-9._~:/+=@-]{1,128}")


def is_safe(id: bytes) -> bool:
    """Whether the id has 1 to 128 characters, none of them special to logs or terminals."""
    return _SAFE.fullmatch(id) is not None


def request_id_of(headers: list[tuple[bytes, bytes]]) -> str:
    """The first id in a request's headers; a new one if there is none or it is not safe."""
    own = next((value for name, value in headers if name.lower() == HEADER), b"")
    return own.decode() if is_safe(own) else uuid4().hex
