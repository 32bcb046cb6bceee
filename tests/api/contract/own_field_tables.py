"""What the service gives beyond the contract about own fields."""

from tests.api.contract.endpoints import NO_KEY, Endpoint, Table
from tests.api.contract.resources import CONFIDENCE

TYPES = "text | number | date | choice"
_ENDED = {401: NO_KEY, 429: "rate_limited"}
_WRITTEN = {**_ENDED, 403: "insufficient_scope"}
POINTING = (
    Endpoint(
        "PUT /v1/invoices/{id}/custom/{name}",
        answers={200: "Invoice"},
        errors={
            400: "invalid_body invalid_parameter invoice_not_complete",
            404: "invoice_not_found field_not_found",
            409: "review_changed invoice_exported",
            **_WRITTEN,
        },
        bodies={
            "application/json": (
                {"value": "string or null", "citation": "CitationBody or null", "line": "integer 1..1000 or null"},
            )
        },
        writes=True,
    ),
)
"""Asked first, because what follows reads the invoice again."""
ENDPOINTS = (
    Endpoint("GET /v1/fields", answers={200: "OwnFieldList"}, errors=_ENDED),
    Endpoint(
        "PUT /v1/fields/{name}",
        answers={200: "OwnField"},
        errors={400: "invalid_body invalid_parameter", **_WRITTEN},
        bodies={
            "application/json": (
                {
                    "label!": "string 1..80",
                    "type": f"{TYPES} = text",
                    "scope": "header | line = header",
                    "choices": "list of string 1..80",
                    "captions": "list of string 1..80",
                    "required": "boolean = False",
                },
            )
        },
        writes=True,
    ),
    Endpoint("DELETE /v1/fields/{name}", answers={204: ""}, errors={404: "field_not_found", **_WRITTEN}, writes=True),
)
TAGGED = ("GET /v1/fields",)
FIELDS: dict[str, Table] = {
    "OwnFieldList": {"object": "'list'", "data": "list of OwnField", "has_more": "boolean"},
    "OwnField": {
        "object": "'field'",
        "name": "string",
        "label": "string",
        "type": TYPES,
        "scope": "header | line",
        "choices": "list of string",
        "captions": "list of string",
        "required": "boolean",
    },
    "CustomValue": {
        "value": "string or null",
        "confidence": f"{CONFIDENCE} or null",
        "score": "number or null",
        "reason": "string or null",
        "required": "boolean",
        "source": "models | person | einvoice or null",
        "citation": "Citation or null",
    },
}
