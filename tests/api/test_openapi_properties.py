"""Every property in the document says what it means, and shows a value that it may have."""

from collections.abc import Iterator
from typing import Any

import pytest
from openapi_schema_validator import OAS31Validator

from serve_app.api.app import create_api
from serve_app.api.operator.routes import describe_operator_api

Schema = dict[str, Any]


@pytest.fixture(params=["accounts", "operators"])
def document(request: pytest.FixtureRequest) -> Schema:
    return describe_operator_api() if request.param == "operators" else create_api().openapi()


def properties(node: Any, path: str = "") -> Iterator[tuple[str, Schema]]:
    """Every property of every schema anywhere in the document. Examples have none."""
    if isinstance(node, list):
        for number, each in enumerate(node):
            yield from properties(each, f"{path}/{number}")
        return
    if not isinstance(node, dict):
        return
    for name, each in node.items():
        if name in ("example", "examples"):
            continue
        if name == "properties":
            yield from ((f"{path}.{prop}", schema) for prop, schema in each.items())
        yield from properties(each, f"{path}/{name}")


def test_every_property_has_a_description_and_an_example_of_its_type(document: Schema) -> None:
    wrong = {}
    for path, schema in properties(document):
        examples = schema.get("examples", [])
        validator = OAS31Validator({**schema, "components": document["components"]})
        if not schema.get("description") or not examples or not all(map(validator.is_valid, examples)):
            wrong[path] = schema
    assert wrong == {}


def test_every_parameter_has_a_description(document: Schema) -> None:
    wrong = [
        (path, parameter["name"])
        for path, item in document["paths"].items()
        for operation in item.values()
        for parameter in operation.get("parameters", ())
        if not parameter.get("description")
    ]
    assert wrong == []


def test_who_reads_auto_verified_is_warned_of_corrected_values() -> None:
    document = create_api().openapi()
    for name in ("Invoice", "AcceptedInvoice"):
        assert "field_source" in document["components"]["schemas"][name]["properties"]["auto_verified"]["description"]
