"""`/v1/chart`, and what invoices are booked on."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from serve_app.api.documented import IF_NONE_MATCH, errors_with, success, tagged
from serve_app.domain.audit import actor_of_key
from serve_app.domain.chart import Chart
from serve_app.domain.invoice import Invoice
from serve_app.http.answers import json_answer
from serve_app.http.bodies import read_body, schema_of
from serve_app.http.coding_body import ChartBody, CodingBody
from serve_app.http.dependencies import AnyCaller, AnyServices, InvoiceId, Writer

router = APIRouter(prefix="/v1", tags=["coding"])

_EXAMPLE = {
    "revision": 0,
    "dimensions": [{"key": "account", "name": "Accounts", "codes": [{"code": "4930", "name": "Office supplies"}]}],
    "rules": [{"contains": "paper", "codes": {"account": "4930"}}],
}


@router.get("/chart", response_model=Chart, responses={**tagged(), **errors_with()}, openapi_extra=IF_NONE_MATCH)
async def get_chart(services: AnyServices, caller: AnyCaller) -> Response:
    """The account's chart: the codes that its invoices are booked on, and its rules."""
    chart = await services.charts.get(caller.account.id)
    return json_answer(chart.model_dump_json())


@router.put(
    "/chart",
    response_model=Chart,
    responses={
        **success(),
        **errors_with("invalid_body", "invalid_parameter", "insufficient_scope", "chart_changed"),
    },
    openapi_extra=schema_of(ChartBody, _EXAMPLE),
)
async def replace_chart(request: Request, caller: Writer, services: AnyServices) -> Response:
    """Replace the chart. Codes and rules that are omitted are removed; confirmed postings keep their codes."""
    body = await read_body(request, ChartBody)
    actor = actor_of_key(caller.key.name)
    chart = await services.charts.replace(
        caller.account.id, body.revision, body.dimensions_of(), body.rules_of(), actor
    )
    return json_answer(chart.model_dump_json())


@router.put(
    "/invoices/{id}/coding",
    response_model=Invoice,
    responses={
        **success(),
        **errors_with(
            *("invalid_body", "invalid_parameter", "invoice_not_complete", "insufficient_scope"),
            *("invoice_not_found", "review_changed"),
        ),
    },
    openapi_extra=schema_of(CodingBody, {"postings": [{"line": 1, "codes": {"account": "4930"}}]}),
)
async def change_coding(request: Request, caller: Writer, invoice_id: InvoiceId, services: AnyServices) -> Response:
    """Confirm or correct what a complete invoice is booked on, as a whole."""
    body = await read_body(request, CodingBody)
    actor = actor_of_key(caller.key.name)
    invoice = await services.coding.decide(caller.account.id, invoice_id, body.new_postings(), actor)
    return json_answer(invoice.model_dump_json())
