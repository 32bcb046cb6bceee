"""Documents behind the links in a mail: fetched when a person says so, never by the service itself, because such links
may work only once, or tell the sender that somebody has looked."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from serve_app.domain.errors import ServiceError
from serve_app.domain.invoice import Source
from serve_app.services.intake.created import Replay
from serve_app.web.changes import record
from serve_app.web.pages import redirect
from serve_app.web.query_parameters import require_id
from serve_app.web.send.errors import explain
from serve_app.web.visitor import AnyServices, Reviewer

router = APIRouter()


@router.post("/mail/{id}/parts/{path}/fetch")
async def fetch_link(
    services: AnyServices, visitor: Reviewer, id: str, path: str, link: Annotated[str, Form()] = ""
) -> Response:
    """Fetch what one of the part's links leads to, and make an invoice of it."""
    mail = await services.mailroom.mails.get(visitor.account.id, require_id(id))
    part = mail.part(path)
    if part is None or link not in part.links:
        raise LookupError(link)
    try:
        upload = await services.file_urls.fetch(link, None)
        permit = await services.creation.begin(visitor.account, None)
        if isinstance(permit, Replay):
            raise RuntimeError("a request without an idempotency key repeats none")
        document = replace(upload, source=Source.EMAIL, entity_tag=mail.entity_tag)
        created = await services.creation.accept(permit, document, wait=False)
    except ServiceError as error:
        message = explain(error, services.settings.max_file_bytes).replace("`file_url`", "The link")
        return redirect(f"/app/mail/{mail.id}", message)
    await services.mailroom.mails.note_fetched(visitor.account.id, mail.id, path, created.invoice)
    # Without the link, which may be a password.
    await record(services, visitor, "mail.link_fetched", str(mail.id), invoice=created.invoice.id)
    return redirect(f"/app/invoices/{created.invoice.id}", "The document was fetched and is read now.")
