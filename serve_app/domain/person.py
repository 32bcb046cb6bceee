"""People, and what they may do in the accounts that they belong to."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from serve_app.domain.email_address import mail_server_form

MAX_NAME_LENGTH = 100
"""Characters of a person's name."""


class Role(StrEnum):
    """What a member of an account may do there."""

    OWNER = "owner"
    """Everything: keys, people and webhooks, too."""
    REVIEWER = "reviewer"
    """Change invoices."""
    VIEWER = "viewer"
    """Look at invoices."""

    @property
    def may_review(self) -> bool:
        """Whether this member may change invoices."""
        return self is not Role.VIEWER


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who can sign in. `is_operator`: also runs the deployment."""

    id: UUID
    email: str
    name: str
    created_at: datetime
    is_operator: bool = False

    @property
    def called(self) -> str:
        """The name, or the address of a person without one."""
        return self.name or self.email


@dataclass(frozen=True, slots=True)
class Identity:
    """Who somebody is to an identity provider: it never gives a `subject` to another person, as it may an address."""

    issuer: str
    subject: str


@dataclass(frozen=True, slots=True)
class Membership:
    """A person's place in an account."""

    account_id: UUID
    person_id: UUID
    role: Role
    since: datetime


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an account, for a list of its people."""

    person: Person
    role: Role
    since: datetime


class Changed(StrEnum):
    """What became of a change of a membership."""

    DONE = "done"
    NO_MEMBER = "no_member"
    """The person does not belong to the account."""
    LAST_OWNER = "last_owner"
    """Refused: an account keeps at least one owner."""


def address_key(email: str) -> str:
    """What two spellings of one mail address share: case does not matter, and hosts are in ASCII."""
    return (mail_server_form(email) or email).casefold()
