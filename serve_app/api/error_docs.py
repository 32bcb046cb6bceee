"""`/docs/errors`: what each error means and what to do. `doc_url` of every error leads to its paragraph."""

from collections.abc import Mapping

from fastapi import APIRouter
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from serve_app.http.error_table import DOC_PATH, ErrorRow, all_rows

ADVICE: Mapping[str, str] = {
    "missing_file": "Send `file`, `file_base64` or `file_url`. An empty file counts as missing.",
    "invalid_base64": "Encode the document again, with padding.",
    "invalid_body": "Correct the body as `message` and `param` say. Unknown properties and parts of a form are "
    "refused.",
    "invalid_parameter": "Correct the parameter or value that `message` and `param` name.",
    "invoice_not_complete": "Wait until the invoice is complete.",
    "already_complete": "Send `force` = true to read the document again.",
    "missing_api_key": "Send your API key in the header `Authorization: Bearer <API key>`.",
    "invalid_api_key": "The key is unknown or revoked. Use another one.",
    "account_suspended": "An operator has suspended the account. Nothing was deleted. Contact them.",
    "insufficient_scope": "This key can only read. Use a key with full access.",
    "invalid_file_link": "Use the link without any change.",
    "file_link_expired": "Request a new link.",
    "invoice_not_found": "The account has no invoice with this id. Compare the id with `GET /v1/invoices`.",
    "document_removed": "The retention period of the document has ended. The values of the invoice stay.",
    "einvoice_not_found": "Only a file that is an electronic invoice, or a PDF with one, has it: see `einvoice`.",
    "part_unavailable": "Request the whole file with `?original=true`.",
    "event_not_found": "The account has no event with this id. Compare the id with `GET /v1/events`.",
    "export_not_found": "The account has no export with this id, or its file went with a deleted invoice.",
    "route_not_found": "Correct the path. Paths have no slash at the end.",
    "method_not_allowed": "Use a method that the header `Allow` lists.",
    "account_not_found": "Compare the id with `GET /v1/operator/accounts`.",
    "api_key_not_found": "Compare the id with `GET /v1/operator/accounts/{id}/keys`.",
    "mail_not_found": "The account has no mail with this id. Compare the id with `GET /v1/mails`.",
    "field_not_found": "The account has no own field with this name. `GET /v1/fields` lists them.",
    "purchase_order_not_found": "The account has no purchase order with this id.",
    "webhook_endpoint_not_found": "The account has no webhook endpoint with this id.",
    "request_timeout": "The service waited too long for the rest of the request. Send it again.",
    "range_not_satisfiable": "Request bytes within the file. `Content-Range` states its length.",
    "chart_changed": "Somebody changed the chart. Load it again and repeat your change.",
    "review_changed": "Somebody changed the review. Load it again and repeat your change.",
    "invoice_kept": "The law of the account's country wants the invoice kept until the day in `message`.",
    "account_kept": "The law of the account's country wants its invoices kept. Archive them and lift the rule first.",
    "invoice_exported": "Unlock the invoice first. The next export then contains it again.",
    "idempotency_in_flight": "The first call is still in progress. Repeat the call after `Retry-After` seconds.",
    "file_too_large": "Send a smaller file. `message` states the limit.",
    "unsupported_file_type": "Send a PDF, JPEG, PNG, HEIC or HTML file.",
    "einvoice_incomplete": "Correct or confirm the values that `message` names in the review, or send the country.",
    "einvoice_invalid": "Correct the values that contradict the rules in `message`.",
    "nothing_to_export": "Confirm invoices, or correct what `message` names. Invoices are exported once.",
    "idempotency_key_reused": "Use a new key for another change, or send the first body again.",
    "file_url_unreachable": "`message` states the cause. Correct the address, or send the bytes of the file.",
    "rate_limited": "Wait for `Retry-After` seconds.",
    "monthly_quota_reached": "Wait for the next month, or change the plan. Reading still works.",
    "monthly_budget_reached": "Wait for the next month, or ask the operator for a larger budget. Reading still works.",
    "internal": "Repeat the call with growing delays. If it still fails, report the `X-Request-Id`.",
    "email_delivery_failed": "Check the address, or repeat the call. Nothing was changed.",
    "service_unavailable": "Repeat the call after `Retry-After` seconds. `message` says whether anything was changed.",
    "queue_too_long": "The queue is too long. Send the document again after `Retry-After` seconds.",
    "query_timeout": "Use a filter that fewer entries match, or repeat the call later.",
}
_ELSE = "`message` states what happened and what to do."
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}
_PAGE = Environment(
    loader=PackageLoader("serve_app.api"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
).get_template("errors.html")

router = APIRouter(include_in_schema=False)


@router.get(DOC_PATH)
async def show_errors() -> HTMLResponse:
    """Every error that the service answers with, by its HTTP status."""
    errors = [(row, _advice(row)) for row in sorted(all_rows(), key=lambda row: (row.status, row.code))]
    return HTMLResponse(_PAGE.render(errors=errors), headers=_HEADERS)


def _advice(row: ErrorRow) -> list[str]:
    """What to do, parted where code begins and ends: every second part is code."""
    return ADVICE.get(row.code, _ELSE).split("`")
