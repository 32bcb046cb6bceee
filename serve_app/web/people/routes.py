"""The people of the account: for owners."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import Response

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.person import Member, Role
from serve_app.services.bundle import Services
from serve_app.services.people.refusals import LastOwnerStays, TooManyInvitations
from serve_app.web.links import own_address
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import path_with
from serve_app.web.visitor import AnyServices, FreshOwner, Owner, Visitor

router = APIRouter()

_HERE = "/app/people"
_MAX_ADDRESS = 254
_ROLES = (
    (Role.OWNER, "Full access, including keys, people and webhooks"),
    (Role.REVIEWER, "Can send and change invoices"),
    (Role.VIEWER, "Can only view"),
)
_LAST_OWNER = "An account needs at least one owner. Make another person an owner first."
_NO_SERVER = (
    "This service has no mail server, so no e-mail is sent. The operator can create a sign-in link: invoices user link"
)
_NO_MAIL = (
    "The service cannot send e-mail now. You can still invite the person, who can request a code later or get a "
    "sign-in link from the operator."
)
_TOO_MANY = "The hourly limit for invitations is reached. Try again in the next hour."


@router.get("/people")
async def list_people(request: Request, services: AnyServices, visitor: Owner) -> Response:
    """Everybody who belongs to the account."""
    members = await services.people.members.of_account(visitor.account.id)
    return page(
        request, visitor, "people/list.html", members=members, command=f"invoices user list {visitor.account.id}"
    )


@router.get("/people/invite")
async def show_invitation(
    request: Request, services: AnyServices, visitor: FreshOwner, address: str = "", role: str = ""
) -> Response:
    """Asks whom to invite. The address of the page may carry what was typed before somebody had to sign in again."""
    chosen = Role(role) if role in set(Role) else Role.REVIEWER
    return _invitation(
        request, visitor, address=address[:_MAX_ADDRESS], role=chosen, warning=await _mail_warning(services)
    )


@router.post("/people/invite")
async def invite(
    request: Request,
    services: AnyServices,
    visitor: Owner,
    address: Annotated[str, Form()],
    role: Annotated[Role, Form()],
) -> Response:
    """Invites somebody by mail; who has to sign in first comes back to the filled form."""
    address = address.strip()
    if not services.people.sessions.is_fresh(visitor.session):
        back = path_with(f"{_HERE}/invite", address=address[:_MAX_ADDRESS], role=role)
        return redirect(path_with("/app/sign-in", next=back, again=1))
    url = path_with(f"{own_address(request, services.settings)}/app/sign-in", address=address)
    try:
        sent = await services.people.invitations.invite(visitor.person, visitor.account.id, address, role, url)
    except InvalidParameter as error:
        return _invitation(request, visitor, 422, address, role, str(error))
    except TooManyInvitations:
        return _invitation(request, visitor, 429, address, role, _TOO_MANY)
    if sent and services.mail_check.has_server:
        return redirect(_HERE, f"{address} was invited by e-mail.")
    return redirect(_HERE, f"{address} was invited, but no e-mail was sent. The operator can create a sign-in link.")


@router.get("/people/{person_id}")
async def show_person(request: Request, services: AnyServices, visitor: FreshOwner, person_id: UUID) -> Response:
    """One member, to change or remove."""
    return _person(request, visitor, await _member(services, visitor, person_id))


@router.post("/people/{person_id}/role")
async def change_role(
    request: Request, services: AnyServices, visitor: FreshOwner, person_id: UUID, role: Annotated[Role, Form()]
) -> Response:
    """Gives a member another role."""
    member = await _member(services, visitor, person_id)
    try:
        await services.people.members.set_role(visitor.actor, visitor.account.id, person_id, role)
    except LastOwnerStays:
        return _person(request, visitor, member, 409, _LAST_OWNER)
    return redirect(_HERE, f"{member.person.called} is now {role}.")


@router.post("/people/{person_id}/remove")
async def remove(request: Request, services: AnyServices, visitor: FreshOwner, person_id: UUID) -> Response:
    """Removes a member from the account."""
    member = await _member(services, visitor, person_id)
    try:
        await services.people.members.remove(visitor.actor, visitor.account.id, person_id)
    except LastOwnerStays:
        return _person(request, visitor, member, 409, _LAST_OWNER)
    return redirect(_HERE, f"{member.person.called} was removed from this account.")


async def _member(services: Services, visitor: Visitor, person_id: UUID) -> Member:
    """Raises LookupError for somebody who does not belong to the visitor's account."""
    return await services.people.members.member(visitor.account.id, person_id)


def _invitation(
    request: Request,
    visitor: Visitor,
    status: int = 200,
    address: str = "",
    role: Role = Role.REVIEWER,
    problem: str = "",
    warning: str = "",
) -> Response:
    context = {"address": address, "role": role, "problem": problem, "roles": _ROLES, "warning": warning}
    return page(request, visitor, "people/invite.html", status, **context)


async def _mail_warning(services: AnyServices) -> str:
    """Why an invited person will get no mail; empty if they will."""
    if not services.mail_check.has_server:
        return _NO_SERVER
    return "" if await services.mail_check.problem() is None else _NO_MAIL


def _person(request: Request, visitor: Visitor, member: Member, status: int = 200, problem: str = "") -> Response:
    return page(request, visitor, "people/person.html", status, member=member, problem=problem, roles=_ROLES)
