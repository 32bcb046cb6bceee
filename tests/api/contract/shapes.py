"""An OpenAPI document's schemas as short texts: `integer 1..100 = 25`, `uuid or null`, `list of LineItem`."""

from typing import Any

Schema = dict[str, Any]
_EVENT_ID = "^evt_"
_LETTERS = {"^[A-Z]{3}$": "ABC", "^[A-Z]{2}$": "AB"}


class Shapes:
    """Reads the schemas of one document."""

    def __init__(self, document: Schema) -> None:
        self._components: dict[str, Schema] = document["components"]["schemas"]

    def with_default(self, schema: Schema) -> str:
        """The text, with the default where there is one."""
        default = schema.get("default")
        return self.of(schema) + ("" if default is None else f" = {default}")

    def of(self, schema: Schema) -> str:
        """The text of a schema; that of an object is its name."""
        if "$ref" in schema:
            return self._named(schema["$ref"].rpartition("/")[2])
        if "anyOf" in schema:
            return " or ".join(self.of(schema_) for schema_ in schema["anyOf"])
        if "const" in schema:
            return repr(schema["const"])
        if "enum" in schema:
            return " | ".join(map(str, schema["enum"]))
        return self._plain(schema)

    def resolved(self, schema: Schema) -> Schema:
        """The schema itself where this only names it."""
        return self._components[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema

    def fields(self, schema: Schema) -> dict[str, str]:
        """Every property of an object, `!` on required ones."""
        required = set(schema.get("required", ()))
        properties: Schema = schema.get("properties", {})
        return {name + "!" * (name in required): self.with_default(item) for name, item in properties.items()}

    def objects(self) -> dict[str, Schema]:
        """The components that are objects."""
        return {name: item for name, item in self._components.items() if item.get("type") == "object"}

    def _named(self, name: str) -> str:
        component = self._components[name]
        return self.of(component) if "enum" in component else name

    def _plain(self, schema: Schema) -> str:
        kind = schema["type"]
        if kind == "array":
            return self._list(schema)
        if kind == "object":
            values = schema["additionalProperties"]
            return f"map of {'any' if values is True else self.of(values)}"
        if schema.get("pattern", "").startswith(_EVENT_ID):
            return "event id"
        if schema.get("pattern") in _LETTERS:
            return _LETTERS[schema["pattern"]]
        return f"{schema.get('format', kind)}{_bounds(schema)}"

    def _list(self, schema: Schema) -> str:
        if "items" in schema and "minItems" not in schema:
            return f"list of {self.of(schema['items'])}"
        if "items" in schema and schema["minItems"] != schema["maxItems"]:
            return f"list of {schema['minItems']}..{schema['maxItems']} {self.of(schema['items'])}"
        (kind,) = {self.of(schema_) for schema_ in schema.get("prefixItems", [schema.get("items")])}
        assert schema["minItems"] == schema["maxItems"]
        return f"list of {schema['minItems']} {kind}"


def _bounds(schema: Schema) -> str:
    low = schema.get("minimum", schema.get("minLength"))
    high = schema.get("maximum", schema.get("maxLength"))
    if low is None and high is None:
        return ""
    return f" {'' if low is None else low}..{'' if high is None else high}"
