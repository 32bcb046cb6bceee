"""Sessions of the web application."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


@dataclass(frozen=True, slots=True)
class WebSession:
    """A signed-in browser. `hash` is the SHA-256 of its cookie's value in hexadecimal; the value is not stored."""

    hash: str
    account_id: UUID
    created_at: datetime
    expires_at: datetime
