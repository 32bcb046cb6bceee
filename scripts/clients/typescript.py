"""The types and operations of the TypeScript client, written from the OpenAPI document."""

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scripts.clients.models import EXACT, EXTENDS, Schema, is_exact, operations, references

_NOTE = "// {title} Written by `python -m scripts.clients` from the OpenAPI document.\n\n"
_FORMATS = {"date": "IsoDate", "date-time": "IsoDateTime"}
_PLAIN = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}
_LINE = 105


def typescript_sources(document: Schema) -> dict[str, str]:
    """The text of each written module of the TypeScript client, by its name."""
    writer = _Writer(document["components"]["schemas"])
    return {"models": _models(writer, document), "calls": _calls(writer, document)}


def type_names(document: Schema) -> Iterator[str]:
    """The components that the client has as types: parts of answers, and bodies of calls."""
    schemas = document["components"]["schemas"]
    needed = dict.fromkeys(name for name in schemas if name.endswith("Body"))
    for operation in operations(document):
        needed.update(dict.fromkeys(references(_answer_schemas(operation))))
        needed.update(dict.fromkeys(references([each["schema"] for each in operation.get("parameters", ())])))
    found: dict[str, None] = {}
    while needed:
        name = next(iter(needed))
        del needed[name]
        found[name] = None
        needed.update(dict.fromkeys(each for each in references(schemas[name]) if each not in found))
    return (name for name in sorted(found) if _is_type(schemas[name]))


def _is_type(schema: Schema) -> bool:
    return "properties" in schema or _is_enum(schema)


def _is_enum(schema: Schema) -> bool:
    return "enum" in schema and schema.get("type") == "string"


@dataclass(frozen=True)
class _Writer:
    schemas: Schema

    def type_of(self, schema: Schema, name: str) -> str:
        """The type of a property called `name`."""
        if "$ref" in schema:
            target = schema["$ref"].rpartition("/")[2]
            return target if _is_type(self.schemas[target]) else self.type_of(self.schemas[target], target)
        if "anyOf" in schema:
            return " | ".join(dict.fromkeys(self.type_of(each, name) for each in schema["anyOf"]))
        if "const" in schema or "enum" in schema:
            return " | ".join(json.dumps(each) for each in schema.get("enum", [schema.get("const")]))
        return self._simple(schema, name)

    def _simple(self, schema: Schema, name: str) -> str:
        match schema["type"]:
            case "number":
                return "Decimal" if is_exact(name) else "number"
            case "array" if "prefixItems" in schema:
                return f"[{', '.join(self.type_of(each, name) for each in schema['prefixItems'])}]"
            case "array":
                return f"Array<{self.type_of(schema['items'], name)}>"
            case "object":
                values = schema.get("additionalProperties")
                return f"Record<string, {self.type_of(values, name) if isinstance(values, dict) else 'unknown'}>"
            case "string":
                return _FORMATS.get(schema.get("format", ""), "string")
            case plain:
                return _PLAIN[plain]

    def enum(self, name: str) -> str:
        schema = self.schemas[name]
        values = " | ".join(json.dumps(each) for each in schema["enum"])
        return f"{_doc(schema)}export type {name} = Open<{values}>;\n"

    def answer(self, name: str) -> str:
        """An answer or a part of one."""
        schema, base = self.schemas[name], EXTENDS.get(name)
        known = self.schemas[base]["properties"] if base else {}
        lines = [f"{_doc(schema)}export interface {name}{f' extends {base}' if base else ''} {{\n"]
        for key, value in schema["properties"].items():
            if key not in known:
                mark = "" if key in schema.get("required", ()) else "?"
                lines.append(f"{_doc(value, '  ')}  {key}{mark}: {self.type_of(value, key)};\n")
        return "".join([*lines, "}\n"])

    def parameters(self, name: str, schema: Schema) -> str:
        """What a caller gives: any number in place of a decimal, and a `Date` in place of a time."""
        lines = [f"{_doc(schema)}export interface {name} {{\n"]
        for key, value in schema["properties"].items():
            kind = self.type_of(value, key).replace("Decimal", "Decimal | number")
            kind = kind.replace("IsoDateTime", "IsoDateTime | Date")
            mark, end = ("", "") if key in schema.get("required", ()) else ("?", " | undefined")
            lines.append(f"{_doc(value, '  ')}  {key}{mark}: {kind}{end};\n")
        return "".join([*lines, "}\n"])


