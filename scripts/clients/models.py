"""The models of the Python client, written from the OpenAPI document: a module for each tag, enums and parameters."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scripts.clients.formatting import formatted

Schema = Mapping[str, Any]

# Numbers with an exact decimal value, and measures that are approximate by nature.
EXACT = {
    *("amount", "tax", "subtotal", "shipping", "discount", "amount_due", "amount_paid", "quantity", "unit_price"),
    *("total", "tax_rate", "rate", "base", "total_billed", "min_amount", "max_amount"),
    *("received_quantity", "billed_quantity", "open_quantity", "price_percent", "quantity_percent", "spent"),
}
_MEASURES = {
    *("quality_score", "box", "coverage", "stands_for", "share", "low", "high", "width", "height", "score", "promised"),
    *("chance", "seconds", "minutes_saved", "TargetPrecision"),
}
# An answer that is another one with more properties.
EXTENDS = {"AcceptedInvoice": "Invoice", "WebhookEndpointWithSecret": "WebhookEndpoint"}
_FORMATS = {"date": "date", "date-time": "datetime"}
_PLAIN = {"string": "str", "integer": "int", "boolean": "bool", "null": "None"}
_BASE = "invoices_client.models"
_NOTE = '"""{title} Written by `python -m scripts.clients` from the OpenAPI document."""\n\n'
_LINE = 110


def python_models(document: Schema) -> dict[str, str]:
    """The text of each module of `invoices_client.models`, by its name."""
    writer = _Writer(document["components"]["schemas"])
    modules = {tag: _module(writer, tag, list(answers)) for tag, answers in _answers(document).items()}
    parameters = _parameters(writer, document)
    enums = _enums(writer)
    texts = {"enums": enums, "parameters": parameters, **modules, "__init__": _package(writer)}
    return {name: formatted(text) for name, text in texts.items()}


@dataclass
class _Writer:
    """The schemas, and in which module each of them was written."""

    schemas: Schema
    places: dict[str, str] = field(default_factory=dict)

    def is_enum(self, name: str) -> bool:
        schema = self.schemas[name]
        return "enum" in schema and schema.get("type") == "string"

    def type_of(self, schema: Schema, name: str) -> str:
        """The Python type of a property called `name`."""
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            if "properties" in self.schemas[target] or self.is_enum(target):
                return str(target)
            return self.type_of(self.schemas[target], target)
        if "anyOf" in schema:
            return " | ".join(dict.fromkeys(self.type_of(each, name) for each in schema["anyOf"]))
        return self._simple(schema, name)

    def _simple(self, schema: Schema, name: str) -> str:
        match schema["type"]:
            case "number":
                return "Decimal" if is_exact(name) else "float"
            case "array":
                items = schema.get("items") or schema["prefixItems"][0]
                return f"list[{self.type_of(items, name)}]"
            case "object":
                values = schema.get("additionalProperties")
                return f"dict[str, {self.type_of(values, name) if isinstance(values, dict) else 'Any'}]"
            case "string":
                return _FORMATS.get(schema.get("format", ""), "str")
            case plain:
                return _PLAIN[plain]


def is_exact(name: str) -> bool:
    """Whether a number has an exact decimal value."""
    if name not in EXACT | _MEASURES:
        raise ValueError(f"say in scripts/clients/models.py whether the number {name} is exact")
    return name in EXACT


def operations(document: Schema) -> Iterator[Schema]:
    """All operations of the document."""
    return (operation for path in document["paths"].values() for operation in path.values())


def _answers(document: Schema) -> dict[str, dict[str, None]]:
    """The schemas of successful answers by the tag of their operations."""
    found: dict[str, dict[str, None]] = {}
    for operation in operations(document):
        names = found.setdefault(operation["tags"][0], {})
        for status, response in operation["responses"].items():
            content = response.get("content", {}).get("application/json", {})
            if status.startswith("2"):
                names.update(dict.fromkeys(references(content.get("schema", {}))))
    return {tag: names for tag, names in found.items() if names}


def answer_names(document: Schema) -> list[str]:
    """The schemas that a successful answer has as a whole."""
    contents = [
        response.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
        for operation in operations(document)
        for status, response in operation["responses"].items()
        if status.startswith("2")
    ]
    return sorted({target.rpartition("/")[2] for target in contents if target})


def references(schema: object) -> Iterator[str]:
    """The components that a schema names, outermost first."""
    if isinstance(schema, Mapping):
        if isinstance(target := schema.get("$ref"), str):
            yield target.rpartition("/")[2]
        for key, value in schema.items():
            if key not in {"examples", "default", "propertyNames"}:
                yield from references(value)
    elif isinstance(schema, list):
        for each in schema:
            yield from references(each)


def _module(writer: _Writer, tag: str, roots: list[str]) -> str:
    classes: list[str] = []
    used: set[str] = set()

    def add(name: str) -> None:
        used.add(name)
        if name in writer.places or writer.is_enum(name):
            return
        base = EXTENDS.get(name)
        for needed in [*([base] if base else []), *references(writer.schemas[name])]:
            add(needed)
        if name not in writer.places and "properties" in writer.schemas[name]:
            writer.places[name] = tag
            classes.append(_model(writer, name, base))

    for root in roots:
        add(root)
    body = "\n\n".join(classes)
    elsewhere = {name for name in used if name in body and writer.places.get(name) != tag}
    return _NOTE.format(title=f"Answers about {tag}.") + _imports(writer, elsewhere, body) + "\n\n" + body


def _imports(writer: _Writer, names: set[str], body: str) -> str:
    lines = ["from datetime import date, datetime", "from decimal import Decimal", "from typing import Any"]
    if "(Model)" in body:
        lines.append(f"from {_BASE}.base import Model")
    if "TypedDict" in body:
        lines.append("from typing_extensions import Required, TypedDict")
    for name in sorted(names):
        if writer.is_enum(name) or name in writer.places:
            lines.append(f"from {_BASE}.{'enums' if writer.is_enum(name) else writer.places[name]} import {name}")
    return "\n".join(lines)


def _model(writer: _Writer, name: str, base: str | None) -> str:
    schema = writer.schemas[name]
    known = dict(writer.schemas[base]["properties"]) if base else {}
    if missing := known.keys() - schema["properties"].keys():
        raise ValueError(f"{name} no longer extends {base}: it has no {', '.join(missing)}")
    lines = [f"class {name}({base or 'Model'}):", _doc(schema.get("description", "")), ""]
    for key, value in schema["properties"].items():
        if key not in known:
            default = _default(value, is_required=key in schema.get("required", ()))
            kind = writer.type_of(value, key)
            optional = " | None" if default == " = None" and "None" not in kind.split(" | ") else ""
            lines += [f"    {key}: {kind}{optional}{default}", _doc(value.get("description", ""))]
    return "\n".join(lines)


def _default(schema: Schema, *, is_required: bool) -> str:
    """A version of the service may lack what came later: null, or an empty list or object."""
    if not is_required or {"type": "null"} in schema.get("anyOf", ()):
        return " = None"
    return {"array": " = []", "object": " = {}"}.get(schema.get("type", ""), "")


def _doc(text: str) -> str:
    if not text:
        return ""
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    wrapped = "\n\n".join(textwrap.fill(paragraph, _LINE) for paragraph in paragraphs)
    closing = "\n" if "\n" in wrapped else ""
    return textwrap.indent(f'"""{wrapped}{closing}"""', "    ")


def _enums(writer: _Writer) -> str:
    classes = []
    for name in sorted(writer.schemas):
        if writer.is_enum(name) and name != "ErrorType":
            schema = writer.schemas[name]
            members = [f'    {value.upper().replace(".", "_")} = "{value}"' for value in schema["enum"]]
            classes.append("\n".join([f"class {name}(OpenEnum):", _doc(schema.get("description", "")), "", *members]))
    imports = f"from {_BASE}.base import OpenEnum"
    return _NOTE.format(title="Values of a fixed list.") + imports + "\n\n\n" + "\n\n\n".join(classes)


def _parameters(writer: _Writer, document: Schema) -> str:
    classes = [_typed_dict(writer, name, writer.schemas[name]) for name in writer.schemas if name.endswith("Body")]
    for operation in operations(document):
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if "properties" in body:
            classes.append(_typed_dict(writer, body["title"], body))
        if operation["operationId"].startswith("list_") and operation.get("parameters"):
            classes.append(_query(writer, operation))
    body = "\n\n".join(classes)
    names = {name for name in writer.schemas if writer.is_enum(name) and name in body}
    return _NOTE.format(title="Parameters of calls.") + _imports(writer, names, body) + "\n\n" + body


def _query(writer: _Writer, operation: Schema) -> str:
    name = "".join(part.title() for part in operation["operationId"].split("_")) + "Query"
    properties = {
        each["name"]: {**each["schema"], "description": each["description"]}
        for each in operation["parameters"]
        if each["in"] == "query"
    }
    return _typed_dict(writer, name, {"properties": properties, "description": operation["summary"]})


def _typed_dict(writer: _Writer, name: str, schema: Schema) -> str:
    lines = [f"class {name}(TypedDict, total=False):", _doc(schema.get("description", "")), ""]
    for key, value in schema["properties"].items():
        kind = _accepted(writer, value, key)
        wanted = f"Required[{kind}]" if key in schema.get("required", ()) else kind
        lines += [f"    {key}: {wanted}", _doc(value.get("description", ""))]
    return "\n".join(lines)


def _accepted(writer: _Writer, schema: Schema, name: str) -> str:
    """What a caller can give: also the text of an enum, and any number in place of a decimal."""
    kind = writer.type_of(schema, name)
    for enum in filter(writer.is_enum, references(schema)):
        kind = kind.replace(enum, f"{enum} | str")
    return kind.replace("Decimal", "Decimal | float")


def _package(writer: _Writer) -> str:
    enums = [name for name in writer.schemas if writer.is_enum(name) and name != "ErrorType"]
    places = {**writer.places, **dict.fromkeys(enums, "enums"), "Model": "base", "OpenEnum": "base"}
    lines = [f"from {_BASE}.{module} import {name}" for name, module in sorted(places.items())]
    names = ", ".join(f'"{name}"' for name in sorted(places))
    return _NOTE.format(title="Answers of the service.") + "\n".join(lines) + f"\n\n__all__ = [{names}]"
