"""The OpenAPI document: what the framework derives from the endpoints, plus what it cannot know."""

from string import Template
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from serve_app.api import examples
from serve_app.api.deprecation import mark_deprecated
from serve_app.api.property_examples import add_property_texts
from serve_app.domain.event import EventType
from serve_app.domain.limits import megabytes
from serve_app.http.schema_details import add_details
from serve_app.services.bundle import Services
from serve_app.settings import Settings
from serve_app.settings.reading import read_settings

_DESCRIPTION = """Extracts structured invoices from documents: PDF, JPEG, PNG, HEIC and HTML.

Send `Authorization: Bearer <API key>` with every request. A key may send $rate_limit requests per minute. All errors
have the same envelope; programs should use `code`.

Keys that begin with `inv_test_` are of test mode: test data is apart and has `livemode: false`, results come at once,
decided by the name of the file, and no quota is used."""
_WEBHOOKS = {
    EventType.COMPLETED: "Extraction finished and the invoice is complete.",
    EventType.FAILED: "Extraction failed; the invoice has status `failed`.",
    EventType.REVIEWED: "A person has confirmed, corrected or rejected the invoice. Only for endpoints with this type.",
    EventType.UPDATED: "The invoice has changed without a new extraction: paid, tag, approval, review or its place in "
    "the file. Only for endpoints with this type.",
    EventType.DELETED: "The invoice was deleted. Only for endpoints with this type.",
}
_WEBHOOK_HEADERS = {
    "webhook-id": "The event's id, the same for every attempt.",
    "webhook-timestamp": "The time of this attempt, in Unix seconds.",
    "webhook-signature": "`v1,<base64>`: HMAC-SHA256 over `{id}.{timestamp}.{body}` with the endpoint's secret. "
    "Several signatures are separated by spaces. While a secret is rotated, both secrets sign. An endpoint with a key "
    "pair adds `v1a,<base64>`, an Ed25519 signature of the same text.",
}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI 3.1 document. The limits in its texts are those of the running service; if there is none, those it
    would have if started here."""
    services = app.state.services
    settings = services.settings if services else read_settings()
    document: dict[str, Any] = _with_limits(_describe(app), _limits(settings))
    return document


def _describe(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(
        title="Invoice extraction",
        version="1.0.0",
        description=_DESCRIPTION,
        routes=app.routes,
        webhooks=app.webhooks.routes,
        servers=[{"url": _server(app)}],
        tags=[
            {"name": name}
            for name in (
                *("invoices", "files", "reviews", "coding", "fields", "vendors", "orders", "events", "webhooks"),
                *("mails", "exports", "account"),
            )
        ],
    )
    schemas = document["components"]["schemas"]
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    document["components"]["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"key": []}]
    for operation in operations_of(document["paths"]):
        drop_framework_errors(operation)
    _describe_accepted(schemas)
    _describe_vendors(schemas["VendorList"])
    add_details(document["paths"], schemas)
    for operation in operations_of(document["paths"]):
        move_definitions(operation, schemas)
    mark_deprecated(document)
    document["webhooks"] = {type: _webhook(type, text) for type, text in _WEBHOOKS.items()}
    for name, example in examples.OF_SCHEMAS.items():
        schemas[name]["examples"] = [example]
    add_property_texts(document)
    return document


def _server(app: FastAPI) -> str:
    """Where clients reach the service; if the operator has not said so, where they got the document from."""
    services: Services | None = app.state.services
    return "/" if services is None else (services.settings.public_url or "/")


def _limits(settings: Settings) -> dict[str, str]:
    """The limits by their placeholders in texts, which begin with `$`."""
    return {
        "rate_limit": f"{settings.rate_limit:,}",
        "wait_seconds": f"{settings.wait_seconds:g}",
        "fetch_seconds": f"{settings.fetch_seconds:g}",
        "webhook_seconds": f"{settings.webhook_seconds:g}",
        "max_file": megabytes(settings.max_file_bytes),
    }


def _with_limits(node: Any, limits: dict[str, str]) -> Any:
    """The node with its descriptions filled in. Other values, such as patterns, may have a `$` of their own."""
    if isinstance(node, list):
        return [_with_limits(each, limits) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        name: Template(value).safe_substitute(limits)
        if name == "description" and isinstance(value, str)
        else _with_limits(value, limits)
        for name, value in node.items()
    }


_REF = "#/components/schemas/{model}"


def drop_framework_errors(operation: dict[str, Any]) -> None:
    """The service never sends the framework's own response to invalid input."""
    if operation["responses"].get("422", {}).get("description") == "Validation Error":
        del operation["responses"]["422"]


def move_definitions(operation: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Move what the operation's body consists of to the document's schemas."""
    for content in operation.get("requestBody", {"content": {}})["content"].values():
        parts = content["schema"].get("$defs", {})
        # The original is part of the next document, too.
        content["schema"] = {name: part for name, part in content["schema"].items() if name != "$defs"}
        schemas.update({name: part for name, part in parts.items() if name not in schemas})


def operations_of(paths: dict[str, Any]) -> list[dict[str, Any]]:
    """All operations below these paths."""
    return [operation for path in paths.values() for operation in path.values() if "responses" in operation]


def _describe_accepted(schemas: dict[str, Any]) -> None:
    """`wait_timed_out` is present only if it is true."""
    accepted = schemas["AcceptedInvoice"]
    accepted["required"] = [name for name in accepted["required"] if name != "wait_timed_out"]
    accepted["properties"]["wait_timed_out"] = {
        "type": "boolean",
        "description": "Only with `wait=true`, if extraction took longer than the wait window.",
    }


def _describe_vendors(listed: dict[str, Any]) -> None:
    """`has_more` is present only if the list continues another one."""
    listed["required"] = [name for name in listed["required"] if name != "has_more"]
    listed["properties"]["has_more"] = {
        "type": "boolean",
        "description": "Only with `starting_after`: whether more entries follow.",
        "examples": [False],
    }


def _webhook(type: EventType, text: str) -> dict[str, Any]:
    headers = [
        {"name": name, "in": "header", "required": True, "description": about, "schema": {"type": "string"}}
        for name, about in _WEBHOOK_HEADERS.items()
    ]
    model = "DeletedEvent" if type is EventType.DELETED else "Event"
    content = {"schema": {"$ref": _REF.format(model=model)}, "example": examples.OF_WEBHOOKS[type]}
    body = {"content": {"application/json": content}, "required": True}
    answers = {
        "2XX": {
            "description": "Received. After any other response, or none within $webhook_seconds s, the "
            "delivery is retried."
        }
    }
    return {"post": {"summary": text, "parameters": headers, "requestBody": body, "responses": answers, "security": []}}
