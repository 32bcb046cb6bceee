"""Browsers that are signed in to the web application."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.person import Person, Role

IDLE_LIFE = timedelta(days=14)
"""How long an unused session stays signed in."""
SESSION_LIFE = timedelta(days=90)
"""How long a session lasts at most."""
FRESH = timedelta(minutes=10)
"""How recent signing in must be for a change of keys, people or secrets."""
MAX_AGENT_LENGTH = 300
"""Characters kept of a browser's description of itself."""


@dataclass(frozen=True, slots=True)
class WebSession:
    """A signed-in browser. `hash` is the SHA-256 of its cookie's value in hexadecimal; the value is not stored. `id`
    names it in lists. `account_id` is the account that the person is looking at, if any."""

    id: UUID
    hash: str
    person_id: UUID
    account_id: UUID | None
    created_at: datetime
    seen_at: datetime
    authenticated_at: datetime
    user_agent: str

    @property
    def expires_at(self) -> datetime:
        """When it ends unless it is used again."""
        return min(self.seen_at + IDLE_LIFE, self.created_at + SESSION_LIFE)

    def is_fresh(self, now: datetime) -> bool:
        """Whether the person signed in recently."""
        return now - self.authenticated_at < FRESH


@dataclass(frozen=True, slots=True)
class Visit:
    """Who looks at a page. `account` and `role` are None if the session's account is gone, or the person no longer
    belongs to it."""

    session: WebSession
    person: Person
    account: Account | None
    role: Role | None


def new_secret() -> str:
    """256 random bits as text, for cookies and links."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """SHA-256 in hexadecimal. Only for secrets of 256 random bits, which no search finds."""
    return hashlib.sha256(secret.encode()).hexdigest()
