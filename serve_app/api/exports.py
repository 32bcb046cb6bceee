"""`/v1/exports`: files for other bookkeeping programs, and the lock of exported invoices."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from serve_app.api.documented import EXPORT_FILE, IF_NONE_MATCH, errors_with, success, tagged
from serve_app.api.export_resources import Export, ExportList, NewExportBody, export_answer
from serve_app.domain.audit import actor_of_key
from serve_app.domain.errors import ExportNotFound
from serve_app.domain.invoice import Invoice
from serve_app.http.answers import json_answer, list_answer
from serve_app.http.attachments import whole_attachment
from serve_app.http.bodies import read_body, schema_of
from serve_app.http.dependencies import AnyCaller, AnyServices, InvoiceId, Writer, id_in_path
from serve_app.http.parameters import Identifier, Limit
from serve_app.services.exports.formats.registry import FORMATS
from serve_app.services.files.links import Download

router = APIRouter(tags=["exports"])

_EXAMPLE: dict[str, object] = {
    "format": "xero",
    "settings": {"expense_account": "429", "tax_codes": {"20": "20% (VAT on Expenses)"}},
    "issued_since": "2026-05-01",
}


ExportId = Annotated[UUID, Depends(id_in_path(ExportNotFound))]


@router.post(
    "/v1/exports",
    status_code=201,
    response_model=Export,
    response_description="The export. Its invoices are locked from now on.",
    responses={
        **success(201, headers=("Location",)),
        **errors_with(
            *("invalid_body", "invalid_parameter", "insufficient_scope", "invoice_not_found", "nothing_to_export"),
        ),
    },
    openapi_extra=schema_of(NewExportBody, _EXAMPLE),
)
async def create_export(request: Request, caller: Writer, services: AnyServices) -> Response:
    """Write the invoices that are ready and in no export yet into a file for another program."""
    body = await read_body(request, NewExportBody)
    actor = actor_of_key(caller.key.name)
    export, draft = await services.exports.create(caller.account.id, body.request(), actor)
    headers = {"Location": f"/v1/exports/{export.id}"}
    return json_answer(export_answer(export, draft.refused).model_dump_json(), 201, headers)


@router.get(
    "/v1/exports",
    response_model=ExportList,
    responses={**tagged(), **errors_with("invalid_parameter")},
    openapi_extra=IF_NONE_MATCH,
)
async def list_exports(
    services: AnyServices,
    caller: AnyCaller,
    limit: Limit = 25,
    starting_after: Annotated[Identifier | None, Query(description="Only exports after this one.")] = None,
) -> Response:
    """The account's exports, newest first."""
    page = await services.exports.list(caller.account.id, limit, starting_after)
    return list_answer([export_answer(export).model_dump_json() for export in page.items], page.has_more)


@router.get(
    "/v1/exports/{id}",
    response_model=Export,
    responses={**tagged(), **errors_with("export_not_found")},
    openapi_extra=IF_NONE_MATCH,
)
async def get_export(export_id: ExportId, caller: AnyCaller, services: AnyServices) -> Response:
    """An export with its receipt."""
    return json_answer(export_answer(await services.exports.get(caller.account.id, export_id)).model_dump_json())


@router.get(
    "/v1/exports/{id}/file",
    response_class=Response,
    responses={**EXPORT_FILE, **errors_with("export_not_found")},
)
async def get_export_file(export_id: ExportId, caller: AnyCaller, services: AnyServices) -> Response:
    """The file of an export, the same each time."""
    export, content = await services.exports.content(caller.account.id, export_id)
    return whole_attachment(Download(content, export.file_name, FORMATS[export.format].media_type))


@router.post(
    "/v1/invoices/{id}/unlock",
    response_model=Invoice,
    responses={**success(), **errors_with("insufficient_scope", "invoice_not_found")},
)
async def unlock_invoice(caller: Writer, invoice_id: InvoiceId, services: AnyServices) -> Response:
    """Let the values of an exported invoice be changed. The next export contains it again: cancel the booking in the
    other program."""
    invoice = await services.exports.unlock(caller.account.id, invoice_id, actor_of_key(caller.key.name))
    return json_answer(invoice.model_dump_json())
