"""`/v1/invoices/{id}/approval`, and the pages behind the links in its mail."""

from typing import Annotated, Literal
from urllib.parse import parse_qs
from uuid import UUID

from fastapi import APIRouter, Request
from pydantic import AfterValidator, WithJsonSchema
from starlette.responses import HTMLResponse, Response

from serve_app.api.approval_pages import PageRoute, notice, question, thanks
from serve_app.api.documented import REPEATABLE, errors_with, success
from serve_app.api.idempotency import IdempotencyKey, change_once
from serve_app.domain.email_address import MAX_ADDRESS_LENGTH, mail_server_form
from serve_app.domain.idempotency import StoredAnswer
from serve_app.domain.invoice import ApprovalStatus, Invoice
from serve_app.domain.resource import Resource
from serve_app.http.bodies import Body, read_body, schema_of
from serve_app.http.dependencies import AnyServices, InvoiceId, Writer
from serve_app.http.own_address import own_address
from serve_app.services.invoices.repeatable import ChangeRequest

# Enough for the form, which has two short fields.
_MAX_FORM_BYTES = 1024
_ANSWERS = {"approve": True, "reject": False}

router = APIRouter(tags=["invoices"])
pages = APIRouter(include_in_schema=False, route_class=PageRoute)


def _checked(text: str) -> str:
    if mail_server_form(text) is None:
        raise ValueError("not an e-mail address; only its host may have characters beyond ASCII")
    return text


EmailAddress = Annotated[
    str,
    AfterValidator(_checked),
    WithJsonSchema({"type": "string", "format": "email", "maxLength": MAX_ADDRESS_LENGTH}),
]


class ApprovalBody(Body):
    """The recipient of the request."""

    email: EmailAddress


class ApprovalRequested(Resource):
    """The request has been sent."""

    id: UUID
    approval_status: Literal[ApprovalStatus.REQUESTED] = ApprovalStatus.REQUESTED
    approval_email: str


@router.post(
    "/v1/invoices/{id}/approval",
    response_model=ApprovalRequested,
    responses={
        **success(headers=("Idempotency-Replayed",)),
        **errors_with(
            *("invalid_body", "invalid_parameter", "invoice_not_complete", "insufficient_scope", "invoice_not_found"),
            *("email_delivery_failed", *REPEATABLE),
        ),
    },
    openapi_extra=schema_of(ApprovalBody, {"email": "boss@example.com"}),
)
async def request_approval(
    request: Request, caller: Writer, invoice_id: InvoiceId, services: AnyServices, key: IdempotencyKey
) -> Response:
    """Ask a person by e-mail to approve or reject a complete invoice. An earlier request becomes invalid."""
    body = await read_body(request, ApprovalBody)
    base = own_address(request, services.settings)
    asked_by = (
        f"The holder of the API key \N{LEFT DOUBLE QUOTATION MARK}{caller.key.name}\N{RIGHT DOUBLE QUOTATION MARK}"
    )

    async def send(change_id: UUID | None) -> Invoice:
        return await services.approvals.request(caller.account.id, invoice_id, body.email, asked_by, base, change_id)

    def requested(invoice: Invoice) -> StoredAnswer:
        return StoredAnswer(200, ApprovalRequested(id=invoice.id, approval_email=body.email).model_dump_json())

    asked = ChangeRequest(caller.account.id, invoice_id, "approval", body.fingerprint, key)
    return await change_once(services, asked, send, requested)


@pages.get("/approvals/{link}")
async def ask(request: Request, link: str, services: AnyServices) -> HTMLResponse:
    """Shows the invoice and asks. Decides nothing: mail scanners follow links."""
    return question(await services.approvals.look(link), request.query_params.get("answer"))


@pages.post("/approvals/{link}")
async def answer(request: Request, link: str, services: AnyServices) -> HTMLResponse:
    """Takes the answer of the form."""
    form = await _read_form(request)
    approved = _ANSWERS.get(form.get("answer", ""))
    if approved is None:
        return notice(400, "Nothing was decided", "Open the link in the e-mail again and press one of the buttons.")
    return thanks(await services.approvals.answer(link, approved=approved, seen=form.get("seen", "")))


async def _read_form(request: Request) -> dict[str, str]:
    """The fields of the form; empty if the body is not such a form."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_FORM_BYTES:
            return {}
    return {name: values[-1] for name, values in parse_qs(body.decode("ascii", "replace")).items()}


router.include_router(pages)
