"""What the service gives beyond the contract about purchase orders."""

from tests.api.contract.endpoints import LIMIT, NO_KEY, Endpoint, Table

STATUSES = "open | closed"
MATCHES = "matched | differs | not_found"
NOT_FOUND = "purchase_order_not_found"
_ENDED = {401: NO_KEY, 429: "rate_limited"}
_WRITTEN = {**_ENDED, 403: "insufficient_scope"}
_REPEATED = {409: "idempotency_in_flight", 422: "idempotency_key_reused"}
_NEW: Table = {
    "number!": "string 1..200",
    "vendor!": "string 1..200",
    "currency!": "ABC",
    "ordered_on": "date or null",
    "status": f"{STATUSES} = open",
    "lines!": "list of 1..1000 OrderLineBody",
}
ENDPOINTS = (
    Endpoint(
        "GET /v1/purchase-orders",
        answers={200: "PurchaseOrderList"},
        errors={400: "invalid_parameter", 503: "query_timeout", **_ENDED},
        query={
            "limit": LIMIT,
            "status": STATUSES,
            "number": "string ..255",
            "vendor": "string ..255",
            "starting_after": "uuid",
        },
    ),
    Endpoint(
        "POST /v1/purchase-orders",
        answers={201: "PurchaseOrder"},
        errors={400: "invalid_body invalid_parameter", **_WRITTEN, **_REPEATED},
        bodies={"application/json": (_NEW,)},
        writes=True,
    ),
    Endpoint("GET /v1/order-rules", answers={200: "PurchaseOrderRules"}, errors=_ENDED),
    Endpoint(
        "PUT /v1/order-rules",
        answers={200: "PurchaseOrderRules"},
        errors={400: "invalid_body", **_WRITTEN},
        bodies={
            "application/json": (
                {
                    "price_percent": "number 0..100 = 0",
                    "amount": "number 0..1000000 = 0.05",
                    "quantity_percent": "number 0..100 = 0",
                    "skip_review": "boolean = False",
                },
            )
        },
        writes=True,
    ),
    Endpoint("GET /v1/purchase-orders/{id}", answers={200: "PurchaseOrder"}, errors={404: NOT_FOUND, **_ENDED}),
    Endpoint(
        "PATCH /v1/purchase-orders/{id}",
        answers={200: "PurchaseOrder"},
        errors={400: "invalid_body invalid_parameter", 404: NOT_FOUND, **_WRITTEN},
        bodies={
            "application/json": (
                {
                    "number": "string 1..200",
                    "vendor": "string 1..200",
                    "currency": "ABC",
                    "ordered_on": "date or null",
                    "status": STATUSES,
                    "lines": "list of 1..1000 OrderLineBody",
                },
            )
        },
        writes=True,
    ),
    Endpoint(
        "POST /v1/purchase-orders/{id}/receive",
        answers={200: "PurchaseOrder"},
        errors={400: "invalid_body invalid_parameter", 404: NOT_FOUND, **_WRITTEN, **_REPEATED},
        bodies={"application/json": ({"lines!": "list of 1..1000 ReceivedLineBody"},)},
        writes=True,
    ),
    Endpoint("DELETE /v1/purchase-orders/{id}", answers={204: ""}, errors={404: NOT_FOUND, **_WRITTEN}, writes=True),
)
REPEATABLE = ("POST /v1/purchase-orders", "POST /v1/purchase-orders/{id}/receive")
TAGGED = ("GET /v1/purchase-orders", "GET /v1/order-rules", "GET /v1/purchase-orders/{id}")
KINDS = (
    "price_above | price_below | quantity_above_ordered | quantity_above_received | line_not_ordered"
    " | line_incomplete | line_missing | unit_differs | vendor_differs | currency_differs | order_closed"
    " | order_used_up | order_unknown | billed_twice | total_differs | charge_not_ordered"
)
FIELDS: dict[str, Table] = {
    "PurchaseOrder": {
        "id": "uuid",
        "object": "'purchase_order'",
        "number": "string",
        "vendor": "string",
        "currency": "string",
        "ordered_on": "date or null",
        "status": STATUSES,
        "lines": "list of PurchaseOrderLine",
        "created_at": "date-time",
        "updated_at": "date-time",
    },
    "PurchaseOrderLine": {
        "position": "integer",
        "description": "string",
        "sku": "string or null",
        "quantity": "number",
        "unit": "string or null",
        "unit_price": "number",
        "received_quantity": "number or null",
        "billed_quantity": "number",
        "open_quantity": "number",
    },
    "PurchaseOrderList": {"object": "'list'", "data": "list of PurchaseOrder", "has_more": "boolean"},
    "PurchaseOrderRules": {
        "object": "'order_rules'",
        "price_percent": "number",
        "amount": "number",
        "quantity_percent": "number",
        "skip_review": "boolean",
    },
    "OrderMatch": {
        "status": MATCHES,
        "found_by": "number | text | lines or null",
        "orders": "list of MatchedOrder",
        "lines": "list of MatchedLine",
        "findings": "list of OrderFinding",
        "skips_review": "boolean",
    },
    "MatchedOrder": {"id": "uuid", "number": "string"},
    "MatchedLine": {
        "line": "integer",
        "order_id": "uuid",
        "order_line": "integer",
        "quantity": "number",
        "amount": "number",
    },
    "OrderFinding": {
        "kind": KINDS,
        "line": "integer or null",
        "order_id": "uuid or null",
        "order_line": "integer or null",
        "expected": "string or null",
        "found": "string or null",
        "text": "string",
    },
}
