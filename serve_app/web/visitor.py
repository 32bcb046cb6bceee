"""Who looks at a page, and what they may do."""

from dataclasses import dataclass
from typing import Annotated, cast
from urllib.parse import urlencode

from fastapi import Depends, Request

from serve_app.api.dependencies import AnyServices as AnyServices
from serve_app.api.dependencies import get_services
from serve_app.domain.account import Account
from serve_app.domain.audit import Actor, actor_of
from serve_app.domain.person import Person, Role
from serve_app.domain.session import Visit, WebSession
from serve_app.web.cookies import SESSION
from serve_app.web.own_paths import page_behind


class NotSignedIn(Exception):
    """The browser has no valid session."""


class SignInAgain(Exception):
    """What is asked for needs a person who has signed in within the last minutes."""


class NotAllowed(Exception):
    """The person's role does not allow this; the message says which role does."""


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


async def get_visitor(request: Request) -> Visitor:
    """Who holds the session of the cookie; no other header counts. Raises NotSignedIn, or NotAllowed if the person
    belongs to no account."""
    state = request.scope["state"]
    if "visitor" not in state:
        state["visitor"] = await _visitor(request)
    return cast(Visitor, state["visitor"])


async def _visitor(request: Request) -> Visitor:
    visit = await find_visit(request)
    if visit is None:
        raise NotSignedIn
    if visit.account is None or visit.role is None:
        raise NotAllowed("You belong to no account any more. Ask an owner of one to invite you.")
    return Visitor(visit.person, visit.account, visit.role, visit.session)


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
        raise NotAllowed("Your role in this account is viewer. An owner or a reviewer can do this.")
    return visitor


async def get_owner(visitor: AnyVisitor) -> Visitor:
    """A visitor who may manage the account. Raises NotAllowed."""
    if not visitor.may_own:
        raise NotAllowed(f"Your role in this account is {visitor.role}. Only an owner can do this.")
    return visitor


async def get_operator(visitor: AnyVisitor) -> Visitor:
    """A visitor who may operate the deployment. Raises NotAllowed."""
    if not visitor.may_operate:
        raise NotAllowed("This page is for the operators of the service.")
    return visitor


async def get_fresh(request: Request, visitor: AnyVisitor) -> Visitor:
    """A visitor who has signed in within the last ten minutes. Raises SignInAgain."""
    services = await get_services(request)
    if not services.people.sessions.is_fresh(visitor.session):
        raise SignInAgain
    return visitor


async def get_fresh_owner(request: Request, visitor: Annotated[Visitor, Depends(get_owner)]) -> Visitor:
    """A visitor who may manage the account, and has signed in within the last ten minutes. Raises NotAllowed,
    SignInAgain."""
    return await get_fresh(request, visitor)


async def get_fresh_operator(request: Request, visitor: Annotated[Visitor, Depends(get_operator)]) -> Visitor:
    """The same for the deployment. Raises NotAllowed, SignInAgain."""
    return await get_fresh(request, visitor)


Reviewer = Annotated[Visitor, Depends(get_reviewer)]
Owner = Annotated[Visitor, Depends(get_owner)]
Operator = Annotated[Visitor, Depends(get_operator)]
FreshVisitor = Annotated[Visitor, Depends(get_fresh)]
FreshOwner = Annotated[Visitor, Depends(get_fresh_owner)]
FreshOperator = Annotated[Visitor, Depends(get_fresh_operator)]


def signing_in_path(request: Request, *, again: bool = False) -> str:
    """The sign-in page that leads back to the page that was asked for, or on which something was asked for."""
    wanted = page_behind(request)
    values = {} if wanted is None else {"next": wanted}
    if again:
        values["again"] = "1"
    return "/app/sign-in" + (f"?{urlencode(values)}" if values else "")
