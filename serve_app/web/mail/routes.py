"""Mails that came in: the list, one of them, and what people decide about it."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Form
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.clock import utc_now
from serve_app.domain.errors import InvalidParameter, InvoiceNotFound
from serve_app.domain.inbound_mail import HeldFor, InboundMail, MailQuery, MailState
from serve_app.domain.invoice import Invoice
from serve_app.domain.mail_address import MailAddress
from serve_app.domain.mail_result import invoices_of
from serve_app.domain.mail_trust import claimed_sender
from serve_app.services.bundle import Services
from serve_app.web.changes import record
from serve_app.web.mail.view import (
    LIST,
    PAGE,
    SHOWN,
    MailFilters,
    MailRow,
    describe_result,
    is_moving,
    name_of,
    rows_of,
    senders_of,
    state_of,
    tree_of,
)
from serve_app.web.pages import fragment, page, redirect, wants_fragment
from serve_app.web.query_parameters import id_of, require_id
from serve_app.web.visitor import AnyServices, AnyVisitor, Reviewer, Visitor

router = APIRouter()

_MOST_HELD = 100
_RECENT = 20
_MOST_TROUBLED = 10
_QUESTION_LIFE = timedelta(days=7)

Text = Annotated[str, Form()]


@router.get("/mail")
async def list_mails(
    request: Request,
    services: AnyServices,
    visitor: AnyVisitor,
    state: str = "",
    address: str = "",
    q: str = "",
    after: str = "",
) -> HTMLResponse:
    """The account's mails, filtered by the address of the page."""
    filters, account_id, room = MailFilters(state, address, q), visitor.account.id, services.mailroom
    addresses = await room.addresses.of_account(account_id)
    found = await room.mails.page(account_id, filters.query(), PAGE, id_of(after))
    held = await room.mails.page(account_id, MailQuery(held_for=HeldFor.SENDER), _MOST_HELD)
    newest = await room.mails.page(account_id, MailQuery(), _RECENT)
    return page(
        request,
        visitor,
        "mail/list.html",
        filters=filters,
        shown=SHOWN,
        addresses=addresses,
        name_of=name_of,
        rows=rows_of(found.items, await room.results.of(found.items), addresses),
        troubled=[] if filters.is_filtered or after else await _failed_mails(services, account_id, addresses),
        held=len(held.items),
        are_more_held=held.has_more,
        questions=[mail for mail in newest.items if mail.confirmation is not None and _is_new(mail)],
        next_path=filters.path(found.items[-1].id) if found.has_more else "",
        first_path=filters.path() if after else "",
    )


@router.get("/mail/{id}")
async def show_mail(request: Request, services: AnyServices, visitor: AnyVisitor, id: str) -> HTMLResponse:
    """A mail with its parts."""
    mail = await _mail(services, visitor, id)
    addresses = await services.mailroom.addresses.of_account(visitor.account.id)
    (result,) = await services.mailroom.results.of([mail])
    address = next((each for each in addresses if each.id == mail.address_id), None)
    values: dict[str, Any] = {
        "mail": mail,
        "address": address,
        "address_name": name_of(address) if address else "",
        "state": state_of(mail, result),
        "result": describe_result(result),
        "nodes": tree_of(mail.parts, await _invoices(services, mail)),
        "senders": senders_of(mail),
        "claimed": claimed_sender(mail),
        "is_moving": is_moving(mail, result),
        "may_settle": bool(result.problems) and result.is_finished and not mail.is_settled,
    }
    if wants_fragment(request):
        return fragment(request, visitor, "mail/mail.html", "state", **values)
    return page(request, visitor, "mail/mail.html", **values)


@router.get("/mail/{id}/raw")
async def download_raw(services: AnyServices, visitor: AnyVisitor, id: str) -> Response:
    """The mail as it came in; never shown by the browser."""
    mail = await _mail(services, visitor, id)
    headers = {
        "Content-Disposition": f'attachment; filename="mail-{mail.id}.eml"',
        "Content-Security-Policy": "sandbox; default-src 'none'",
    }
    raw = await services.mailroom.mails.raw(visitor.account.id, mail.id)
    return Response(raw, headers=headers, media_type="message/rfc822")


@router.post("/mail/{id}/admit")
async def admit(services: AnyServices, visitor: Reviewer, id: str, sender: Text = "") -> Response:
    """Read a held mail, and from now on all of `sender`, if one is named: it must be one that was proved."""
    mail = await _mail(services, visitor, id)
    if sender and sender not in senders_of(mail):
        raise InvalidParameter("The sender of this e-mail is not authenticated.")
    if sender:
        await services.mailroom.addresses.allow(visitor.account.id, mail.address_id, sender)
    await services.mailroom.mails.admit(visitor.account.id, mail.id)
    await record(services, visitor, "mail.admitted", str(mail.id), always=sender or None)
    return redirect(
        _path(mail),
        f"The e-mail is read now, and so are later e-mails from {sender}." if sender else "The e-mail is read now.",
    )


