"""`/v1/invoices`."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from serve_app.api.answers import json_answer, list_answer
from serve_app.api.bodies import AmendBody, ExtractBody, read_body, schema_of
from serve_app.api.dependencies import AnyCaller, AnyServices, InvoiceId, Writer
from serve_app.api.documented import errors_with, success
from serve_app.api.filters import invoice_query
from serve_app.api.idempotency import IdempotencyKey
from serve_app.api.parameters import Flag, Identifier, Limit
from serve_app.api.schemas import AcceptedInvoice, InvoiceList
from serve_app.api.uploads import CREATE_BODY, document_of
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import InvoiceQuery
from serve_app.services.create import body_of

router = APIRouter(prefix="/v1/invoices", tags=["invoices"])


@router.post(
    "",
    status_code=202,
    response_model=AcceptedInvoice,
    response_description="Accepted; extraction goes on in the background.",
    responses={
        **success(202, headers=("Location", "Idempotency-Replayed")),
        **success(200, Invoice, "Finished in time, with `wait=true`.", ("Idempotency-Replayed",)),
        **errors_with(
            *("missing_file", "invalid_base64", "invalid_body", "invalid_parameter", "insufficient_scope"),
            *("idempotency_in_flight", "file_too_large", "unsupported_file_type", "file_url_unreachable"),
            "monthly_quota_reached",
        ),
    },
    openapi_extra=CREATE_BODY,
)
async def create_invoice(
    request: Request,
    services: AnyServices,
    caller: Writer,
    key: IdempotencyKey,
    wait: Annotated[Flag, Query(description="Hold the call until extraction has finished, up to 60 s.")] = False,
) -> Response:
    """Accept a document. 200 with the finished invoice where `wait` saw it finish, else 202."""
    # The body is read only if it is needed: a repeated request gets its stored response whatever the body is.
    source = partial(document_of, request, services)
    created = await services.create(caller.account, source, key=key, wait=wait)
    headers = {"Location": f"/v1/invoices/{created.invoice_id}"} if created.status == 202 else {}
    if created.is_replayed:
        headers["Idempotency-Replayed"] = "true"
    return json_answer(created.body, created.status, headers)


@router.get(
    "", response_model=InvoiceList, responses={**success(), **errors_with("invalid_parameter", "query_timeout")}
)
async def list_invoices(
    services: AnyServices,
    caller: AnyCaller,
    query: Annotated[InvoiceQuery, Depends(invoice_query)],
    limit: Limit = 25,
    starting_after: Annotated[
        Identifier | None,
        Query(description="Only what follows this invoice, which may have been deleted in the last 30 days."),
    ] = None,
) -> Response:
    """The account's invoices, newest first."""
    page = await services.list_invoices(caller.account.id, query, limit, starting_after)
    return list_answer([body_of(invoice) for invoice in page.items], page.has_more)


@router.get("/{id}", response_model=Invoice, responses={**success(), **errors_with("invoice_not_found")})
async def get_invoice(invoice_id: InvoiceId, services: AnyServices, caller: AnyCaller) -> Response:
    """One invoice of the caller's account."""
    return json_answer(body_of(await services.get_invoice(caller.account.id, invoice_id)))


@router.patch(
    "/{id}",
    response_model=Invoice,
    responses={
        **success(),
        **errors_with("invalid_body", "invoice_not_complete", "insufficient_scope", "invoice_not_found"),
    },
    openapi_extra=schema_of(AmendBody, {"paid": True, "entity_tag": "north"}),
)
async def amend_invoice(request: Request, caller: Writer, invoice_id: InvoiceId, services: AnyServices) -> Response:
    """Mark a complete invoice as paid or unpaid, or tag any."""
    body = await read_body(request, AmendBody)
    return json_answer(body_of(await services.amend(caller.account.id, invoice_id, body.amendment())))


@router.post(
    "/{id}/extract",
    status_code=202,
    response_model=Invoice,
    response_description="The invoice, which is queued, or was on its way already.",
    responses={
        **success(202, headers=("Location",)),
        **errors_with(
            *("invalid_body", "already_complete", "insufficient_scope", "invoice_not_found"),
            "monthly_quota_reached",
        ),
    },
    openapi_extra=schema_of(ExtractBody, {"force": True}, required=False),
)
async def extract_again(request: Request, caller: Writer, invoice_id: InvoiceId, services: AnyServices) -> Response:
    """Read the stored document again; counts toward the quota. Nothing happens to an invoice that is queued or runs."""
    body = await read_body(request, ExtractBody, optional=True)
    invoice = await services.rerun(caller.account, invoice_id, force=body.force)
    return json_answer(body_of(invoice), 202, {"Location": f"/v1/invoices/{invoice.id}"})
