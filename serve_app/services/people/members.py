"""Who belongs to an account, and what they may do there."""

import logging
from dataclasses import dataclass, replace
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.email_address import mail_server_form
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.ids import new_id
from serve_app.domain.person import MAX_NAME_LENGTH, Changed, Member, Membership, Person, Role
from serve_app.domain.plain_text import one_line
from serve_app.services.people.audit import AuditTrail
from serve_app.services.people.refusals import LastOwnerStays
from serve_app.store.base import Accounts, Memberships, People, Sessions

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """An account that a person belongs to, and what to call it."""

    account_id: UUID
    label: str
    role: Role


class MemberService:
    """Invites people, lists them, changes their roles, removes them; every change goes into the audit trail."""

    def __init__(
        self,
        accounts: Accounts,
        people: People,
        memberships: Memberships,
        sessions: Sessions,
        audit: AuditTrail,
        clock: Clock = utc_now,
    ) -> None:
        self._accounts = accounts
        self._people = people
        self._memberships = memberships
        self._sessions = sessions
        self._audit = audit
        self._clock = clock

    async def of_account(self, account_id: UUID) -> list[Member]:
        """The members of the account, oldest membership first."""
        return await self._memberships.of_account(account_id)

    async def member(self, account_id: UUID, person_id: UUID) -> Member:
        """Raises LookupError if the person does not belong to the account."""
        for member in await self._memberships.of_account(account_id):
            if member.person.id == person_id:
                return member
        raise LookupError("this person does not belong to the account")

    async def accounts_of(self, person_id: UUID) -> list[Membership]:
        """Where the person belongs, oldest account first."""
        return await self._memberships.of_person(person_id)

    async def places_of(self, person_id: UUID) -> list[Place]:
        """The same with what the accounts are called."""
        places = []
        for membership in await self._memberships.of_person(person_id):
            account = await self._accounts.get(membership.account_id)
            label = account.email if account is not None and account.email else f"Account {membership.account_id}"
            places.append(Place(membership.account_id, label, membership.role))
        return places

    async def find(self, email: str) -> Person:
        """The person with this address. Raises LookupError."""
        person = await self._people.find(email)
        if person is None:
            raise LookupError(f"nobody has the address {email}; see: invoices user list")
        return person

    async def operators(self) -> list[Person]:
        """Everybody who runs the deployment."""
        return await self._people.operators()

    async def invite(self, by: Actor, account_id: UUID, email: str, role: Role, name: str = "") -> tuple[Person, bool]:
        """The person with this address, who now belongs to the account, and whether that is new. `name` is for a new
        person only. Raises InvalidParameter for a bad address or name, LookupError for an unknown account."""
        if await self._accounts.get(account_id) is None:
            raise LookupError(f"there is no account {account_id}")
        person = await self._person(email, name)
        is_new = await self._memberships.add(Membership(account_id, person.id, role, self._clock()))
        if is_new:
            log.info("person invited", extra={"account_id": str(account_id), "person_id": str(person.id)})
            await self._audit.record(by, account_id, "person.invited", person.email, role=role)
        return person, is_new

    async def set_role(self, by: Actor, account_id: UUID, person_id: UUID, role: Role) -> None:
        """Raises LookupError if the person is no member, LastOwnerStays."""
        member = await self.member(account_id, person_id)
        if member.role is role:
            return
        _check(await self._memberships.set_role(account_id, person_id, role))
        await self._audit.record(by, account_id, "person.role_changed", member.person.email, was=member.role, role=role)

    async def remove(self, by: Actor, account_id: UUID, person_id: UUID) -> None:
        """Remove the person from the account; one who then belongs to none, and is no operator, is erased. Raises
        LookupError if the person is no member, LastOwnerStays."""
        member = await self.member(account_id, person_id)
        _check(await self._memberships.remove(account_id, person_id))
        log.info("person removed", extra={"account_id": str(account_id), "person_id": str(person_id)})
        await self._audit.record(by, account_id, "person.removed", member.person.email, role=member.role)

    async def make_operator(self, by: Actor, email: str, name: str = "") -> Person:
        """The person with this address, who now runs the deployment. Raises InvalidParameter for a bad address or
        name."""
        person = await self._person(email, name)
        if not person.is_operator:
            # First, so that no session has rights that its sign-in did not give.
            await self._sessions.remove_of_person(person.id)
            await self._people.update(person.id, person.name, is_operator=True)
            await self._audit.record(by, None, "operator.added", person.email)
        return replace(person, is_operator=True)

    async def end_operator(self, by: Actor, email: str) -> None:
        """Take the deployment away from a person, who keeps their accounts; one without any is erased. Raises
        LookupError."""
        person = await self.find(email)
        if person.is_operator:
            await self._people.update(person.id, person.name, is_operator=False)
            await self._audit.record(by, None, "operator.removed", person.email)

    async def rename(self, person: Person, name: str) -> None:
        """Call a person by another name. Raises InvalidParameter if it is too long."""
        await self._people.update(person.id, _checked_name(name), is_operator=person.is_operator)

    async def _person(self, email: str, name: str) -> Person:
        """The person with this address, a new one if need be."""
        person = Person(new_id(), _checked_address(email), _checked_name(name), self._clock())
        while not await self._people.add(person):
            present = await self._people.find(email)
            if present is not None:
                return present
        return person


def _check(changed: Changed) -> None:
    if changed is Changed.NO_MEMBER:
        raise LookupError("this person does not belong to the account")
    if changed is Changed.LAST_OWNER:
        raise LastOwnerStays


def _checked_address(email: str) -> str:
    if mail_server_form(email) is None:
        raise InvalidParameter("The address must be one plain address, like name@example.com.")
    return email


def _checked_name(name: str) -> str:
    plain = one_line(name)
    if len(plain) > MAX_NAME_LENGTH:
        raise InvalidParameter(f"A name has at most {MAX_NAME_LENGTH} characters.")
    return plain
