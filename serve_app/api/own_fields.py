"""`/v1/fields`: fields that an account adds to its invoices."""

from typing import Literal

from fastapi import APIRouter, Request
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, errors_with, success, tagged
from serve_app.domain.audit import actor_of_key
from serve_app.domain.invoice import Invoice
from serve_app.domain.own_field import OwnField
from serve_app.domain.resource import Resource
from serve_app.http.answers import json_answer, list_answer
from serve_app.http.bodies import read_body, schema_of
from serve_app.http.dependencies import AnyCaller, AnyServices, InvoiceId, Writer
from serve_app.http.own_field_body import CustomValueBody, OwnFieldBody

router = APIRouter(prefix="/v1", tags=["fields"])

_EXAMPLE: dict[str, object] = {"label": "Delivery date", "type": "date", "captions": ["Delivered on"]}


class OwnFieldList(Resource):
    """The own fields of an account."""

    object: Literal["list"]
    data: list[OwnField]
    has_more: bool


@router.get(
    "/fields", response_model=OwnFieldList, responses={**tagged(), **errors_with()}, openapi_extra=IF_NONE_MATCH
)
async def list_fields(services: AnyServices, caller: AnyCaller) -> Response:
    """The account's own fields, by name: all of them."""
    fields = await services.own_fields.list_all(caller.account.id)
    return list_answer([field.model_dump_json() for field in fields], has_more=False)


@router.put(
    "/fields/{name}",
    response_model=OwnField,
    responses={**success(), **errors_with("invalid_body", "invalid_parameter", "insufficient_scope")},
    openapi_extra=schema_of(OwnFieldBody, _EXAMPLE),
)
async def put_field(request: Request, caller: Writer, services: AnyServices, name: str) -> Response:
    """Add an own field, or replace the one of this name. Invoices that are read from now on have it."""
    body = await read_body(request, OwnFieldBody)
    field = await services.own_fields.put(caller.account.id, body.field(name), actor_of_key(caller.key.name))
    return json_answer(field.model_dump_json())


@router.delete(
    "/fields/{name}",
    status_code=204,
    response_description="The field was deleted.",
    responses={**success(204), **errors_with("insufficient_scope", "field_not_found")},
)
async def delete_field(caller: Writer, services: AnyServices, name: str) -> Response:
    """Delete an own field. Invoices keep its values."""
    await services.own_fields.remove(caller.account.id, name, actor_of_key(caller.key.name))
    return Response(status_code=204)


@router.put(
    "/invoices/{id}/custom/{name}",
    response_model=Invoice,
    responses={
        **success(),
        **errors_with(
            *("invalid_body", "invalid_parameter", "invoice_not_complete", "insufficient_scope"),
            *("invoice_not_found", "field_not_found", "review_changed", "invoice_exported"),
        ),
    },
    openapi_extra=schema_of(CustomValueBody, {"citation": {"page": 1, "box": [0.61, 0.2, 0.75, 0.22]}}),
)
async def point_at_value(
    request: Request, caller: Writer, invoice_id: InvoiceId, services: AnyServices, name: str
) -> Response:
    """Enter or point at a value of an own field of a complete invoice. The next invoices are searched with it."""
    body = await read_body(request, CustomValueBody)
    actor = actor_of_key(caller.key.name)
    invoice = await services.own_values.decide(caller.account.id, invoice_id, name, body.new_value(name), actor)
    return json_answer(invoice.model_dump_json())
