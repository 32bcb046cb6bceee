"""A session is known by the hash of its cookie, for as long as it lasts and its person is there."""

from datetime import timedelta

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.person import Role
from serve_app.domain.session import IDLE_LIFE, SESSION_LIFE, Visit, hash_secret
from serve_app.store.base import Store
from tests.store.test_keys import everything_in
from tests.support import NOON
from tests.support.people import add_member, add_person, make_session, seen_at

SECOND = timedelta(seconds=1)


async def test_a_session_leads_to_its_person_and_account(store: Store, account: Account) -> None:
    ann = await add_member(store, account, role=Role.REVIEWER)
    session, secret = make_session(ann, account)
    await store.sessions.add(session)
    assert await store.sessions.find(hash_secret(secret), NOON) == Visit(session, ann, account, Role.REVIEWER)
    assert await store.sessions.find(hash_secret(secret + "x"), NOON) is None


async def test_an_account_that_is_not_the_persons_gives_no_role(store: Store, account: Account) -> None:
    ann = await add_person(store)
    for seen in (account, None):
        session, _ = make_session(ann, seen)
        await store.sessions.add(session)
        assert await store.sessions.find(session.hash, NOON) == Visit(session, ann, None, None)


async def test_an_unused_session_ends_after_two_weeks(store: Store, account: Account) -> None:
    session, _ = make_session(await add_member(store, account), account)
    await store.sessions.add(session)
    assert await store.sessions.find(session.hash, NOON + IDLE_LIFE - SECOND) is not None
    assert await store.sessions.find(session.hash, NOON + IDLE_LIFE) is None


async def test_a_used_session_ends_after_ninety_days(store: Store, account: Account) -> None:
    session, _ = make_session(await add_member(store, account), account)
    await store.sessions.add(session)
    now = NOON
    while now < NOON + SESSION_LIFE - timedelta(days=10):
        now += timedelta(days=10)
        session = seen_at(session, now)
        await store.sessions.touch(session)
        visit = await store.sessions.find(session.hash, now)
        assert visit is not None
        assert visit.session == session
    # A delayed note changes nothing.
    await store.sessions.touch(seen_at(session, NOON))
    assert await store.sessions.find(session.hash, NOON + SESSION_LIFE - SECOND) is not None
    assert await store.sessions.find(session.hash, NOON + SESSION_LIFE) is None


async def test_a_person_switches_accounts(store: Store, account: Account) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    await add_member(store, account)
    ann = await add_member(store, other, role=Role.VIEWER)
    session, _ = make_session(ann, account)
    await store.sessions.add(session)
    await store.sessions.set_account(session.hash, other.id)
    visit = await store.sessions.find(session.hash, NOON)
    assert visit is not None
    assert (visit.account, visit.role) == (other, Role.VIEWER)


async def test_devices_are_listed_and_ended(store: Store, account: Account) -> None:
    ann, bob = await add_member(store, account), await add_member(store, account, "bob@example.com")
    sessions = [make_session(ann, account, NOON + timedelta(hours=hour))[0] for hour in range(3)]
    theirs, _ = make_session(bob, account)
    for session in (*sessions, theirs):
        await store.sessions.add(session)
    assert await store.sessions.of_person(ann.id, NOON) == sessions[::-1]
    assert await store.sessions.of_person(ann.id, NOON + IDLE_LIFE) == sessions[:0:-1]
    assert not await store.sessions.remove(bob.id, sessions[0].id)
    assert await store.sessions.remove(ann.id, sessions[0].id)
    assert not await store.sessions.remove(ann.id, sessions[0].id)
    assert await store.sessions.remove_of_person(ann.id) == 2
    assert await store.sessions.of_person(ann.id, NOON) == []
    assert await store.sessions.find(theirs.hash, NOON) is not None


class TestOnDisk:
    """Only SQLite's files can be looked into."""

    @pytest.fixture
    def store_kind(self) -> str:
        return "sqlite"

    async def test_the_cookie_is_nowhere(self, store: Store, account: Account, tmp_path: object) -> None:
        session, secret = make_session(await add_member(store, account), account)
        await store.sessions.add(session)
        await store.connection.close()
        written = everything_in(tmp_path)  # type: ignore[arg-type]
        assert session.hash.encode() in written
        assert secret.encode() not in written
