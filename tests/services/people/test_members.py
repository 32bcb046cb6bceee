"""Who belongs to an account is changed within its rules, and every change is written down."""

import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.audit import actor_of
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import new_id
from serve_app.domain.person import Person, Role
from serve_app.services.people.bundle import PeopleServices
from serve_app.services.people.invitations import INVITATIONS_AN_HOUR
from serve_app.services.people.refusals import LastOwnerStays, TooManyInvitations
from serve_app.store.base import Store
from tests.support import NOON
from tests.support.mails import FakeMailer, text_of
from tests.support.people import COMMAND_LINE, add_member, make_session

URL = "https://invoices.example.com/app/sign-in"


async def trail(services: PeopleServices, account_id: object) -> list[tuple[str, str, str]]:
    """Who did what to whom, oldest first."""
    entries = (await services.audit.page(account_id, 100)).items  # type: ignore[arg-type]
    return [(entry.actor.name, entry.action, entry.target) for entry in reversed(entries)]


async def test_a_change_of_people_is_in_the_trail(services: PeopleServices, account: Account, ann: Person) -> None:
    bob, is_new = await services.members.invite(COMMAND_LINE, account.id, "bob@example.com", Role.VIEWER, "Bob")
    assert is_new
    await services.members.set_role(actor_of(ann), account.id, bob.id, Role.OWNER)
    await services.members.set_role(actor_of(ann), account.id, bob.id, Role.OWNER)
    await services.members.remove(actor_of(bob), account.id, ann.id)
    assert await trail(services, account.id) == [
        (COMMAND_LINE.name, "person.invited", "bob@example.com"),
        ("ann@example.com", "person.role_changed", "bob@example.com"),
        ("bob@example.com", "person.removed", "ann@example.com"),
    ]
    changed = (await services.audit.page(account.id, 2)).items[1]
    assert changed.details == {"was": "viewer", "role": "owner"}
    (member,) = await services.members.of_account(account.id)
    assert (member.person.name, member.role) == ("Bob", Role.OWNER)


async def test_somebody_known_keeps_the_name_and_joins_a_second_account(
    services: PeopleServices, store: Store, ann: Person
) -> None:
    other = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(other)
    invited, _ = await services.members.invite(COMMAND_LINE, other.id, "ANN@example.com", Role.VIEWER, "Mallory")
    assert invited == ann
    assert [place.role for place in await services.members.accounts_of(ann.id)] == [Role.OWNER, Role.VIEWER]
    again, is_new = await services.members.invite(COMMAND_LINE, other.id, "ann@example.com", Role.OWNER)
    assert (again, is_new) == (ann, False)
    assert [place.role for place in await services.members.accounts_of(ann.id)] == [Role.OWNER, Role.VIEWER]


async def test_the_last_owner_can_be_neither_removed_nor_demoted(
    services: PeopleServices, account: Account, ann: Person
) -> None:
    with pytest.raises(LastOwnerStays):
        await services.members.remove(actor_of(ann), account.id, ann.id)
    with pytest.raises(LastOwnerStays):
        await services.members.set_role(actor_of(ann), account.id, ann.id, Role.REVIEWER)
    assert await trail(services, account.id) == []


async def test_what_is_no_address_or_name_is_refused(services: PeopleServices, account: Account) -> None:
    for address, name in (("ann", ""), ("a@b\r\nBcc: c", ""), ("ann@example.com", "n" * 101)):
        with pytest.raises(InvalidParameter):
            await services.members.invite(COMMAND_LINE, account.id, address, Role.VIEWER, name)
    with pytest.raises(LookupError):
        await services.members.invite(COMMAND_LINE, new_id(), "ann@example.com", Role.VIEWER)
    assert await services.members.of_account(account.id) == []


async def test_an_invitation_is_mailed_without_anything_that_signs_in(
    services: PeopleServices, account: Account, ann: Person, mailer: FakeMailer
) -> None:
    assert await services.invitations.invite(ann, account.id, "bob@example.com", Role.REVIEWER, URL)
    (mail,) = mailer.messages
    assert mail["To"] == "bob@example.com"
    for kind in ("plain", "html"):
        assert URL in text_of(mail, kind)
        assert "Ann" in text_of(mail, kind)
        assert "#" not in text_of(mail, kind).partition("<body")[0].replace("&#", "")
    with pytest.raises(InvalidParameter, match="already belongs to this account"):
        await services.invitations.invite(ann, account.id, "BOB@example.com", Role.OWNER, URL)


async def test_an_invitation_whose_mail_fails_holds(
    services: PeopleServices, account: Account, ann: Person, mailer: FakeMailer
) -> None:
    mailer.refuses = True
    assert not await services.invitations.invite(ann, account.id, "bob@example.com", Role.REVIEWER, URL)
    assert len(await services.members.of_account(account.id)) == 2


async def test_an_account_cannot_mail_the_whole_world(
    services: PeopleServices, account: Account, ann: Person, mailer: FakeMailer
) -> None:
    for number in range(INVITATIONS_AN_HOUR):
        await services.invitations.invite(ann, account.id, f"person-{number}@example.com", Role.VIEWER, URL)
    with pytest.raises(TooManyInvitations):
        await services.invitations.invite(ann, account.id, "one-more@example.com", Role.VIEWER, URL)
    assert len(mailer.messages) == INVITATIONS_AN_HOUR


async def test_who_becomes_an_operator_signs_in_again(
    services: PeopleServices, store: Store, account: Account, ann: Person
) -> None:
    session, _ = make_session(ann, account)
    await store.sessions.add(session)
    assert (await services.members.make_operator(COMMAND_LINE, ann.email)).is_operator
    assert await store.sessions.find(session.hash, NOON) is None
    assert [person.id for person in await services.members.operators()] == [ann.id]
    assert await trail(services, None) == [(COMMAND_LINE.name, "operator.added", ann.email)]
    await services.members.make_operator(COMMAND_LINE, ann.email)
    assert len(await trail(services, None)) == 1


async def test_texts_of_the_trail_are_short_and_on_one_line(
    services: PeopleServices, store: Store, account: Account
) -> None:
    await add_member(store, account)
    await services.audit.record(COMMAND_LINE, account.id, "x.y", "a\nb" * 1000, note="\u202eabc", none=None)
    (entry,) = (await services.audit.page(account.id, 1)).items
    assert len(entry.target) <= 300
    assert "\n" not in entry.target
    assert entry.details == {"note": "abc"}
