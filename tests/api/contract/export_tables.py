"""What the service gives beyond the contract about exports."""

from tests.api.contract.endpoints import LIMIT, NO_KEY, Endpoint, Table

FORMATS = "datev | xero | quickbooks | odoo | lexware | flat_file | template"
ENDPOINTS = (
    Endpoint(
        "GET /v1/exports",
        answers={200: "ExportList"},
        errors={400: "invalid_parameter", 401: NO_KEY, 429: "rate_limited"},
        query={"limit": LIMIT, "starting_after": "uuid"},
    ),
    Endpoint(
        "GET /v1/exports/{id}",
        answers={200: "Export"},
        errors={401: NO_KEY, 404: "export_not_found", 429: "rate_limited"},
    ),
    Endpoint(
        "GET /v1/exports/{id}/file",
        answers={200: ""},
        errors={401: NO_KEY, 404: "export_not_found", 429: "rate_limited"},
    ),
    Endpoint(
        "POST /v1/exports",
        answers={201: "Export"},
        errors={
            400: "invalid_body invalid_parameter",
            401: NO_KEY,
            403: "insufficient_scope",
            404: "invoice_not_found",
            422: "nothing_to_export",
            429: "rate_limited",
        },
        bodies={
            "application/json": (
                {
                    "format!": FORMATS,
                    "settings": "map of any",
                    "issued_since": "date or null",
                    "issued_until": "date or null",
                    "ids": "list of uuid",
                    "again": "boolean = False",
                },
            )
        },
        writes=True,
    ),
    Endpoint(
        "POST /v1/invoices/{id}/unlock",
        answers={200: "Invoice"},
        errors={
            401: NO_KEY,
            403: "insufficient_scope",
            404: "invoice_not_found",
            429: "rate_limited",
        },
        writes=True,
    ),
)
FIELDS: dict[str, Table] = {
    "Export": {
        "id": "uuid",
        "object": "'export'",
        "format": FORMATS,
        "created_at": "date-time",
        "created_by": "string",
        "file_name": "string",
        "sha256": "string",
        "size_bytes": "integer",
        "has_file": "boolean",
        "invoices": "list of uuid",
        "notes": "list of string",
        "settings": "map of any",
        "delivery": "ExportDelivery or null",
        "not_ready": "list of NotReadyInvoice or null",
    },
    "ExportDelivery": {
        "place": "string",
        "tries": "integer",
        "problem": "string or null",
        "next_try_at": "date-time or null",
        "delivered_at": "date-time or null",
        "invoices": "list of BookedInvoice",
    },
    "BookedInvoice": {"invoice_id": "uuid", "booked_as": "string or null", "reason": "string or null"},
    "NotReadyInvoice": {"invoice_id": "uuid", "reason": "string"},
    "ExportList": {"object": "'list'", "data": "list of Export", "has_more": "boolean"},
}
