"""Comments on an invoice."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from serve_app.domain.errors import InvalidParameter
from serve_app.services.comments.service import Added
from serve_app.web.links import own_address
from serve_app.web.pages import redirect
from serve_app.web.query_parameters import require_id
from serve_app.web.visitor import AnyServices, Reviewer

router = APIRouter(prefix="/invoices/{id}")


@router.post("/comments")
async def add_comment(request: Request, id: str, services: AnyServices, visitor: Reviewer) -> Response:
    """Adds a comment, and notifies whom it names."""
    invoice_id = require_id(id)
    path = f"/app/invoices/{invoice_id}"
    text, url = str((await request.form()).get("text", "")), own_address(request, services.settings) + path
    try:
        added = await services.comments.add(visitor.account.id, invoice_id, visitor.person, text, url)
    except InvalidParameter as error:
        return redirect(path, error.message)
    return redirect(f"{path}#comments", _notice(added, has_server=services.mail_check.has_server))


def _notice(added: Added, *, has_server: bool) -> str:
    if not added.comment.mentions:
        return "The comment was added."
    if not has_server:
        return "The comment was added. Mentioned people see it on the start page, because there is no mail server."
    parts = ["The comment was added."]
    parts += [f"{', '.join(added.notified)} got an e-mail."] if added.notified else []
    if added.not_notified:
        parts.append(f"The e-mail to {', '.join(added.not_notified)} failed; the comment appears on the start page.")
    return " ".join(parts)
