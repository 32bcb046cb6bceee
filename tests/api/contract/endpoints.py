"""The contract's endpoints, written out by hand; `additions` holds what the service gives beyond it.

Types are short texts as `shapes` writes them: `integer 1..100 = 25` is an integer with bounds and a default. A name
with `!` is required.
"""

from dataclasses import dataclass, field

Table = dict[str, str]

NO_KEY = "missing_api_key invalid_api_key"
LIMIT = "integer 1..100 = 25"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A row of the contract. `errors` gives the codes of each status, parted by spaces."""

    name: str
    answers: dict[int, str]
    errors: dict[int, str]
    query: Table = field(default_factory=dict)
    headers: Table = field(default_factory=dict)
    bodies: dict[str, tuple[Table, ...]] = field(default_factory=dict)
    writes: bool = False

    @property
    def method(self) -> str:
        return self.name.split()[0]

    @property
    def path(self) -> str:
        return self.name.split()[1]

    @property
    def takes_invoice(self) -> bool:
        """Whether its path holds an invoice's id."""
        return self.takes == "invoice"

    @property
    def takes(self) -> str:
        """What the id in its path is of; empty if there is none."""
        before, has_id, _ = self.path.partition("/{id}")
        return before.rpartition("/")[2].removesuffix("s") if has_id else ""


ENDPOINTS = (
    Endpoint(
        "POST /v1/invoices",
        answers={200: "Invoice", 202: "AcceptedInvoice"},
        errors={
            400: "missing_file invalid_base64 invalid_body invalid_parameter",
            401: NO_KEY,
            403: "insufficient_scope",
            409: "idempotency_in_flight",
            413: "file_too_large",
            415: "unsupported_file_type",
            422: "file_url_unreachable",
            429: "rate_limited monthly_quota_reached",
        },
        query={"wait": "boolean = False"},
        headers={"Idempotency-Key": "string ..255"},
        bodies={
            "multipart/form-data": ({"file!": "binary"},),
            "application/json": (
                {"file_url!": "uri", "file_name": "string", "mime_type": "string"},
                {"file_base64!": "string", "file_name!": "string", "mime_type": "string"},
            ),
        },
        writes=True,
    ),
    Endpoint(
        "GET /v1/invoices",
        answers={200: "InvoiceList"},
        errors={400: "invalid_parameter", 401: NO_KEY, 429: "rate_limited"},
        query={
            "limit": LIMIT,
            "status": "queued | processing | complete | failed",
            "source": "app | email | api",
            "created_after": "date-time",
            "created_before": "date-time",
            "vendor": "string",
            "paid": "boolean",
            "overdue": "boolean",
            "min_amount": "number",
            "max_amount": "number",
            "due_before": "date",
            "due_after": "date",
            "starting_after": "uuid",
        },
    ),
    Endpoint(
        "GET /v1/invoices/{id}",
        answers={200: "Invoice"},
        errors={401: NO_KEY, 404: "invoice_not_found", 429: "rate_limited"},
    ),
    Endpoint(
        "PATCH /v1/invoices/{id}",
        answers={200: "Invoice"},
        errors={
            400: "invalid_body",
            401: NO_KEY,
            403: "insufficient_scope",
            404: "invoice_not_found",
            429: "rate_limited",
        },
        bodies={"application/json": ({"paid": "boolean", "entity_tag": "string ..60 or null"},)},
        writes=True,
    ),
    Endpoint(
        "POST /v1/invoices/{id}/approval",
        answers={200: "ApprovalRequested"},
        errors={
            400: "invalid_body",
            401: NO_KEY,
            403: "insufficient_scope",
            404: "invoice_not_found",
            429: "rate_limited",
            502: "email_delivery_failed",
        },
        bodies={"application/json": ({"email!": "email"},)},
        writes=True,
    ),
    Endpoint(
        "GET /v1/invoices/{id}/file",
        answers={200: "FileLink"},
        errors={401: NO_KEY, 404: "invoice_not_found", 429: "rate_limited"},
    ),
    Endpoint(
        "POST /v1/invoices/{id}/extract",
        answers={202: "Invoice"},
        errors={
            400: "invalid_body",
            401: NO_KEY,
            403: "insufficient_scope",
            404: "invoice_not_found",
            429: "rate_limited monthly_quota_reached",
        },
        bodies={"application/json": ({"force": "boolean = False"},)},
        writes=True,
    ),
    Endpoint(
        "GET /v1/vendors",
        answers={200: "VendorList"},
        errors={401: NO_KEY, 429: "rate_limited"},
        query={"limit": LIMIT},
    ),
    Endpoint(
        "GET /v1/events",
        answers={200: "EventList"},
        errors={400: "invalid_parameter", 401: NO_KEY, 429: "rate_limited"},
        query={
            "limit": LIMIT,
            "type": "invoice.completed | invoice.failed",
            "created_after": "date-time",
            "created_before": "date-time",
            "starting_after": "event id",
        },
    ),
    Endpoint("GET /v1/me", answers={200: "Me"}, errors={401: NO_KEY}),
)
