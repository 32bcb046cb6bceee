"""People, their places in accounts, how they sign in, and what they did."""

from datetime import datetime
from typing import Protocol
from uuid import UUID

from serve_app.domain.audit import AuditEntry
from serve_app.domain.erased import Erased
from serve_app.domain.person import Changed, Identity, Member, Membership, Person, Role
from serve_app.domain.query import ListPage
from serve_app.domain.session import Visit, WebSession
from serve_app.domain.sign_in import MailSignIn, SignInLink


class People(Protocol):
    """Everybody who can sign in."""

    async def add(self, person: Person) -> bool:
        """False if somebody has the address, in whatever case."""
        ...

    async def get(self, person_id: UUID) -> Person | None: ...

    async def find(self, email: str) -> Person | None:
        """By the address, in whatever case."""
        ...

    async def of_identity(self, identity: Identity) -> Person | None: ...

    async def bind(self, person_id: UUID, identity: Identity) -> bool:
        """From now on the person is found by this identity; one at another issuer is forgotten. False, and nothing
        changes, if the person has another one at this issuer, if somebody else has this one, or if there is no such
        person."""
        ...

    async def update(self, person_id: UUID, name: str, *, is_operator: bool) -> bool:
        """False if there is no such person. One who belongs to no account and is no operator any more is erased."""
        ...

    async def operators(self) -> list[Person]:
        """Everybody who runs the deployment, oldest first."""
        ...


class Memberships(Protocol):
    """Who belongs to which account. A person who is no operator and loses the last membership is erased, with all
    sessions and sign-ins; MongoDB does that in a second step, which a crash can leave undone."""

    async def add(self, membership: Membership) -> bool:
        """False if the person belongs to the account already, or if there is no such account."""
        ...

    async def set_role(self, account_id: UUID, person_id: UUID, role: Role) -> Changed: ...

    async def remove(self, account_id: UUID, person_id: UUID) -> Changed: ...

    async def remove_all(self, account_id: UUID) -> Erased:
        """Remove everybody, the last owner included, and sign them out of the account; can be repeated after a
        crash."""
        ...

    async def of_account(self, account_id: UUID) -> list[Member]:
        """Oldest membership first."""
        ...

    async def of_person(self, person_id: UUID) -> list[Membership]:
        """Oldest account first."""
        ...


class Sessions(Protocol):
    """Signed-in browsers, known by the hash of their cookie only."""

    async def add(self, session: WebSession) -> None: ...

    async def find(self, hash: str, now: datetime) -> Visit | None:
        """None if the session is unknown or has expired, or if its person is gone."""
        ...

    async def touch(self, session: WebSession) -> None:
        """Note when the session was last seen; may be lost in a crash. No-op if it is gone."""
        ...

    async def set_account(self, hash: str, account_id: UUID) -> None:
        """The account that the person is looking at from now on. No-op if the session is gone."""
        ...

    async def of_person(self, person_id: UUID, now: datetime) -> list[WebSession]:
        """Those that have not expired, last seen first."""
        ...

    async def remove(self, person_id: UUID, session_id: UUID) -> bool:
        """False if the person has no such session."""
        ...

    async def remove_of_person(self, person_id: UUID) -> int:
        """Sign out everywhere; returns how many sessions there were."""
        ...


class SignIns(Protocol):
    """Links and mails that sign a person in, once."""

    async def add_link(self, link: SignInLink) -> None: ...

    async def take_link(self, hash: str, now: datetime) -> UUID | None:
        """The person whom the link signs in; it is used up. None if it is unknown, used or expired."""
        ...

    async def add_mail(self, mail: MailSignIn) -> None: ...

    async def take_mail(self, browser_hash: str, proof_hash: str, now: datetime) -> UUID | None:
        """The person whom the mail signs in, if `proof_hash` is that of its link or of its code; it is used up. A wrong
        proof counts as a try. None for one, after MAX_TRIES of them, and if the mail is unknown, used or expired."""
        ...


class AuditLog(Protocol):
    """Who did what. Entries are never changed, and go with their account."""

    async def add(self, entry: AuditEntry) -> None: ...

    async def page(self, account_id: UUID | None, limit: int, after: UUID | None = None) -> ListPage[AuditEntry]:
        """Newest first, starting strictly after the id `after` in that order. None: entries of the deployment."""
        ...

    async def of_target(self, account_id: UUID, target: str, limit: int) -> list[AuditEntry]:
        """What was done to one thing of the account, newest first."""
        ...
