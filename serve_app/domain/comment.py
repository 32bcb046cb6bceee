"""What people say to each other about an invoice."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

MAX_TEXT = 2000
"""Characters of a comment."""


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment; it goes with its invoice. `author` stays readable when the person is gone, `mentions` are the people
    whom it names."""

    id: UUID
    account_id: UUID
    invoice_id: UUID
    at: datetime
    person_id: UUID
    author: str
    text: str
    mentions: tuple[UUID, ...] = ()
