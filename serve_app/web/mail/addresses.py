"""Private addresses: who may write to them, and what becomes of what comes."""

from typing import Annotated, Any

from fastapi import APIRouter, Form
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.mail_address import OLD_ADDRESS_LIFE, Answering, Bodies, MailAddress, SenderPolicy
from serve_app.services.bundle import Services
from serve_app.services.mailroom.senders import senders_in
from serve_app.web.changes import record
from serve_app.web.mail.qr import qr_svg
from serve_app.web.mail.view import name_of
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import one_of, require_id
from serve_app.web.visitor import AnyServices, Owner, Reviewer, Visitor

router = APIRouter()

ADDRESSES = "/app/mail/addresses"
POLICIES = {
    SenderPolicy.ANYONE: "Everybody",
    SenderPolicy.KNOWN: "People of this account and the allowed senders",
    SenderPolicy.LISTED: "Only the allowed senders",
}
BODIES = {
    Bodies.ALONE: "If the e-mail has no document and its text looks like an invoice",
    Bodies.ALWAYS: "Always",
    Bodies.NEVER: "Never",
}
ANSWERS = {
    Answering.FAILURES: "If something could not be read",
    Answering.ALWAYS: "Always",
    Answering.NEVER: "Never",
}
Text = Annotated[str, Form()]


class AddressForm(BaseModel):
    """What the form has; lists are one sender a line."""

    label: str = ""
    entity_tag: str = ""
    policy: str = SenderPolicy.ANYONE
    allowed: str = ""
    denied: str = ""
    bodies: str = Bodies.ALONE
    answering: str = Answering.FAILURES

    @classmethod
    def of(cls, address: MailAddress) -> "AddressForm":
        """Filled with what is in force."""
        return cls(
            label=address.label,
            entity_tag=address.entity_tag or "",
            policy=address.policy,
            allowed="\n".join(address.allowed),
            denied="\n".join(address.denied),
            bodies=address.bodies,
            answering=address.answering,
        )

    def rules(self) -> dict[str, Any]:
        """As fields of an address. Raises InvalidParameter."""
        return {
            "label": self.label.strip(),
            "entity_tag": self.entity_tag.strip() or None,
            "policy": one_of(SenderPolicy, self.policy) or SenderPolicy.ANYONE,
            "allowed": senders_in(self.allowed),
            "denied": senders_in(self.denied),
            "bodies": one_of(Bodies, self.bodies) or Bodies.ALONE,
            "answering": one_of(Answering, self.answering) or Answering.FAILURES,
        }


@router.get("/mail/addresses")
async def list_addresses(request: Request, services: AnyServices, visitor: Reviewer) -> HTMLResponse:
    """The account's addresses."""
    return await _list(request, services, visitor)


@router.post("/mail/addresses")
async def create_address(
    request: Request, services: AnyServices, visitor: Owner, label: Text = "", prefix: Text = ""
) -> Response:
    """A new address."""
    try:
        address = await services.mailroom.addresses.create(
            visitor.account.id, prefix.strip() or label.strip(), label=label.strip()
        )
    except InvalidParameter as error:
        return await _list(request, services, visitor, 400, problem=error.message, label=label, prefix=prefix)
    await record(services, visitor, "mail_address.made", str(address.id), label=address.label or None)
    return redirect(_path(address), "The address was created.")


@router.get("/mail/addresses/{id}")
async def show_address(request: Request, services: AnyServices, visitor: Reviewer, id: str) -> HTMLResponse:
    """An address, with how mail gets there."""
    return await _show(request, services, visitor, await _address(services, visitor, id))


@router.post("/mail/addresses/{id}")
async def change_address(
    request: Request, services: AnyServices, visitor: Owner, id: str, form: Annotated[AddressForm, Form()]
) -> Response:
    """Change what becomes of its mails."""
    address = await _address(services, visitor, id)
    try:
        changed = await services.mailroom.addresses.change(visitor.account.id, address.id, **form.rules())
    except InvalidParameter as error:
        return await _show(request, services, visitor, address, 400, problem=error.message, form=form)
    await record(services, visitor, "mail_address.changed", str(address.id), policy=changed.policy)
    return redirect(_path(address), "Saved. The rules apply to new e-mails.")


@router.get("/mail/addresses/{id}/{act}")
async def ask(request: Request, services: AnyServices, visitor: Owner, id: str, act: str) -> HTMLResponse:
    """The question whether to replace or to retire it."""
    if act not in ("renew", "retire"):
        raise LookupError(act)
    address = await _address(services, visitor, id)
    written = services.mailroom.addresses.written(address)
    days = OLD_ADDRESS_LIFE.days
    return page(request, visitor, "mail/ask.html", address=address, written=written, act=act, days=days)


@router.post("/mail/addresses/{id}/renew")
async def renew_address(services: AnyServices, visitor: Owner, id: str) -> Response:
    """A new one with the same rules; the old one takes mail for some time."""
    address = await _address(services, visitor, id)
    new = await services.mailroom.addresses.renew(visitor.account.id, address.id)
    await record(services, visitor, "mail_address.replaced", str(address.id), new=new.id)
    return redirect(
        _path(new), f"This is the new address. The old one accepts e-mails for another {OLD_ADDRESS_LIFE.days} days."
    )


@router.post("/mail/addresses/{id}/retire")
async def retire_address(services: AnyServices, visitor: Owner, id: str) -> Response:
    """It takes no more mail."""
    address = await services.mailroom.addresses.retire(visitor.account.id, require_id(id))
    await record(services, visitor, "mail_address.retired", str(address.id))
    return redirect(ADDRESSES, "The address is disabled; senders get a notice.")


async def _address(services: Services, visitor: Visitor, id: str) -> MailAddress:
    return await services.mailroom.addresses.get(visitor.account.id, require_id(id))


async def _list(
    request: Request, services: Services, visitor: Visitor, status: int = 200, **values: Any
) -> HTMLResponse:
    addresses = await services.mailroom.addresses.of_account(visitor.account.id)
    known = {
        "addresses": addresses,
        "written": services.mailroom.addresses.written,
        "now": utc_now(),
        "policies": POLICIES,
        "problem": "",
        "label": "",
        "prefix": "",
    }
    return page(request, visitor, "mail/addresses.html", status, **known | values)


async def _show(
    request: Request, services: Services, visitor: Visitor, address: MailAddress, status: int = 200, **values: Any
) -> HTMLResponse:
    form = values.pop("form", None) or AddressForm.of(address)
    known = {
        "address": address,
        "name": name_of(address),
        "written": services.mailroom.addresses.written(address),
        "qr": qr_svg(services.mailroom.addresses.written(address)),
        "takes_mail": address.takes_mail_at(utc_now()),
        "form": form.model_dump(),
        "policies": POLICIES,
        "bodies": BODIES,
        "answers": ANSWERS,
        "can_send": services.mailroom.trials.can_send,
        "problem": "",
    }
    return page(request, visitor, "mail/address.html", status, **known | values)


def _path(address: MailAddress) -> str:
    return f"{ADDRESSES}/{address.id}"
