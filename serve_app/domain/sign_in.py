"""What proves once who somebody is. The store knows hashes only."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from serve_app.domain.session import hash_secret

LINK_LIFE = timedelta(minutes=30)
"""How long a link from a terminal can be used."""
MAIL_LIFE = timedelta(minutes=10)
"""How long the link and the code of a mail can be used."""
MAX_TRIES = 5
"""Wrong codes after which a mail is worth nothing."""
CODE_LENGTH = 6


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A link that signs one person in, once. `hash` is that of its token."""

    hash: str
    person_id: UUID
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class MailSignIn:
    """A mail with a link and a code, both for the browser that asked for it: `browser_hash` is that of the secret in
    its cookie. Without `person_id`, the address was unknown and nothing was sent."""

    browser_hash: str
    link_hash: str
    code_hash: str
    person_id: UUID | None
    expires_at: datetime


def new_code() -> str:
    """Six random digits."""
    return "".join(secrets.choice("0123456789") for _ in range(CODE_LENGTH))


def hash_code(code: str, browser: str) -> str:
    """What the store keeps of a code: with the browser's secret, so that a copy of the store does not give it away."""
    return hash_secret(f"{browser}:{code}")