@router.post("/mail/{id}/discard")
async def discard(services: AnyServices, visitor: Reviewer, id: str, all: Text = "") -> Response:
    """Make nothing of a held mail, and of `all` of its sender's from now on, those that are held included."""
    mail = await _mail(services, visitor, id)
    await services.mailroom.mails.discard(visitor.account.id, mail.id)
    sender = claimed_sender(mail) if all else ""
    count = 1
    if sender:
        await services.mailroom.addresses.deny(visitor.account.id, mail.address_id, sender)
        count += await services.mailroom.mails.discard_all_of(visitor.account.id, mail.address_id, sender)
    await record(services, visitor, "mail.discarded", str(mail.id), all_of=sender or None)
    if not sender:
        return redirect(LIST, "The e-mail was discarded.")
    held = f"{count} held {'e-mail is' if count == 1 else 'e-mails are'} discarded"
    return redirect(LIST, f"{held}, and so are later e-mails from {sender}.")


@router.post("/mail/{id}/again")
async def read_again(services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Take it apart anew."""
    mail = await _mail(services, visitor, id)
    changed = await services.mailroom.mails.read_again(visitor.account.id, mail.id)
    if changed.state is not MailState.QUEUED:
        return redirect(_path(mail), "The e-mail cannot be read again now.")
    await record(services, visitor, "mail.read_again", str(mail.id))
    return redirect(_path(mail), "The e-mail is unpacked again. Its invoices stay.")


@router.post("/mail/{id}/settle")
async def settle(services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Say that nothing more is to be done about its problems."""
    mail = await _mail(services, visitor, id)
    await services.mailroom.mails.settle(visitor.account.id, mail.id)
    await record(services, visitor, "mail.settled", str(mail.id))
    return redirect(LIST, "The problem is marked as resolved.")


@router.post("/mail/{id}/parts/{path}/read")
async def read_part(services: AnyServices, visitor: Reviewer, id: str, path: str) -> Response:
    """Make an invoice of a part that was left out."""
    mail = await _mail(services, visitor, id)
    changed = await services.mailroom.mails.read_anyway(visitor.account.id, mail.id, path)
    if changed == mail:
        return redirect(_path(mail), "This part cannot be read.")
    await record(services, visitor, "mail.part_read", str(mail.id), part=path)
    return redirect(_path(mail), "The part is read now and counts towards the quota.")


@router.post("/mail/{id}/parts/{path}/ignore")
async def ignore_picture(services: AnyServices, visitor: Reviewer, id: str, path: str) -> Response:
    """Leave the same picture out of later mails to this address."""
    mail = await _mail(services, visitor, id)
    part = mail.part(path)
    if part is None or part.sha256 is None:
        raise LookupError(path)
    await services.mailroom.addresses.ignore_picture(visitor.account.id, mail.address_id, part.sha256)
    await record(services, visitor, "mail.picture_ignored", str(mail.id), part=path)
    return redirect(_path(mail), "This picture is ignored in new e-mails.")


async def _failed_mails(services: Services, account_id: UUID, addresses: Sequence[MailAddress]) -> list[MailRow]:
    """The newest mails with problems that nobody has settled."""
    found = await services.mailroom.mails.page(account_id, MailQuery(has_problems=True), _MOST_TROUBLED)
    results = await services.mailroom.results.of(found.items)
    still = [(mail, result) for mail, result in zip(found.items, results, strict=True) if result.problems]
    return rows_of([mail for mail, _ in still], [result for _, result in still], addresses)


async def _invoices(services: Services, mail: InboundMail) -> dict[UUID, Invoice]:
    """The invoices of the mail that there still are."""
    found = {}
    for invoice_id in invoices_of(mail):
        with suppress(InvoiceNotFound):
            found[invoice_id] = await services.invoices.get(mail.account_id, invoice_id)
    return found


def _is_new(mail: InboundMail) -> bool:
    """Whether somebody may still wait for the answer to its question."""
    return utc_now() - mail.received_at < _QUESTION_LIFE


async def _mail(services: Services, visitor: Visitor, id: str) -> InboundMail:
    return await services.mailroom.mails.get(visitor.account.id, require_id(id))


def _path(mail: InboundMail) -> str:
    return f"{LIST}/{mail.id}"
