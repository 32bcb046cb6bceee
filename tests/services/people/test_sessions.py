"""A session follows its person, and no further."""

import logging

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.errors import StoreUnreachable
from serve_app.domain.ids import new_id
from serve_app.domain.person import Membership, Person, Role
from serve_app.domain.session import FRESH, IDLE_LIFE, MAX_AGENT_LENGTH
from serve_app.services.people.bundle import PeopleServices
from serve_app.store.base import Store
from tests.support import NOON, Clock
from tests.support.people import COMMAND_LINE, add_member, add_person


@pytest.fixture
async def other(store: Store, ann: Person) -> Account:
    """Another account of hers, in which somebody else is the owner."""
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    await add_member(store, other, "bob@example.com")
    await store.memberships.add(Membership(other.id, ann.id, Role.VIEWER, NOON))
    return other


async def test_a_session_starts_in_the_oldest_account(
    services: PeopleServices, account: Account, ann: Person, other: Account
) -> None:
    session, secret = await services.sessions.open(ann.id, "Firefox\n" + "x" * 1000)
    visit = await services.sessions.find(secret)
    assert visit is not None
    assert (visit.session, visit.person, visit.account, visit.role) == (session, ann, account, Role.OWNER)
    assert len(session.user_agent) == MAX_AGENT_LENGTH
    assert await services.sessions.find("guess") is None


async def test_signing_in_ends_the_session_that_the_browser_had(
    services: PeopleServices, ann: Person, other: Account
) -> None:
    """Whoever planted a session, or saw its cookie, gets nothing."""
    _, planted = await services.sessions.open(ann.id, "")
    visit = await services.sessions.find(planted)
    assert visit is not None
    await services.sessions.switch(visit.session, other.id)
    session, secret = await services.sessions.open(ann.id, "", replaces=planted)
    assert secret != planted
    assert await services.sessions.find(planted) is None
    assert session.account_id == other.id
    _, third = await services.sessions.open(ann.id, "", replaces="unknown")
    assert await services.sessions.find(secret) is not None
    assert await services.sessions.find(third) is not None


async def test_another_person_in_the_same_browser_starts_in_their_own_account(
    services: PeopleServices, store: Store, account: Account, ann: Person, other: Account
) -> None:
    _, hers = await services.sessions.open(ann.id, "")
    bob = await store.people.find("bob@example.com")
    assert bob is not None
    session, _ = await services.sessions.open(bob.id, "", replaces=hers)
    assert session.account_id == other.id
    assert await services.sessions.find(hers) is None


async def test_who_is_removed_sees_another_account_or_none(
    services: PeopleServices, store: Store, account: Account, ann: Person, other: Account
) -> None:
    await add_member(store, account, "second@example.com")
    _, secret = await services.sessions.open(ann.id, "")
    await services.members.remove(COMMAND_LINE, account.id, ann.id)
    visit = await services.sessions.find(secret)
    assert visit is not None
    assert (visit.account, visit.role) == (other, Role.VIEWER)
    await services.members.remove(COMMAND_LINE, other.id, ann.id)
    assert await services.sessions.find(secret) is None


async def test_an_operator_needs_no_account(services: PeopleServices, store: Store) -> None:
    root = await add_person(store, "root@example.com", is_operator=True)
    _, secret = await services.sessions.open(root.id, "")
    visit = await services.sessions.find(secret)
    assert visit is not None
    assert (visit.person, visit.account, visit.role) == (root, None, None)


async def test_nobody_switches_to_an_account_of_others(
    services: PeopleServices, store: Store, ann: Person, account: Account
) -> None:
    foreign = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(foreign)
    _, secret = await services.sessions.open(ann.id, "")
    visit = await services.sessions.find(secret)
    assert visit is not None
    for account_id in (foreign.id, new_id()):
        with pytest.raises(LookupError):
            await services.sessions.switch(visit.session, account_id)
    again = await services.sessions.find(secret)
    assert again is not None
    assert again.account == account


async def test_use_prolongs_a_session(services: PeopleServices, ann: Person, clock: Clock) -> None:
    _, secret = await services.sessions.open(ann.id, "")
    clock.advance((IDLE_LIFE / 2).total_seconds())
    assert await services.sessions.find(secret) is not None
    clock.advance((IDLE_LIFE * 0.9).total_seconds())
    assert await services.sessions.find(secret) is not None
    clock.advance(IDLE_LIFE.total_seconds())
    assert await services.sessions.find(secret) is None


async def test_a_session_holds_while_nothing_can_be_written(
    services: PeopleServices, store: Store, ann: Person, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(_: object) -> None:
        raise StoreUnreachable

    _, secret = await services.sessions.open(ann.id, "")
    clock.advance(3600)
    monkeypatch.setattr(store.sessions, "touch", full)
    assert await services.sessions.find(secret) is not None


async def test_a_session_is_fresh_for_ten_minutes(services: PeopleServices, ann: Person, clock: Clock) -> None:
    session, _ = await services.sessions.open(ann.id, "")
    assert session.is_fresh(clock.now)
    assert not session.is_fresh(clock.now + FRESH)


async def test_devices_are_signed_out_one_by_one_or_all(
    services: PeopleServices, store: Store, ann: Person, account: Account
) -> None:
    bob = await add_member(store, account, "bob@example.com")
    opened = [await services.sessions.open(ann.id, name) for name in ("one", "two", "three")]
    _, his = await services.sessions.open(bob.id, "")
    assert not await services.sessions.end(bob.id, opened[0][0].id)
    assert await services.sessions.end(ann.id, opened[0][0].id)
    assert await services.sessions.find(opened[0][1]) is None
    assert {device.user_agent for device in await services.sessions.devices(ann.id)} == {"two", "three"}
    assert await services.sessions.end_all(ann.id) == 2
    assert [await services.sessions.find(secret) for _, secret in opened] == [None, None, None]
    assert await services.sessions.find(his) is not None


async def test_no_secret_is_logged(services: PeopleServices, ann: Person, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    session, secret = await services.sessions.open(ann.id, "")
    await services.sessions.find(secret)
    link = await services.links.make(ann.id, "https://invoices.example.com")
    said = str([record.__dict__ for record in caplog.records])
    assert str(session.id) in said
    for hidden in (secret, session.hash, link.partition("#")[2], ann.email):
        assert hidden not in said
