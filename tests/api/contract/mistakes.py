"""What can be wrong with a request to any endpoint, and the answer that is owed then."""

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.api.contract import additions, coding_tables, event_tables, mail_tables, own_field_tables, review_tables
from tests.api.contract.endpoints import ENDPOINTS, Endpoint

WITH_KEY = (
    *(*review_tables.ENDPOINTS, *coding_tables.ENDPOINTS, *own_field_tables.POINTING),
    *(*ENDPOINTS, *additions.ENDPOINTS),
)
"""All endpoints but the download, which needs no key."""

Concerns = Callable[[Endpoint], bool]


def every(_: Endpoint) -> bool:
    return True


def writing(endpoint: Endpoint) -> bool:
    return endpoint.writes


def taking_an_id(endpoint: Endpoint) -> bool:
    return endpoint.takes_invoice


def taking_a_purchase_order(endpoint: Endpoint) -> bool:
    return endpoint.takes == "purchase-order"


def taking_a_webhook_endpoint(endpoint: Endpoint) -> bool:
    return endpoint.takes == "webhook_endpoint"


def taking_a_mail(endpoint: Endpoint) -> bool:
    return endpoint.takes == "mail"


def taking_json(endpoint: Endpoint) -> bool:
    return "application/json" in endpoint.bodies


def searching(endpoint: Endpoint) -> bool:
    return endpoint.name in {"GET /v1/invoices", "GET /v1/events", "GET /v1/vendors", "GET /v1/mails"}


@dataclass(frozen=True, slots=True)
class Mistake:
    """A row of the matrix. `key` and `id` name what the request carries, `verbs` sends it with a method that the path
    does not have, `content` replaces the body, `services` is what every verb of the service raises."""

    name: str
    status: int
    code: str
    concerns: Concerns = every
    key: str = "full"
    id: str = "own"
    wrong_verb: bool = False
    content: bytes | None = None
    params: dict[str, str] = field(default_factory=dict)
    services: str = "sound"

    @property
    def endpoints(self) -> list[Endpoint]:
        """Which it can befall."""
        return [endpoint for endpoint in WITH_KEY if self.concerns(endpoint)]


MISTAKES = (
    Mistake("no key", 401, "missing_api_key", key="none"),
    Mistake("no key but a password", 401, "missing_api_key", key="basic"),
    Mistake("an unknown key", 401, "invalid_api_key", key="unknown"),
    Mistake("a revoked key", 401, "invalid_api_key", key="revoked"),
    Mistake("no key and a body that is broken", 401, "missing_api_key", taking_json, key="none", content=b"{"),
    Mistake("no key and an id that is none", 401, "missing_api_key", taking_an_id, key="none", id="malformed"),
    Mistake("a key that may only read", 403, "insufficient_scope", writing, key="read"),
    Mistake("a key that may only read and a broken body", 403, "insufficient_scope", taking_json, "read", content=b"{"),
    Mistake("another account's id", 404, "invoice_not_found", taking_an_id, id="other"),
    Mistake("an id that nobody has", 404, "invoice_not_found", taking_an_id, id="unknown"),
    Mistake("an id that is none", 404, "invoice_not_found", taking_an_id, id="malformed"),
    *(
        Mistake(name, 404, "webhook_endpoint_not_found", taking_a_webhook_endpoint, id=id)
        for name, id in (
            ("another account's webhook endpoint", "other"),
            ("a webhook endpoint that nobody has", "unknown"),
            ("a webhook endpoint's id that is none", "malformed"),
        )
    ),
    *(
        Mistake(name, 404, "mail_not_found", taking_a_mail, id=id)
        for name, id in (
            ("another account's mail", "other"),
            ("a mail that nobody has", "unknown"),
            ("a mail's id that is none", "malformed"),
        )
    ),
    *(
        Mistake(name, 404, "purchase_order_not_found", taking_a_purchase_order, id=id)
        for name, id in (
            ("another account's purchase order", "other"),
            ("a purchase order that nobody has", "unknown"),
            ("a purchase order's id that is none", "malformed"),
        )
    ),
    Mistake("a wrong verb", 405, "method_not_allowed", wrong_verb=True),
    Mistake("a wrong verb without a key", 405, "method_not_allowed", key="none", wrong_verb=True),
    Mistake("JSON that is broken", 400, "invalid_body", taking_json, content=b'{"paid": tru'),
    Mistake("bytes that are no text", 400, "invalid_body", taking_json, content=b"\xff\xfe"),
    Mistake("JSON of the wrong kind", 400, "invalid_body", taking_json, content=b"[7]"),
    Mistake("a key over its limit", 429, "rate_limited", key="spent"),
    Mistake("a service that breaks", 500, "internal", services="broken"),
    Mistake("a storage out of reach", 503, "service_unavailable", services="lost"),
    Mistake("a search that takes too long", 503, "query_timeout", searching, services="slow"),
)
BAD_VALUES = {
    "string ..60": ("x" * 61,),
    "string ..255": ("x" * 256,),
    "string ..550": ("x" * 551,),
    "ABC": ("eur", "EURO", ""),
    "AB": ("de", "DEU", ""),
    "matched | differs | not_found": ("yes", ""),
    "open | closed": ("lost", ""),
    "ubl | cii | facturx": ("pdf", ""),
    "Z | AE | G": ("S", ""),
    "integer 1..100 = 25": ("0", "101", "1.5", "x", ""),
    "boolean": ("1", "yes", ""),
    "boolean = False": ("1", "yes", ""),
    "date-time": ("2026-01-31", "now", ""),
    "date": ("31.01.2026", "2026-02-30", ""),
    "number": ("1,5", "NaN", "1e999", ""),
    "uuid": ("7", ""),
    "list of 1..100 uuid": ("7", ",", ""),
    "event id": ("7", ""),
    "queued | processing | complete | failed": ("done", ""),
    "app | email | api": ("fax", ""),
    event_tables.TYPES: ("invoice.read", ""),
    "requested | approved | rejected": ("maybe", ""),
    "open | confirmed | rejected | not_rejected": ("maybe", ""),
    mail_tables.STATES: ("arriving", ""),
    mail_tables.HELD_FOR: ("nobody", ""),
    mail_tables.OUTCOMES: ("lost", ""),
    "totals | identifiers": ("sums", ""),
    "'updated_at'": ("amount", ""),
    "'citations'": ("line_items", ""),
    "string": (),
}
"""Values that a parameter of each type refuses; a text takes anything."""
BAD_CURSORS = {
    "uuid": ("00000000-0000-7000-8000-000000000000",),
    "event id": ("evt_00000000-0000-7000-8000-000000000000",),
}
"""The same for `starting_after`: unknown ids."""
