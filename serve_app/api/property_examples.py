"""A description and an example of every property in the OpenAPI document."""

from collections.abc import Mapping
from typing import Any

from serve_app.api.property_texts import text_of, value_of
from serve_app.http.schema_details import EVENT_ID

Schema = dict[str, Any]

_NULL = {"type": "null"}
_BY_FORMAT = {
    "uuid": "019e2f3a-5b1c-7d4e-8f60-718293a4b5c6",
    "date": "2026-05-15",
    "date-time": "2026-05-17T12:00:07Z",
    "email": "boss@example.com",
    "uri": "https://invoices.example.com/",
    "uri-reference": "/docs/errors#invalid_parameter",
}
_EVENT_ID = f"evt_{_BY_FORMAT['uuid']}"
_BY_TYPE: Mapping[str, Any] = {"string": "text", "integer": 1, "number": 1.0, "boolean": True}


def add_property_texts(document: Schema) -> None:
    """Describe each property and parameter that has no description, and give an example of each property, in place."""
    schemas = document["components"]["schemas"]
    for name, schema in schemas.items():
        _describe(schemas, schema, name)
    for item in document["paths"].values():
        for operation in item.values():
            for parameter in operation.get("parameters", ()):
                parameter.setdefault("description", text_of("parameter", parameter["name"]))
            for content in operation.get("requestBody", {"content": {}})["content"].values():
                for schema in content["schema"].get("oneOf", [content["schema"]]):
                    _describe(schemas, schema, schema.get("title", "body"))


def _describe(schemas: Schema, schema: Schema, name: str) -> None:
    for prop, described in schema.get("properties", {}).items():
        if text := text_of(name, prop):
            described.setdefault("description", text)
        if not described.keys() & {"examples", "example"}:
            described["examples"] = [_example(schemas, described, name, prop)]


def _example(schemas: Schema, schema: Schema, owner: str, name: str) -> Any:
    """A value that the schema of this property allows."""
    if "$ref" in schema:
        return _of_component(schemas, schema["$ref"].rpartition("/")[2])
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    variants = [variant for variant in schema.get("anyOf", ()) if variant != _NULL]
    if variants:
        return _example(schemas, variants[0], owner, name)
    kind = schema.get("type")
    if kind == "array":
        return _list(schemas, schema, owner, name)
    if kind == "object":
        return _object(schemas, schema, owner)
    return _scalar(schema, value_of(owner, name))


def _of_component(schemas: Schema, name: str) -> Any:
    component = schemas[name]
    if "enum" in component:
        return component["enum"][0]
    if component.get("examples"):
        return component["examples"][0]
    properties = component.get("properties", {})
    return {prop: _example(schemas, schema, name, prop) for prop, schema in properties.items()}


def _list(schemas: Schema, schema: Schema, owner: str, name: str) -> Any:
    if "prefixItems" in schema:
        return [0.71, 0.82, 0.79, 0.84][: len(schema["prefixItems"])]
    return [_example(schemas, schema["items"], owner, name)]


def _object(schemas: Schema, schema: Schema, owner: str) -> Any:
    if "properties" in schema:
        return {prop: _example(schemas, each, owner, prop) for prop, each in schema["properties"].items()}
    values = schema.get("additionalProperties")
    if not isinstance(values, dict):
        return {}
    names = schema.get("propertyNames", {}).get("$ref")
    key = "amount" if names is None else _of_component(schemas, names.rpartition("/")[2])
    return {key: _example(schemas, values, owner, "")}


def _scalar(schema: Schema, known: Any) -> Any:
    kind = schema.get("type", "string")
    if schema.get("pattern") == EVENT_ID:
        return _EVENT_ID
    if schema.get("format") in _BY_FORMAT and not _fits(schema, known):
        return _BY_FORMAT[schema["format"]]
    if kind == "string":
        return str(known) if known is not None else _BY_TYPE[kind]
    is_number = isinstance(known, int | float) and not isinstance(known, bool)
    fits = isinstance(known, bool) if kind == "boolean" else is_number
    return (int(known) if kind == "integer" else known) if fits else _BY_TYPE[kind]


def _fits(schema: Schema, known: Any) -> bool:
    """Whether the known value is of the format: its example is as long."""
    return isinstance(known, str) and (
        schema["format"] in ("uri", "email") or len(known) == len(_BY_FORMAT[schema["format"]])
    )
