"""The OpenAPI document: what the framework derives from the endpoints, plus what it cannot know."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from serve_app.api import examples
from serve_app.api.schema_details import add_details
from serve_app.domain.event import EventType
from serve_app.services.bundle import Services

_DESCRIPTION = """Extracts structured invoices from documents: PDF, JPEG, PNG, HEIC and HTML.

Send `Authorization: Bearer <API key>` with every request. A key may send 60 requests a minute. Every error has the same
envelope; `code` is for programs."""
_WEBHOOKS = {
    EventType.COMPLETED: "Extraction finished and the invoice is complete.",
    EventType.FAILED: "Extraction failed; the invoice has status `failed`.",
}
_WEBHOOK_HEADERS = {
    "webhook-id": "The event's id: the same for every attempt.",
    "webhook-timestamp": "When this attempt was made, in unix seconds.",
    "webhook-signature": "`v1,<base64>`: HMAC-SHA256 over `{id}.{timestamp}.{body}` with the endpoint's secret.",
}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI 3.1 document."""
    document = get_openapi(
        title="Invoice extraction",
        version="1.0.0",
        description=_DESCRIPTION,
        routes=app.routes,
        webhooks=app.webhooks.routes,
        servers=[{"url": _server(app)}],
        tags=[{"name": name} for name in ("invoices", "files", "vendors", "events", "account")],
    )
    schemas = document["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"key": []}]
    for operation in _operations(document["paths"]):
        # The service never sends the framework's own response to invalid input.
        if operation["responses"].get("422", {}).get("description") == "Validation Error":
            del operation["responses"]["422"]
    _describe_accepted(schemas)
    add_details(document["paths"], schemas)
    document["webhooks"] = {type: _webhook(type, text) for type, text in _WEBHOOKS.items()}
    for name, example in examples.OF_SCHEMAS.items():
        schemas[name]["examples"] = [example]
    return document


def _server(app: FastAPI) -> str:
    """Where clients reach the service; if the operator has not said so, where they got the document from."""
    services: Services | None = app.state.services
    return "/" if services is None else (services.settings.public_url or "/")


_REF = "#/components/schemas/{model}"


def _operations(paths: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in paths.values() for operation in path.values() if "responses" in operation]


def _describe_accepted(schemas: dict[str, Any]) -> None:
    """`wait_timed_out` is present only if it is true."""
    accepted = schemas["AcceptedInvoice"]
    accepted["required"] = [name for name in accepted["required"] if name != "wait_timed_out"]
    accepted["properties"]["wait_timed_out"] = {
        "type": "boolean",
        "description": "Only with `wait=true`, where extraction outran the wait window.",
    }


def _webhook(type: EventType, text: str) -> dict[str, Any]:
    headers = [
        {"name": name, "in": "header", "required": True, "description": about, "schema": {"type": "string"}}
        for name, about in _WEBHOOK_HEADERS.items()
    ]
    content = {"schema": {"$ref": _REF.format(model="Event")}, "example": examples.OF_WEBHOOKS[type]}
    body = {"content": {"application/json": content}, "required": True}
    answers = {"2XX": {"description": "Received. Anything else, or no answer within 10 s, is tried again."}}
    return {"post": {"summary": text, "parameters": headers, "requestBody": body, "responses": answers, "security": []}}
