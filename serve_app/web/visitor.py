"""Who looks at a page, and what they may do."""

from dataclasses import dataclass
from typing import Annotated, cast
from urllib.parse import urlencode

from fastapi import Depends, Request

from serve_app.domain.account import Account
from serve_app.domain.errors import Unavailable
from serve_app.domain.person import Person, Role
from serve_app.domain.session import WebSession
from serve_app.services.bundle import Services


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


async def get_services(request: Request) -> Services:
    """The services of this process. Raises Unavailable if they are not set yet."""
    services = getattr(request.app.state, "services", None)
    if services is None:
        raise Unavailable
    return cast(Services, services)


AnyServices = Annotated[Services, Depends(get_services)]


async def get_visitor(request: Request) -> Visitor:
    """Raises NotSignedIn."""
    raise NotSignedIn


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


Reviewer = Annotated[Visitor, Depends(get_reviewer)]
Owner = Annotated[Visitor, Depends(get_owner)]
Operator = Annotated[Visitor, Depends(get_operator)]
FreshOwner = Owner


def signing_in_path(request: Request, *, again: bool = False) -> str:
    """The sign-in page that leads back to what was asked for, if that is a page."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    values = {"next": wanted} if request.method == "GET" and "hx-request" not in request.headers else {}
    if again:
        values["again"] = "1"
    return "/app/sign-in" + (f"?{urlencode(values)}" if values else "")
