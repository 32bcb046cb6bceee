"""People and sessions for tests."""

from dataclasses import replace
from datetime import datetime

from serve_app.domain.account import Account
from serve_app.domain.audit import operator_at
from serve_app.domain.ids import new_id
from serve_app.domain.person import Membership, Person, Role
from serve_app.domain.session import WebSession, hash_secret, new_secret
from serve_app.store.base import Store
from tests.support import NOON

COMMAND_LINE = operator_at("ann", "host-1")


async def add_person(store: Store, email: str = "ann@example.com", *, is_operator: bool = False) -> Person:
    """Somebody who belongs to no account yet."""
    person = Person(new_id(), email, email.partition("@")[0].title(), NOON, is_operator)
    assert await store.people.add(person)
    return person


async def add_member(
    store: Store, account: Account, email: str = "ann@example.com", role: Role = Role.OWNER, since: datetime = NOON
) -> Person:
    """A person with this address, who belongs to the account."""
    person = await store.people.find(email) or await add_person(store, email)
    assert await store.memberships.add(Membership(account.id, person.id, role, since))
    return person


def make_session(person: Person, account: Account | None = None, now: datetime = NOON) -> tuple[WebSession, str]:
    """A session that was opened now, and the value of its cookie."""
    secret = new_secret()
    account_id = None if account is None else account.id
    session = WebSession(new_id(), hash_secret(secret), person.id, account_id, now, now, now, "A browser")
    return session, secret


def seen_at(session: WebSession, now: datetime) -> WebSession:
    """The same session, used now."""
    return replace(session, seen_at=now)
