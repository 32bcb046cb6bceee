"""`/v1/invoices`."""

import logging
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse

from serve_app.api.dependencies import AnyCaller, AnyServices, InvoiceId, Writer
from serve_app.api.uploads import Base64Upload, read_upload
from serve_app.domain.account import Account
from serve_app.domain.errors import ServiceError
from serve_app.domain.invoice import Invoice, Status
from serve_app.services.bundle import Services

router = APIRouter(prefix="/v1/invoices", tags=["invoices"])
# The body is read by hand, so its description is given by hand, too.
_CREATE_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                }
            },
            "application/json": {"schema": Base64Upload.model_json_schema()},
        },
    }
}
_FINISHED = (Status.COMPLETE, Status.FAILED)

log = logging.getLogger(__name__)


@router.post("", status_code=202, response_model=Invoice, openapi_extra=_CREATE_BODY)
async def create_invoice(
    request: Request, services: AnyServices, caller: Writer, wait: Annotated[bool, Query()] = False
) -> JSONResponse:
    """Accept a document; with `wait` hold the call until it is finished, at most for the wait window."""
    accepted = await services.submit(caller.account, await read_upload(request))
    if not wait:
        return _answer(202, accepted)
    latest = await _wait(services, caller.account, accepted)
    if latest.status in _FINISHED:
        return _answer(200, latest)
    return _answer(202, latest, wait_timed_out=True)


@router.get("/{invoice_id}", response_model=Invoice)
async def get_invoice(invoice_id: InvoiceId, services: AnyServices, caller: AnyCaller) -> JSONResponse:
    """One invoice of the caller's account."""
    return _answer(200, await services.get_invoice(caller.account.id, invoice_id))


async def _wait(services: Services, account: Account, accepted: Invoice) -> Invoice:
    """The invoice after waiting. The document is accepted whatever happens here, so trouble only ends the waiting."""
    await services.wait(accepted.id, services.settings.wait_seconds)
    try:
        return await services.get_invoice(account.id, accepted.id)
    except ServiceError as error:
        log.warning("cannot look at the invoice waited for: %r", error, extra={"invoice_id": str(accepted.id)})
        return accepted


def _answer(status: int, invoice: Invoice, **extra: Any) -> JSONResponse:
    return JSONResponse({**invoice.model_dump(mode="json"), **extra}, status_code=status)