def _models(writer: _Writer, document: Schema) -> str:
    blocks = ['import type { Decimal, IsoDate, IsoDateTime, Open } from "./base.js";\n', _decimals()]
    for name in type_names(document):
        schema = writer.schemas[name]
        if _is_enum(schema):
            blocks.append(writer.enum(name))
        elif name.endswith("Body"):
            blocks.append(writer.parameters(name, schema))
        else:
            blocks.append(writer.answer(name))
    blocks += [writer.parameters(name, schema) for name, schema in _inline_parameters(document)]
    return _NOTE.format(title="Answers of the service, and parameters of its calls.") + "\n".join(blocks)


def _decimals() -> str:
    names = textwrap.fill(", ".join(f'"{name}"' for name in sorted(EXACT)), _LINE)
    doc = "/** Numbers that are read as texts, because they are exact. */\n"
    return f"{doc}export const DECIMALS: ReadonlySet<string> = new Set([\n{textwrap.indent(names, '  ')},\n]);\n"


def _inline_parameters(document: Schema) -> Iterator[tuple[str, Schema]]:
    """Bodies that are no component, and the query of each call that has one."""
    for operation in operations(document):
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        if "properties" in body:
            yield body["title"], body
        query = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
        if query and operation["operationId"] != "create_invoice":
            properties = {each["name"]: {**each["schema"], "description": each["description"]} for each in query}
            yield query_name(operation), {"properties": properties, "description": operation["summary"]}


def query_name(operation: Schema) -> str:
    """The type of an operation's query."""
    return "".join(part.title() for part in operation["operationId"].split("_")) + "Query"


def _calls(writer: _Writer, document: Schema) -> str:
    lines: list[str] = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            reader = _reader(writer, operation)
            lines.append(f"{_doc(operation)}export const {_camel(operation['operationId'])} = ")
            lines.append(f'call("{method.upper()}", "{path}", {reader});\n')
    body = "".join(lines)
    used = sorted({name for name in re.findall(r"\b[A-Z]\w+\b", " ".join(re.findall(r"json<(.*)>", body)))})
    imports = 'import { bytes, call, json, none } from "./call.js";\n'
    names = "".join(f"  {name},\n" for name in used)
    imports += f'import type {{\n{names}}} from "./models.js";\n\n'
    return _NOTE.format(title="The operations of the service.") + imports + body


def _answer_schemas(operation: Schema) -> list[Schema]:
    """The schemas of successful answers in JSON. What may have other types as well is a file."""
    answers = [answer.get("content", {}) for status, answer in operation["responses"].items() if status.startswith("2")]
    contents = [types["application/json"] for types in answers if set(types) == {"application/json"}]
    return [content["schema"] for content in contents if "schema" in content]


def _reader(writer: _Writer, operation: Schema) -> str:
    """How a response is read."""
    if schemas := _answer_schemas(operation):
        types = dict.fromkeys(writer.type_of(each, "") for each in schemas)
        wider = {EXTENDS.get(each) for each in types}
        return f"json<{' | '.join(each for each in types if each not in wider)}>"
    has_content = any("content" in answer for status, answer in operation["responses"].items() if status[0] == "2")
    return "bytes" if has_content else "none"


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.title() for part in others)


def _doc(schema: Mapping[str, Any], indent: str = "") -> str:
    text = " ".join((schema.get("description") or schema.get("summary") or "").split()).replace("*/", "*\\/")
    if not text:
        return ""
    lines = textwrap.wrap(text, _LINE)
    if len(lines) == 1:
        return f"{indent}/** {text} */\n"
    return "".join([f"{indent}/**\n", *(f"{indent} * {line}\n" for line in lines), f"{indent} */\n"])
