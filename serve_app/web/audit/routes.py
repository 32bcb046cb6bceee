"""The audit trail of the account: for owners."""

from uuid import UUID

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from serve_app.web.audit.view import line_of
from serve_app.web.pages import page
from serve_app.web.visitor import AnyServices, Owner

router = APIRouter()

_PAGE = 50


@router.get("/audit")
async def show_audit(request: Request, services: AnyServices, visitor: Owner, after: UUID | None = None) -> Response:
    """Who changed what, newest first."""
    found = await services.people.audit.page(visitor.account.id, _PAGE, after)
    return page(
        request,
        visitor,
        "audit/audit.html",
        lines=[line_of(entry) for entry in found.items],
        next_path=f"/app/audit?after={found.items[-1].id}" if found.has_more else "",
        first_path="/app/audit" if after else "",
        command=f"invoices audit {visitor.account.id}",
    )
