"""`/v1/invoices`."""

from dataclasses import replace
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, REPEATABLE, errors_with, success, tagged
from serve_app.api.filters import invoice_query
from serve_app.api.idempotency import REPLAYED, IdempotencyKey, change_once
from serve_app.api.schemas import AcceptedInvoice, InvoiceList
from serve_app.api.simulated_errors import raise_if_asked
from serve_app.api.uploads import CREATE_BODY, document_of
from serve_app.domain.errors import InvalidParameter
from serve_app.domain.idempotency import StoredAnswer
from serve_app.domain.invoice import Invoice, without_citations
from serve_app.domain.query import InvoiceQuery, Position, change_position
from serve_app.http.answers import json_answer, list_answer
from serve_app.http.bodies import AmendBody, ExtractBody, read_body, schema_of
from serve_app.http.dependencies import AnyCaller, AnyServices, InvoiceId, Writer
from serve_app.http.parameters import Flag, Identifier, Limit
from serve_app.services.intake.created import Replay
from serve_app.services.invoices.repeatable import ChangeRequest

router = APIRouter(prefix="/v1/invoices", tags=["invoices"])


@router.post(
    "",
    status_code=202,
    response_model=AcceptedInvoice,
    response_description="Accepted; extraction continues in the background.",
    responses={
        **success(202, headers=("Location", "Idempotency-Replayed")),
        **success(200, Invoice, "Finished within the wait window, with `wait=true`.", ("Idempotency-Replayed",)),
        **errors_with(
            *("missing_file", "invalid_base64", "invalid_body", "invalid_parameter", "insufficient_scope"),
            *("idempotency_in_flight", "file_too_large", "unsupported_file_type", "file_url_unreachable"),
            *("monthly_quota_reached", "monthly_budget_reached", "queue_too_long"),
        ),
    },
    openapi_extra=CREATE_BODY,
)
async def create_invoice(
    request: Request,
    services: AnyServices,
    caller: Writer,
    key: IdempotencyKey,
    wait: Annotated[
        Flag, Query(description="Hold the call until the extraction has finished, up to $wait_seconds s.")
    ] = False,
) -> Response:
    """Accept a document. The status is 200 if the extraction finished during `wait`, else 202."""
    begun = await services.creation.begin(caller.account, key)
    if isinstance(begun, Replay):
        # A repeated request gets its stored answer whatever its body is.
        return _created(begun.invoice_id, begun.answer, dict(REPLAYED))
    async with services.creation.released_on_failure(begun):
        sent = await document_of(request, services)
        if not caller.account.is_live:
            raise_if_asked(sent.name)
        upload = await services.uploads.without_signature(sent)
    created = await services.creation.accept(begun, upload, wait=wait)
    return _created(created.invoice.id, created.answer, {})


def _created(invoice_id: UUID, answer: StoredAnswer, headers: dict[str, str]) -> Response:
    if answer.status == 202:
        headers |= {"Location": f"/v1/invoices/{invoice_id}"}
    return json_answer(answer.body, answer.status, headers)


@router.get(
    "",
    response_model=InvoiceList,
    responses={**tagged(), **errors_with("invalid_parameter", "query_timeout")},
    openapi_extra=IF_NONE_MATCH,
)
async def list_invoices(
    services: AnyServices,
    caller: AnyCaller,
    query: Annotated[InvoiceQuery, Depends(invoice_query)],
    limit: Limit = 25,
    starting_after: Annotated[
        Identifier | None,
        Query(description="Only invoices after this one. It may have been deleted in the last 30 days."),
    ] = None,
    exclude: Annotated[
        Literal["citations"] | None,
        Query(description="Sets all `citations` to null, which makes the response smaller."),
    ] = None,
    sort: Annotated[
        Literal["updated_at"] | None,
        Query(
            description="`updated_at`: oldest change first, without changes of the last 10 s, which may be incomplete. "
            "To continue, send the last item's `updated_at` as `updated_after` and its `id` as `starting_after`. "
            "Default: newest invoice first."
        ),
    ] = None,
) -> Response:
    """List the account's invoices, newest first or in the order of their changes."""
    query = await services.vendors.with_kept(caller.account.id, query)
    if sort is None:
        page = await services.invoices.list(caller.account.id, query, limit, starting_after)
    else:
        page = await services.invoices.changes(caller.account.id, *_changes(query, starting_after, limit))
    shown = page.items if exclude is None else [without_citations(invoice) for invoice in page.items]
    return list_answer([invoice.model_dump_json() for invoice in shown], page.has_more)


