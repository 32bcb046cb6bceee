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
LONG_CODE_LENGTH = 10
"""Digits of a code that cannot be guessed, however many mails somebody asks for."""
SHORT_CODES_A_DAY = 6
"""How many mails to one address have a short code in a day, apart from those that known browsers ask for: with
MAX_TRIES this limits the guesses of somebody who asks for mails of others to 30 of a million."""
KNOWN_BROWSER_LIFE = timedelta(days=365)
"""How long a browser in which a person signed in is known as theirs."""


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


@dataclass(frozen=True, slots=True)
class KnownBrowser:
    """A browser in which this person has signed in before; `id` tells it from their others."""

    person_id: UUID
    id: str


def new_code(length: int = CODE_LENGTH) -> str:
    """Random digits."""
    return "".join(secrets.choice("0123456789") for _ in range(length))


def hash_code(code: str, browser: str) -> str:
    """What the store keeps of a code: with the browser's secret, so that a copy of the store does not give it away."""
    return hash_secret(f"{browser}:{code}")
