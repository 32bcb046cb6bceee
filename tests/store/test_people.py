"""People are known by one address each, and belong to accounts that never lose their last owner."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.person import Changed, Identity, Member, Membership, Person, Role
from serve_app.store.base import Store
from tests.support import NOON
from tests.support.people import add_member, add_person, make_session


@pytest.fixture
async def other(store: Store) -> Account:
    other = Account(new_id(), Plan.PRO, NOON)
    await store.accounts.add(other)
    return other


async def test_a_person_is_found_by_the_address_in_any_case(store: Store) -> None:
    ann = await add_person(store, "Ann@Example.com")
    for spelling in ("ann@example.com", "ANN@EXAMPLE.COM", "Ann@Example.com"):
        assert await store.people.find(spelling) == ann
    assert await store.people.get(ann.id) == ann
    assert await store.people.find("bob@example.com") is None
    assert await store.people.get(new_id()) is None


async def test_an_address_belongs_to_one_person(store: Store, open_again: Callable[[], Store]) -> None:
    stores = [store, open_again()]
    spellings = ("ann@bücher.example", "ANN@xn--bcher-kva.example", "Ann@BÜCHER.example")
    people = [Person(new_id(), email, "Ann", NOON) for email in spellings]
    added = await asyncio.gather(*(stores[i % 2].people.add(person) for i, person in enumerate(people)))
    assert sorted(added) == [False, False, True]


async def test_a_person_has_one_identity_at_a_provider(store: Store, open_again: Callable[[], Store]) -> None:
    ann, bob = await add_person(store), await add_person(store, "bob@example.com")
    first, other = Identity("https://login.example.com", "1"), Identity("https://login.example.com", "2")
    assert await store.people.of_identity(first) is None
    assert await store.people.bind(ann.id, first)
    assert await store.people.bind(ann.id, first)
    assert await open_again().people.of_identity(first) == ann
    # Neither somebody else's identity, nor another one at the same provider.
    assert not await store.people.bind(bob.id, first)
    assert not await store.people.bind(ann.id, other)
    assert await store.people.of_identity(other) is None
    # The deployment has moved to another provider.
    moved = Identity("https://login.example.org", "1")
    assert await store.people.bind(ann.id, moved)
    assert await store.people.of_identity(moved) == ann
    assert await store.people.of_identity(first) is None
    assert not await store.people.bind(new_id(), other)


async def test_a_name_and_being_an_operator_can_be_changed(store: Store, account: Account) -> None:
    ann, bob = await add_person(store), await add_person(store, "bob@example.com", is_operator=True)
    await add_member(store, account, bob.email, Role.VIEWER)
    assert await store.people.update(ann.id, "Ann B.", is_operator=True)
    assert await store.people.get(ann.id) == replace(ann, name="Ann B.", is_operator=True)
    assert [person.id for person in await store.people.operators()] == [ann.id, bob.id]
    assert await store.people.update(bob.id, bob.name, is_operator=False)
    assert [person.id for person in await store.people.operators()] == [ann.id]
    assert not await store.people.update(new_id(), "nobody", is_operator=True)


async def test_who_is_no_operator_any_more_and_belongs_nowhere_is_erased(store: Store, account: Account) -> None:
    root = await add_person(store, "root@example.com", is_operator=True)
    session, _ = make_session(root)
    await store.sessions.add(session)
    ann = await add_member(store, account)
    for person in (root, ann):
        assert await store.people.update(person.id, "", is_operator=False)
    assert await store.people.get(root.id) is None
    assert await store.sessions.find(session.hash, NOON) is None
    assert await store.people.get(ann.id) is not None


async def test_one_person_belongs_to_several_accounts(store: Store, account: Account, other: Account) -> None:
    ann = await add_member(store, account, role=Role.OWNER)
    later = NOON + timedelta(hours=1)
    assert await store.memberships.add(Membership(other.id, ann.id, Role.VIEWER, later))
    assert not await store.memberships.add(Membership(other.id, ann.id, Role.OWNER, later))
    assert not await store.memberships.add(Membership(new_id(), ann.id, Role.OWNER, later))
    assert await store.memberships.of_person(ann.id) == [
        Membership(account.id, ann.id, Role.OWNER, NOON),
        Membership(other.id, ann.id, Role.VIEWER, later),
    ]
    assert await store.memberships.of_account(other.id) == [Member(ann, Role.VIEWER, later)]


async def test_members_are_listed_oldest_first(store: Store, account: Account) -> None:
    names = [f"person-{number}@example.com" for number in range(3)]
    for number, name in enumerate(reversed(names)):
        await add_member(store, account, name, since=NOON - timedelta(hours=number))
    assert [member.person.email for member in await store.memberships.of_account(account.id)] == names
    assert await store.memberships.of_account(new_id()) == []


async def test_the_last_owner_stays(store: Store, account: Account) -> None:
    ann = await add_member(store, account)
    bob = await add_member(store, account, "bob@example.com", Role.REVIEWER)
    assert await store.memberships.set_role(account.id, ann.id, Role.VIEWER) is Changed.LAST_OWNER
    assert await store.memberships.remove(account.id, ann.id) is Changed.LAST_OWNER
    assert await store.memberships.set_role(account.id, ann.id, Role.OWNER) is Changed.DONE
    assert await store.memberships.set_role(account.id, bob.id, Role.OWNER) is Changed.DONE
    assert await store.memberships.set_role(account.id, ann.id, Role.VIEWER) is Changed.DONE
    assert await store.memberships.remove(account.id, bob.id) is Changed.LAST_OWNER
    roles = {member.person.email: member.role for member in await store.memberships.of_account(account.id)}
    assert roles == {ann.email: Role.VIEWER, bob.email: Role.OWNER}


async def test_of_two_owners_who_leave_at_once_one_stays(
    store: Store, account: Account, open_again: Callable[[], Store]
) -> None:
    owners = [await add_member(store, account, f"owner-{number}@example.com") for number in range(4)]
    stores = [store, open_again()]
    left = await asyncio.gather(
        *(stores[i % 2].memberships.remove(account.id, owner.id) for i, owner in enumerate(owners))
    )
    assert sorted(left) == [Changed.DONE] * 3 + [Changed.LAST_OWNER]
    assert len(await store.memberships.of_account(account.id)) == 1


async def test_who_is_no_member_is_not_changed(store: Store, account: Account, other: Account) -> None:
    await add_member(store, account)
    bob = await add_member(store, other, "bob@example.com")
    assert await store.memberships.set_role(account.id, bob.id, Role.OWNER) is Changed.NO_MEMBER
    assert await store.memberships.remove(account.id, bob.id) is Changed.NO_MEMBER
    assert await store.memberships.remove(new_id(), bob.id) is Changed.NO_MEMBER
    assert len(await store.memberships.of_person(bob.id)) == 1


async def test_who_leaves_the_last_account_is_erased(store: Store, account: Account, other: Account) -> None:
    await add_member(store, account, "first@example.com")
    ann = await add_member(store, account, role=Role.VIEWER)
    await store.memberships.add(Membership(other.id, ann.id, Role.OWNER, NOON))
    root = await add_person(store, "root@example.com", is_operator=True)
    await store.memberships.add(Membership(account.id, root.id, Role.VIEWER, NOON))
    session, _ = make_session(ann, account)
    await store.sessions.add(session)
    assert await store.memberships.remove(account.id, ann.id) is Changed.DONE
    assert await store.people.get(ann.id) == ann
    visit = await store.sessions.find(session.hash, NOON)
    assert visit is not None
    assert (visit.account, visit.role) == (None, None)
    await add_member(store, other, "second@example.com")
    assert await store.memberships.remove(other.id, ann.id) is Changed.DONE
    assert await store.people.get(ann.id) is None
    assert await store.sessions.find(session.hash, NOON) is None
    assert await store.memberships.remove(account.id, root.id) is Changed.DONE
    assert await store.people.get(root.id) == root


async def test_accounts_are_listed_newest_first(store: Store, account: Account, other: Account) -> None:
    first = await store.accounts.page(1)
    assert (first.items, first.has_more) == ((other,), True)
    second = await store.accounts.page(5, after=other.id)
    assert (second.items, second.has_more) == ((account,), False)
