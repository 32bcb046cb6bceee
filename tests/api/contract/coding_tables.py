"""What the service gives beyond the contract about charts, and what invoices are booked on."""

from tests.api.contract.endpoints import NO_KEY, Endpoint, Table
from tests.api.contract.resources import CONFIDENCE

ENDPOINTS = (
    Endpoint("GET /v1/chart", answers={200: "Chart"}, errors={401: NO_KEY, 429: "rate_limited"}),
    Endpoint(
        "PUT /v1/chart",
        answers={200: "Chart"},
        errors={
            400: "invalid_body invalid_parameter",
            401: NO_KEY,
            403: "insufficient_scope",
            409: "chart_changed",
            429: "rate_limited",
        },
        bodies={
            "application/json": (
                {
                    "revision!": f"integer 0..{2**53}",
                    "dimensions!": "list of DimensionBody",
                    "rules": "list of RuleBody",
                },
            )
        },
        writes=True,
    ),
    Endpoint(
        "PUT /v1/invoices/{id}/coding",
        answers={200: "Invoice"},
        errors={
            400: "invalid_body invalid_parameter invoice_not_complete",
            401: NO_KEY,
            403: "insufficient_scope",
            404: "invoice_not_found",
            409: "review_changed",
            429: "rate_limited",
        },
        bodies={"application/json": ({"postings!": "list of 1..1000 PostingBody or null"},)},
        writes=True,
    ),
)
"""Asked first, because what follows reads the invoice again."""
FIELDS: dict[str, Table] = {
    "Chart": {
        "object": "'chart'",
        "revision": "integer",
        "dimensions": "list of Dimension",
        "rules": "list of CodingRule",
    },
    "Dimension": {"key": "string", "name": "string", "codes": "list of ChartCode"},
    "ChartCode": {"code": "string", "name": "string", "active": "boolean"},
    "CodingRule": {"vendor": "string or null", "contains": "string or null", "codes": "map of string"},
    "Coding": {
        "status": "suggested | confirmed",
        "auto_coded": "boolean",
        "by": "string or null",
        "at": "date-time or null",
        "postings": "list of Posting",
    },
    "Posting": {
        "line": "integer or null",
        "share": "number",
        "amount": "number or null",
        "codes": "map of PostingCode",
    },
    "PostingCode": {
        "value": "string or null",
        "confidence": f"{CONFIDENCE} or null",
        "score": "number or null",
        "reason": "string or null",
    },
}
