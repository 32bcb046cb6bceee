"""The contract's resources: every field with its type; `additions` holds what the service gives beyond it."""

from tests.api.contract.endpoints import Table

CONFIDENCE = "high | mid | low"
EVENT_TYPE = "invoice.completed | invoice.failed"

RESOURCES: dict[str, Table] = {
    "Invoice": {
        "id": "uuid",
        "object": "'invoice'",
        "status": "queued | processing | complete | failed",
        "source": "app | email | api",
        "auto_verified": "boolean",
        "quality_score": "number 0..1 or null",
        "created_at": "date-time or null",
        "updated_at": "date-time or null",
        "file": "FileInfo",
        "vendor_name": "string or null",
        "invoice_number": "string or null",
        "amount": "number or null",
        "currency": "string or null",
        "issued_at": "date or null",
        "due_at": "date or null",
        "tax": "number or null",
        "line_items": "list of LineItem",
        "field_confidence": f"map of {CONFIDENCE} or null",
    },
    "FileInfo": {"name": "string or null", "mime_type": "string or null", "size_bytes": "integer or null"},
    "LineItem": {
        "description": "string or null",
        "quantity": "number or null",
        "unit_price": "number or null",
        "confidence": f"{CONFIDENCE} or null",
    },
    "Vendor": {
        "id": "uuid",
        "object": "'vendor'",
        "name": "string",
        "invoice_count": "integer",
        "total_billed": "number",
        "last_seen_at": "date or null",
        "website": "string or null",
        "email": "string or null",
        "phone": "string or null",
    },
    "Event": {"id": "event id", "type": EVENT_TYPE, "created_at": "date-time", "data": "EventData"},
    "EventData": {"invoice": "Invoice"},
    "InvoiceList": {"object": "'list'", "data": "list of Invoice", "has_more": "boolean"},
    "VendorList": {"object": "'list'", "data": "list of Vendor"},
    "EventList": {"object": "'list'", "data": "list of Event", "has_more": "boolean"},
    "ErrorEnvelope": {"error": "ErrorDetail"},
    "ErrorDetail": {
        "type": "invalid_request_error | authentication_error | not_found | rate_limit_error | quota_exceeded"
        " | api_error",
        "code": "string",
        "message": "string",
    },
    "ApprovalRequested": {"id": "uuid", "approval_status": "'requested'", "approval_email": "string"},
    "FileLink": {
        "id": "uuid",
        "url": "uri",
        "expires_in": "3600",
        "file_name": "string or null",
        "mime_type": "string or null",
    },
    "Me": {"user_id": "uuid", "key": "KeyInfo", "quota": "QuotaInfo"},
    "KeyInfo": {"id": "uuid", "name": "string", "prefix": "string", "created_at": "date-time"},
    "QuotaInfo": {"used": "integer", "limit": "integer or null", "period_start": "date-time"},
}
FIELDS_OF_CONFIDENCE = ("vendor", "invoice_number", "amount", "currency", "issued_at", "due_at", "tax", "line_items")
"""The keys of `field_confidence` and `citations`."""
