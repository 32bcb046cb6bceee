"""What the service gives beyond the contract about reviews and what they tell of quality."""

from serve_app.domain.value_evidence import EvidenceKind
from tests.api.contract.endpoints import NO_KEY, Endpoint, Table
from tests.api.contract.resources import CONFIDENCE

FIELD = "vendor | invoice_number | amount | currency | issued_at | due_at | tax | line_items"
SOURCES = "extractor | verifier | both | memory"
DOUBTS = "models_differ | read_badly | sums_miss | implausible | other_document | remembered | unsure | not_found"
ENDPOINTS = (
    Endpoint("GET /v1/quality", answers={200: "QualityAnswer"}, errors={401: NO_KEY, 429: "rate_limited"}),
    Endpoint(
        "GET /v1/invoices/{id}/review",
        answers={200: "ReviewAnswer"},
        errors={401: NO_KEY, 404: "invoice_not_found", 429: "rate_limited"},
    ),
    Endpoint(
        "PUT /v1/invoices/{id}/review",
        answers={200: "ReviewAnswer"},
        errors={
            400: "invalid_body invalid_parameter invoice_not_complete",
            401: NO_KEY,
            403: "insufficient_scope",
            404: "invoice_not_found",
            409: "review_changed invoice_exported",
            429: "rate_limited",
        },
        bodies={
            "application/json": (
                {
                    "revision!": f"integer 0..{2**53}",
                    "fields": "map of FieldBody or null",
                    "line_items": "list of RowBody or null",
                    "tax_lines": "list of TaxRowBody or null",
                    "status": "open | confirmed | rejected or null",
                    "reason": "string ..500 or null",
                    "supplier_checks": "map of boolean",
                },
            )
        },
        writes=True,
    ),
    Endpoint(
        "GET /v1/invoices/{id}/pages/{n}",
        answers={200: "PageAnswer"},
        errors={401: NO_KEY, 404: "invoice_not_found part_unavailable", 429: "rate_limited"},
    ),
    Endpoint(
        "GET /v1/invoices/{id}/pages/{n}/picture",
        answers={200: ""},
        errors={401: NO_KEY, 404: "invoice_not_found document_removed part_unavailable", 429: "rate_limited"},
    ),
    Endpoint(
        "GET /v1/invoices/{id}/einvoice",
        answers={200: ""},
        errors={401: NO_KEY, 404: "invoice_not_found document_removed einvoice_not_found", 429: "rate_limited"},
    ),
)
"""Asked first, because what follows reads the invoice again."""
FIELDS: dict[str, Table] = {
    "ReviewAnswer": {
        "id": "uuid",
        "object": "'review'",
        "revision": "integer",
        "status": "open | confirmed | rejected",
        "by": "string or null",
        "at": "date-time or null",
        "reason": "string or null",
        "fields": "map of ReviewField",
        "line_items": "ReviewTable",
        "tax_lines": "ReviewTaxTable",
        "checks": "list of ReviewCheck",
        "pages": "list of ReviewPage",
        "history": "ReviewHistory",
        "opened_by": "ReviewReader or null",
        "assignee": "uuid or null",
    },
    "ReviewField": {
        "value": "string or null",
        "read": "string or null",
        "corrected": "boolean",
        "decision": "FieldDecision or null",
        "confidence": f"{CONFIDENCE} or null",
        "citation": "Citation or null",
        "doubt": "ReviewDoubt or null",
        "candidates": "list of ReviewCandidate",
        "earlier": "list of uuid",
        "evidence": f"list of {' | '.join(EvidenceKind)}",
    },
    "FieldDecision": {"by": "string", "at": "date-time"},
    "ReviewDoubt": {"code": DOUBTS, "text": "string"},
    "ReviewCandidate": {
        "value": "string",
        "text": "string",
        "sources": f"list of {SOURCES}",
        "score": "number",
        "citation": "Citation",
    },
    "ReviewTable": {
        "value": "list of ReviewRow",
        "read": "list of ReviewRow",
        "corrected": "boolean",
        "decision": "FieldDecision or null",
        "confidence": f"{CONFIDENCE} or null",
        "doubt": "ReviewDoubt or null",
    },
    "ReviewTaxTable": {
        "value": "list of ReviewTaxRow",
        "read": "list of ReviewTaxRow",
        "corrected": "boolean",
        "decision": "FieldDecision or null",
        "confidence": f"{CONFIDENCE} or null",
        "doubt": "ReviewDoubt or null",
    },
    "ReviewTaxRow": {
        **dict.fromkeys(("rate", "base", "amount"), "string or null"),
        "citation": "Citation or null",
    },
    "ReviewRow": {
        **dict.fromkeys(("description", "quantity", "unit_price", "total", "tax_rate"), "string or null"),
        "confidence": f"{CONFIDENCE} or null",
        "citation": "Citation or null",
        "custom": "map of CustomValue",
    },
    "ReviewCheck": {"code": "string", "text": "string", "holds": "boolean", "difference": "string"},
    "ReviewPage": {"page": "integer", "width": "number or null", "height": "number or null"},
    "ReviewReader": {"name": "string", "until": "date-time"},
    "ReviewHistory": {"undo": "integer", "redo": "integer"},
    "QualityAnswer": {
        "object": "'quality'",
        "promised": "number",
        "decided": "integer",
        "confirmed": "integer",
        "rejected": "integer",
        "drawn": "integer",
        "levels": "list of LevelQuality",
        "fields": "list of FieldQuality",
        "vendors": "list of VendorQuality",
        "thresholds": "list of RaisedThreshold",
        "time": "TimeSaved",
    },
    "TimeSaved": {
        "measured": "integer",
        "seconds": "number or null",
        "since": "date-time",
        "unseen": "integer",
        "minutes_saved": "number or null",
    },
    "LevelQuality": {
        "field": FIELD,
        "level": CONFIDENCE,
        "values": "integer",
        "right": "integer",
        **dict.fromkeys(("stands_for", "share", "low", "high"), "number"),
    },
    "FieldQuality": {"field": FIELD, "corrected": "integer", "coverage": "number or null"},
    "VendorQuality": {"name": "string", "corrected": "integer"},
    "RaisedThreshold": {"field": FIELD, "chance": "number or null", "since": "date-time"},
    "PageAnswer": {
        "object": "'page'",
        "page": "integer",
        "width": "number or null",
        "height": "number or null",
        "picture": "uri",
        "words": "list of PageWord",
    },
    "PageWord": {"text": "string", "box": "list of 4 number", "score": "number or null"},
}
