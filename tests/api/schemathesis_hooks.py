"""What schemathesis needs besides the OpenAPI document."""

from itertools import count
from typing import Any

import schemathesis

_numbers = count()
_REVIEW = "PUT /v1/invoices/{id}/review"
_EXPORT = "POST /v1/exports"
_BEYOND_SCHEMAS = (
    _REVIEW,
    "PUT /v1/invoices/{id}/coding",
    "PUT /v1/chart",
    "PUT /v1/fields/{name}",
    _EXPORT,
    "PUT /v1/invoices/{id}/custom/{name}",
)
_REASONS = {
    "POST /v1/invoices": ("missing_file", "invalid_base64", "invalid_parameter"),
    "GET /v1/invoices": ("invalid_parameter",),
    "GET /v1/events": ("invalid_parameter",),
    "GET /v1/vendors": ("invalid_parameter",),
    "GET /v1/mails": ("invalid_parameter",),
    "GET /v1/exports": ("invalid_parameter",),
    _EXPORT: ("invalid_body", "invalid_parameter"),
    **dict.fromkeys(
        (
            *("GET /v1/operator/accounts", "POST /v1/operator/accounts", "PATCH /v1/operator/accounts/{id}"),
            *("DELETE /v1/operator/accounts/{id}", "GET /v1/operator/usage"),
            *("PUT /v1/operator/plans/{name}", "DELETE /v1/operator/plans/{name}"),
        ),
        ("invalid_parameter",),
    ),
    "GET /v1/purchase-orders": ("invalid_parameter",),
    "POST /v1/purchase-orders": ("invalid_parameter",),
    "PATCH /v1/purchase-orders/{id}": ("invalid_parameter",),
    # A position may be named twice.
    "POST /v1/purchase-orders/{id}/receive": ("invalid_parameter", "invalid_body"),
    "PATCH /v1/invoices/{id}": ("invoice_not_complete",),
    "GET /v1/invoices/{id}/einvoice": ("invoice_not_complete", "invalid_parameter"),
    "POST /v1/invoices/{id}/approval": ("invoice_not_complete",),
    "POST /v1/invoices/{id}/extract": ("already_complete", "invalid_parameter"),
    "POST /v1/webhook_endpoints": ("invalid_parameter",),
    "PATCH /v1/webhook_endpoints/{id}": ("invalid_parameter",),
    "POST /v1/webhook_endpoints/{id}/rotate_secret": ("invalid_parameter",),
    _REVIEW: ("invoice_not_complete", "invalid_parameter"),
    "PUT /v1/invoices/{id}/coding": ("invoice_not_complete", "invalid_parameter"),
    "PUT /v1/invoices/{id}/custom/{name}": ("invoice_not_complete", "invalid_parameter"),
    "PUT /v1/fields/{name}": ("invalid_parameter",),
    # A chart of the most codes that its schema allows is longer than a body may be.
    "PUT /v1/chart": ("invalid_parameter", "invalid_body"),
}
_ABOUT = (
    "starting_after: there is no ",
    "starting_after: with `sort`, ",
    "`file_url` ",
    "format: `facturx` needs an invoice that came as a PDF",
    "This document needs no password",
    "The password is wrong",
    "The URL ",
    "This URL is already registered",
    "The account already has ",
    "The endpoint already has ",
    "number: enter letters or digits",
    "number: the account has an order with the number ",
    "vendor: enter the vendor's name",
    "lines: two lines have the same position",
    "The order has no line with the position ",
    "Line ",
    "confirm: repeat the id ",
    "The address must be one plain address",
    "There is no plan of this name",
    "The contract defines the plans ",
    "The name of a plan has ",
    "Accounts have this plan",
)


@schemathesis.hook
def before_call(_context: schemathesis.HookContext, case: schemathesis.Case[Any], _kwargs: dict[str, object]) -> None:
    """Every good idempotency key is new: else a bad body gets the good answer to an earlier one, as it should."""
    key = case.headers.get("Idempotency-Key")
    if isinstance(key, str) and 1 <= len(key) <= 200:
        case.headers["Idempotency-Key"] = f"{key}{next(_numbers)}"


@schemathesis.check
def refused_for_what_no_schema_says(
    _context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case[Any]
) -> None:
    """A request that is right by its schema is refused with 400 only for a reason that a schema cannot give."""
    if response.status_code != 400 or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    error = response.json()["error"]
    assert error["code"] in _REASONS.get(case.operation.label, ()), error
    if case.operation.label in _BEYOND_SCHEMAS:
        # What a value must be depends on its field, on the chart and the invoice, or on the format.
        return
    assert error["code"] != "invalid_parameter" or error["message"].startswith(_ABOUT), error
