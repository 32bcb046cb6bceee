"""Details in the OpenAPI document that the framework cannot derive from the types."""

from typing import Any

Schema = dict[str, Any]

_NULL = {"type": "null"}
_UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
EVENT_ID = f"^evt_{_UUID}$"
"""The pattern of event ids."""


def add_details(paths: Schema, schemas: Schema) -> None:
    """Add the details to both arguments in place."""
    for path in paths.values():
        for operation in path.values():
            for parameter in operation.get("parameters", ()):
                parameter["schema"] = _never_null(parameter["schema"])
                if parameter["schema"].get("type") == "array":
                    # Its values are separated by commas.
                    parameter |= {"style": "form", "explode": False}
    for schema in schemas.values():
        # Responses may gain new fields, and clients must tolerate them.
        if schema.get("additionalProperties") is False:
            del schema["additionalProperties"]
    for name in ("Event", "DeletedEvent"):
        schemas[name]["properties"]["id"]["pattern"] = EVENT_ID
    schemas["FileLink"]["properties"]["url"]["format"] = "uri"
    for name in ("WebhookEndpoint", "WebhookEndpointWithSecret"):
        schemas[name]["properties"]["url"]["format"] = "uri"
    schemas["PageAnswer"]["properties"]["picture"]["format"] = "uri"
    for name in ("Invoice", "AcceptedInvoice"):
        share = schemas[name]["properties"]["quality_score"]["anyOf"][0]
        share |= {"minimum": 0, "maximum": 1}


def _never_null(schema: Schema) -> Schema:
    """The schema without null. An unused parameter is omitted: URLs and headers have no null."""
    others = [variant for variant in schema.get("anyOf", ()) if variant != _NULL]
    if len(others) != 1:
        return schema
    rest = {name: value for name, value in schema.items() if name not in ("anyOf", "description")}
    return {**others[0], **rest}