def _changes(query: InvoiceQuery, starting_after: UUID | None, limit: int) -> tuple[InvoiceQuery, int, Position | None]:
    """What to ask for in the order of changes. Raises InvalidParameter for a place without its moment."""
    if starting_after is None:
        return query, limit, None
    if query.updated_after is None:
        raise InvalidParameter(
            "starting_after: with `sort`, also send `updated_after`; take both from the last item.", "starting_after"
        )
    place = change_position(query.updated_after, starting_after)
    # Others may have changed at the same moment.
    return replace(query, updated_after=None), limit, place


@router.get(
    "/{id}",
    response_model=Invoice,
    responses={**tagged(), **errors_with("invoice_not_found")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_invoice(invoice_id: InvoiceId, services: AnyServices, caller: AnyCaller) -> Response:
    """One invoice of the caller's account."""
    invoice = await services.invoices.get(caller.account.id, invoice_id)
    invoice = await services.start_times.with_start_estimate(caller.account.id, invoice)
    return json_answer(invoice.model_dump_json())


@router.patch(
    "/{id}",
    response_model=Invoice,
    responses={
        **success(headers=("Idempotency-Replayed",)),
        **errors_with(
            *("invalid_body", "invalid_parameter", "invoice_not_complete", "insufficient_scope", "invoice_not_found"),
            *REPEATABLE,
        ),
    },
    openapi_extra=schema_of(AmendBody, {"paid": True, "entity_tag": "north"}),
)
async def amend_invoice(
    request: Request, caller: Writer, invoice_id: InvoiceId, services: AnyServices, key: IdempotencyKey
) -> Response:
    """Mark a complete invoice as paid or unpaid, or tag any invoice."""
    body = await read_body(request, AmendBody)

    async def amend(change_id: UUID | None) -> Invoice:
        return await services.invoices.amend(caller.account.id, invoice_id, body.amendment(), change_id)

    asked = ChangeRequest(caller.account.id, invoice_id, "amend", body.fingerprint, key)
    return await change_once(services, asked, amend)


@router.delete(
    "/{id}",
    status_code=204,
    response_description="The invoice was deleted.",
    responses={**success(204), **errors_with("insufficient_scope", "invoice_not_found", "invoice_kept")},
)
async def delete_invoice(caller: Writer, invoice_id: InvoiceId, services: AnyServices) -> Response:
    """Delete an invoice permanently, with its events, deliveries and document. A document is kept while other invoices
    share it. The quota is not refunded."""
    await services.invoices.delete(caller.account.id, invoice_id)
    return Response(status_code=204)


@router.post(
    "/{id}/extract",
    status_code=202,
    response_model=Invoice,
    response_description="The invoice, which is queued now or was already queued or processing.",
    responses={
        **success(202, headers=("Location", "Idempotency-Replayed")),
        **errors_with(
            *("invalid_body", "invalid_parameter", "already_complete", "insufficient_scope", "invoice_not_found"),
            *("document_removed", "invoice_exported", "monthly_quota_reached", "monthly_budget_reached", *REPEATABLE),
        ),
    },
    openapi_extra=schema_of(ExtractBody, {"force": True}, required=False),
)
async def extract_again(
    request: Request, caller: Writer, invoice_id: InvoiceId, services: AnyServices, key: IdempotencyKey
) -> Response:
    """Read the stored document again; counts towards the quota. An invoice that is queued or processing stays as it
    is."""
    body = await read_body(request, ExtractBody, optional=True)

    async def queue(change_id: UUID | None) -> Invoice:
        if body.password is not None:
            queued = await services.cutting.unlock(caller.account, invoice_id, body.password, change_id)
        else:
            queued = await services.invoices.read_again(
                caller.account, invoice_id, force=body.force, change_id=change_id
            )
        return await services.start_times.with_start_estimate(caller.account.id, queued)

    asked = ChangeRequest(caller.account.id, invoice_id, "extract", body.fingerprint, key)
    return await change_once(services, asked, queue, lambda invoice: StoredAnswer(202, invoice.model_dump_json()))
