"""Requests for approval: open and answered, remind, withdraw."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from serve_app.domain.errors import MailLimitReached, MailNotSent, NotComplete
from serve_app.domain.invoice import ApprovalStatus
from serve_app.web.api_calls import curl_of
from serve_app.web.changes import record
from serve_app.web.links import own_address
from serve_app.web.pages import page, redirect
from serve_app.web.query_parameters import id_of, one_of, path_with, require_id
from serve_app.web.visitor import AnyServices, AnyVisitor, Reviewer

router = APIRouter()

LIST = "/app/approvals"
PAGE = 50
TABS = {
    ApprovalStatus.REQUESTED: "Open",
    ApprovalStatus.APPROVED: "Approved",
    ApprovalStatus.REJECTED: "Rejected",
}


@router.get("/approvals")
async def list_approvals(
    request: Request, services: AnyServices, visitor: AnyVisitor, state: str = "", after: str = ""
) -> HTMLResponse:
    """The account's requests in one state, newest invoice first."""
    status = one_of(ApprovalStatus, state) or ApprovalStatus.REQUESTED
    found = await services.approvals.list(visitor.account.id, status, PAGE, id_of(after))
    return page(
        request,
        visitor,
        "approvals/list.html",
        chosen=status,
        tabs=TABS,
        approvals=found.items,
        next_path=path_with(LIST, state=status, after=found.items[-1].invoice.id) if found.has_more else "",
        first_path=path_with(LIST, state=status) if after else "",
        call=curl_of(request, services.settings, "/v1/invoices", approval_status=status),
    )


@router.post("/approvals/{id}/remind")
async def remind(request: Request, services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Send a new mail to the person who was asked; the link of the earlier one stops working."""
    links = own_address(request, services.settings)
    try:
        asked = await services.approvals.remind(visitor.account.id, require_id(id), visitor.person.email, links)
    except (MailLimitReached, MailNotSent, NotComplete) as error:
        return redirect(LIST, error.message)
    if asked is None:
        return redirect(LIST, "The request was already answered or withdrawn. Nothing was sent.")
    await record(services, visitor, "approval.reminded", id)
    if not services.mail_check.has_server:
        return redirect(
            LIST,
            "The new e-mail was written to a file, because this service has no mail server. The "
            "operator can forward it.",
        )
    return redirect(
        LIST, f"A new e-mail was sent to {asked.approval_email}. The links in the earlier one no longer work."
    )


@router.get("/approvals/{id}/withdraw")
async def ask_to_withdraw(request: Request, services: AnyServices, visitor: Reviewer, id: str) -> HTMLResponse:
    """The question whether to take the request back."""
    invoice = await services.invoices.get(visitor.account.id, require_id(id))
    return page(request, visitor, "approvals/withdraw.html", invoice=invoice)


@router.post("/approvals/{id}/withdraw")
async def withdraw(services: AnyServices, visitor: Reviewer, id: str) -> Response:
    """Take the request back."""
    if await services.approvals.withdraw(visitor.account.id, require_id(id)) is None:
        return redirect(LIST, "The request was already answered or withdrawn.")
    await record(services, visitor, "approval.withdrawn", id)
    return redirect(LIST, "The request was withdrawn. The links in the e-mail no longer work.")
