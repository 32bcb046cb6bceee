"""The audit trail: who changed what, and when."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from serve_app.domain.person import Person
from serve_app.domain.plain_text import one_line


class ActorKind(StrEnum):
    PERSON = "person"
    API_KEY = "api_key"
    """A program with a key of the account."""
    SERVICE = "service"
    """The service by itself."""
    COMMAND_LINE = "command_line"
    """An operator at a terminal of the deployment."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did something. `name` stays readable when the person is gone."""

    kind: ActorKind
    person_id: UUID | None
    name: str


def actor_of(person: Person) -> Actor:
    """The person, named by the address, which tells people of one name apart."""
    return Actor(ActorKind.PERSON, person.id, person.email)


def operator_at(user: str, host: str) -> Actor:
    """Somebody at the command line of this host, named by the system's user there."""
    return Actor(ActorKind.COMMAND_LINE, None, one_line(f"command line ({user}@{host})"))


def actor_of_key(name: str) -> Actor:
    """A program that uses the key of this name."""
    return Actor(ActorKind.API_KEY, None, name)


def actor_of_operator_key(name: str) -> Actor:
    """A program with the operator key of this name."""
    return Actor(ActorKind.API_KEY, None, f"operator key {name}")


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One change. `account_id` None: a change of the deployment. `action` is a noun and a verb, as `key.revoked`;
    `target` names what was changed; `details` hold no secrets and no content of documents."""

    id: UUID
    account_id: UUID | None
    at: datetime
    actor: Actor
    action: str
    target: str = ""
    details: Mapping[str, str] = field(default_factory=dict)
