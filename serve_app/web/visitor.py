"""Who looks at a page, and what they may do."""

from dataclasses import dataclass
from typing import Annotated, cast
from urllib.parse import urlencode

from fastapi import Depends, Request

from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, actor_of
from serve_app.domain.errors import AccountSuspended
from serve_app.domain.person import Person, Role
from serve_app.domain.session import Visit, WebSession
from serve_app.http.dependencies import AnyServices as AnyServices
from serve_app.http.dependencies import get_services
from serve_app.web.cookies import SESSION
from serve_app.web.local_paths import page_behind


class NotSignedIn(Exception):
    """The browser has no valid session."""


class SignInAgain(Exception):
    """What is asked for needs a person who has signed in within the last minutes."""


class NotAllowed(Exception):
    """The person's role does not allow this; the message says which role does."""


class NoAccount(NotAllowed):
    """An operator asks for a page of an account, and belongs to none."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A signed-in person, in the account that they work in now."""

    person: Person
    account: Account
    role: Role
    session: WebSession

    @property
    def actor(self) -> Actor:
        """The visitor in the audit trail."""
        return actor_of(self.person)

    @property
    def may_review(self) -> bool:
        """May send and change invoices."""
        return self.role in (Role.OWNER, Role.REVIEWER)

    @property
    def may_own(self) -> bool:
        """May manage keys, people and webhooks."""
        return self.role is Role.OWNER

    @property
    def may_operate(self) -> bool:
        """May see the whole deployment."""
        return self.person.is_operator


@dataclass(frozen=True, slots=True)
class OperatorAlone:
    """A signed-in operator who belongs to no account: sees the deployment, and nothing of any account."""

    person: Person
    session: WebSession
    account: None = None
    role: str = "operator"
    may_review: bool = False
    may_own: bool = False
    may_operate: bool = True

    @property
    def actor(self) -> Actor:
        """The operator in the audit trail."""
        return actor_of(self.person)


async def get_person(request: Request) -> Visitor | OperatorAlone:
    """Who holds the session of the cookie; no other header counts. Raises NotSignedIn, or NotAllowed if the person
    belongs to no account, or to a suspended one, and is no operator."""
    state = request.scope["state"]
    if "visitor" not in state:
        state["visitor"] = await _person(request)
    return cast(Visitor | OperatorAlone, state["visitor"])


async def _person(request: Request) -> Visitor | OperatorAlone:
    visit = await find_visit(request)
    if visit is None:
        raise NotSignedIn
    is_suspended = visit.account is not None and visit.account.suspended_at is not None
    if visit.account is not None and visit.role is not None and not is_suspended:
        return Visitor(visit.person, visit.account, visit.role, visit.session)
    if visit.person.is_operator:
        return OperatorAlone(visit.person, visit.session)
    if is_suspended:
        raise NotAllowed(AccountSuspended.message)
    raise NotAllowed("You no longer belong to an account. Ask an owner to invite you.")


AnyPerson = Annotated[Visitor | OperatorAlone, Depends(get_person)]


async def get_visitor(person: AnyPerson) -> Visitor:
    """The same, in an account. Raises NoAccount for an operator who belongs to none."""
    if isinstance(person, OperatorAlone):
        raise NoAccount("You belong to no account. Ask an owner to invite you.")
    return person


async def find_visit(request: Request) -> Visit | None:
    """The session of the browser, whether or not its person belongs to an account."""
    secret = request.cookies.get(SESSION)
    if not secret:
        return None
    services = await get_services(request)
    return await services.people.sessions.find(secret)


AnyVisitor = Annotated[Visitor, Depends(get_visitor)]


async def get_reviewer(visitor: AnyVisitor) -> Visitor:
    """A visitor who may change invoices. Raises NotAllowed."""
    if not visitor.may_review:
        raise NotAllowed("Your role is viewer. Only an owner or a reviewer can do this.")
    return visitor


async def get_owner(visitor: AnyVisitor) -> Visitor:
    """A visitor who may manage the account. Raises NotAllowed."""
    if not visitor.may_own:
        raise NotAllowed(f"Your role is {visitor.role}. Only an owner can do this.")
    return visitor


async def get_operator(visitor: AnyPerson) -> Visitor | OperatorAlone:
    """Somebody who may operate the deployment. Raises NotAllowed."""
    if not visitor.may_operate:
        raise NotAllowed("Only operators of the service can see this page.")
    return visitor


Operator = Annotated[Visitor | OperatorAlone, Depends(get_operator)]


async def _check_fresh(request: Request, person: Visitor | OperatorAlone) -> None:
    services = await get_services(request)
    if not services.people.sessions.is_fresh(person.session):
        raise SignInAgain


async def get_fresh_owner(request: Request, visitor: Annotated[Visitor, Depends(get_owner)]) -> Visitor:
    """A visitor who may manage the account, and has signed in within the last ten minutes. Raises NotAllowed,
    SignInAgain."""
    await _check_fresh(request, visitor)
    return visitor


async def get_fresh_operator(request: Request, operator: Operator) -> Visitor | OperatorAlone:
    """The same for the deployment. Raises NotAllowed, SignInAgain."""
    await _check_fresh(request, operator)
    return operator


Reviewer = Annotated[Visitor, Depends(get_reviewer)]
Owner = Annotated[Visitor, Depends(get_owner)]
FreshOwner = Annotated[Visitor, Depends(get_fresh_owner)]
FreshOperator = Annotated[Visitor | OperatorAlone, Depends(get_fresh_operator)]


def signing_in_path(request: Request, *, again: bool = False) -> str:
    """The sign-in page that leads back to the page that was asked for, or on which something was asked for."""
    next_path = page_behind(request)
    values = {} if next_path is None else {"next": next_path}
    if again:
        values["again"] = "1"
    return "/app/sign-in" + (f"?{urlencode(values)}" if values else "")
