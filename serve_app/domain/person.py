"""People who use the web application, and their roles in accounts."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Role(StrEnum):
    """What a person may do in an account."""

    OWNER = "owner"
    """Everything, including keys, people and webhooks."""
    REVIEWER = "reviewer"
    """Send and change invoices."""
    VIEWER = "viewer"
    """Look."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who signs in with a mail address; an operator sees the whole deployment."""

    id: UUID
    email: str
    name: str
    created_at: datetime
    is_operator: bool = False


@dataclass(frozen=True, slots=True)
class Membership:
    """A person's role in an account."""

    person_id: UUID
    account_id: UUID
    role: Role
    created_at: datetime
