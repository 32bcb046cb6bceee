"""What the service gives beyond the contract about events, and the endpoints that receive them."""

from tests.api.contract.endpoints import NO_KEY, Endpoint, Table

TYPES = "invoice.completed | invoice.failed | invoice.reviewed | invoice.updated | invoice.deleted"
"""Those after the second are sent and listed only if they are asked for by name."""
ENDPOINTS = (
    Endpoint(
        "GET /v1/webhook_endpoints",
        answers={200: "WebhookEndpointList"},
        errors={401: NO_KEY, 429: "rate_limited"},
    ),
    Endpoint(
        "POST /v1/webhook_endpoints",
        answers={201: "WebhookEndpointWithSecret"},
        errors={
            400: "invalid_body invalid_parameter",
            401: NO_KEY,
            403: "insufficient_scope",
            429: "rate_limited",
        },
        bodies={
            "application/json": (
                {"url!": "uri 1..2048", "description": "string ..200 = ", "types": f"list of 1..5 {TYPES}"},
            )
        },
        writes=True,
    ),
    Endpoint(
        "GET /v1/webhook_endpoints/{id}",
        answers={200: "WebhookEndpoint"},
        errors={401: NO_KEY, 404: "webhook_endpoint_not_found", 429: "rate_limited"},
    ),
    Endpoint(
        "PATCH /v1/webhook_endpoints/{id}",
        answers={200: "WebhookEndpoint"},
        errors={
            400: "invalid_body invalid_parameter",
            401: NO_KEY,
            403: "insufficient_scope",
            404: "webhook_endpoint_not_found",
            429: "rate_limited",
        },
        bodies={
            "application/json": (
                {
                    "url": "uri 1..2048",
                    "description": "string ..200",
                    "types": f"list of 1..5 {TYPES}",
                    "active": "boolean",
                },
            )
        },
        writes=True,
    ),
    Endpoint(
        "POST /v1/webhook_endpoints/{id}/rotate_secret",
        answers={200: "WebhookEndpointWithSecret"},
        errors={
            400: "invalid_parameter",
            401: NO_KEY,
            403: "insufficient_scope",
            404: "webhook_endpoint_not_found",
            429: "rate_limited",
        },
        writes=True,
    ),
    Endpoint(
        "DELETE /v1/webhook_endpoints/{id}",
        answers={204: ""},
        errors={
            401: NO_KEY,
            403: "insufficient_scope",
            404: "webhook_endpoint_not_found",
            429: "rate_limited",
        },
        writes=True,
    ),
)
WEBHOOK_ENDPOINT: Table = {
    "id": "uuid",
    "object": "'webhook_endpoint'",
    "livemode": "boolean",
    "url": "uri",
    "description": "string",
    "types": f"list of {TYPES}",
    "active": "boolean",
    "paused_reason": "by_hand | gone | failing or null",
    "failing_since": "date-time or null",
    "created_at": "date-time",
}
FIELDS: dict[str, Table] = {
    "Event": {"type": TYPES, "livemode": "boolean"},
    "EventList": {"data": "list of Event or DeletedEvent"},
    "DeletedEvent": {
        "id": "event id",
        "type": "'invoice.deleted'",
        "livemode": "boolean",
        "created_at": "date-time",
        "data": "DeletedEventData",
    },
    "DeletedEventData": {"invoice": "DeletedInvoice"},
    "DeletedInvoice": {"id": "uuid", "object": "'invoice'", "deleted": "True"},
    "WebhookEndpoint": WEBHOOK_ENDPOINT,
    "WebhookEndpointWithSecret": {**WEBHOOK_ENDPOINT, "secret": "string"},
    "WebhookEndpointList": {"object": "'list'", "data": "list of WebhookEndpoint", "has_more": "False"},
}
