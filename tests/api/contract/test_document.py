"""The OpenAPI document matches the contract's tables exactly."""

from typing import Any

import pytest
from fastapi import FastAPI

from serve_app.api.app import create_api
from tests.api.contract import additions
from tests.api.contract.endpoints import Endpoint, Table
from tests.api.contract.errors import ERRORS, OF_NO_ENDPOINT
from tests.api.contract.mistakes import WITH_KEY
from tests.api.contract.resources import FIELDS_OF_CONFIDENCE, RESOURCES
from tests.api.contract.shapes import Schema, Shapes

ALL = (*WITH_KEY, additions.DOWNLOAD)
OF_DOWNLOADS = {"Accept-Ranges", "Content-Disposition", "ETag"}
RATE = {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
each_endpoint = pytest.mark.parametrize("endpoint", ALL, ids=lambda endpoint: endpoint.name)


@pytest.fixture(scope="module")
def document() -> Schema:
    app: FastAPI = create_api()
    return app.openapi()


@pytest.fixture(scope="module")
def shapes(document: Schema) -> Shapes:
    return Shapes(document)


def operation(document: Schema, endpoint: Endpoint) -> Schema:
    found: Schema = document["paths"][endpoint.path][endpoint.method.lower()]
    return found


def codes_of(endpoint: Endpoint) -> dict[int, set[str]]:
    """The codes of every error status, additions included."""
    with_key = additions.WITH_KEY if endpoint is not additions.DOWNLOAD else {}
    parts = (endpoint.errors, additions.EVERYWHERE, with_key, additions.MORE_ERRORS.get(endpoint.name, {}))
    codes: dict[int, set[str]] = {}
    for part in parts:
        for status, text in part.items():
            codes.setdefault(status, set()).update(text.split())
    return codes


def parameters(document: Schema, shapes: Shapes, endpoint: Endpoint, place: str) -> Table:
    found = [item for item in operation(document, endpoint).get("parameters", []) if item["in"] == place]
    return {item["name"]: shapes.with_default(item["schema"]) for item in found}


def test_the_endpoints_are_those_of_the_table(document: Schema) -> None:
    described = {f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item}
    assert described == {endpoint.name for endpoint in ALL}


@each_endpoint
def test_query_and_headers_are_those_of_the_table(document: Schema, shapes: Shapes, endpoint: Endpoint) -> None:
    query = endpoint.query | additions.QUERY.get(endpoint.name, {})
    headers = endpoint.headers | additions.HEADERS.get(endpoint.name, {})
    assert parameters(document, shapes, endpoint, "query") == query
    assert parameters(document, shapes, endpoint, "header") == headers
    optional = [item for item in operation(document, endpoint).get("parameters", []) if item["in"] != "path"]
    assert not any(item["required"] for item in optional)


@each_endpoint
def test_an_id_is_a_uuid_or_an_events(document: Schema, shapes: Shapes, endpoint: Endpoint) -> None:
    wanted = {"id": "event id" if endpoint.takes == "event" else "uuid"} if endpoint.takes else {}
    wanted |= {name: "string" for name in ("n", "name") if f"{{{name}}}" in endpoint.path}
    if endpoint is additions.DOWNLOAD:
        wanted = {"token": "string"}
    assert parameters(document, shapes, endpoint, "path") == wanted


@each_endpoint
def test_bodies_are_those_of_the_table(document: Schema, shapes: Shapes, endpoint: Endpoint) -> None:
    content = operation(document, endpoint).get("requestBody", {"content": {}})["content"]
    described = {kind: _variants(shapes, item["schema"]) for kind, item in content.items()}
    more = additions.BODIES.get(endpoint.name, {})
    beside = additions.MORE_OF_BODIES.get(endpoint.name, {})
    wanted = {
        kind: [{name: more.get(name, text) for name, text in body.items()} | beside.get(kind, {}) for body in bodies]
        for kind, bodies in endpoint.bodies.items()
    }
    assert described == wanted


def _variants(shapes: Shapes, schema: Schema) -> list[Table]:
    return [shapes.fields(shapes.resolved(item)) for item in schema.get("oneOf", [schema])]


def test_an_amendment_holds_something_and_no_json_body_holds_anything_unknown(document: Schema, shapes: Shapes) -> None:
    for endpoint in WITH_KEY:
        for body in _json_bodies(document, endpoint):
            assert shapes.resolved(body)["additionalProperties"] is False
            assert shapes.resolved(body).get("minProperties", 0) == (endpoint.method == "PATCH")


def _json_bodies(document: Schema, endpoint: Endpoint) -> list[Any]:
    content = operation(document, endpoint).get("requestBody", {"content": {}})["content"]
    schema = content.get("application/json", {"schema": {"oneOf": []}})["schema"]
    return list(schema.get("oneOf", [schema]))


def test_only_reading_again_needs_no_body(document: Schema) -> None:
    bodies = {item.name: operation(document, item).get("requestBody") for item in WITH_KEY}
    needed = {name for name, body in bodies.items() if body is not None and body["required"]}
    assert needed == {item.name for item in WITH_KEY if item.bodies} - {"POST /v1/invoices/{id}/extract"}


@each_endpoint
def test_statuses_and_codes_are_those_of_the_table(document: Schema, shapes: Shapes, endpoint: Endpoint) -> None:
    described = operation(document, endpoint)["responses"]
    codes = codes_of(endpoint)
    tagged = (304,) if endpoint.name in additions.TAGGED else ()
    assert set(described) == {str(status) for status in (*endpoint.answers, *codes, *tagged)}
    for status, wanted in codes.items():
        content = described[str(status)]["content"]["application/json"]
        assert shapes.of(content["schema"]) == "ErrorEnvelope"
        assert set(content["examples"]) == wanted
    for status, resource in endpoint.answers.items():
        if resource:
            assert shapes.of(described[str(status)]["content"]["application/json"]["schema"]) == resource


@each_endpoint
def test_the_headers_of_every_answer_are_described(document: Schema, endpoint: Endpoint) -> None:
    for status, answer in operation(document, endpoint)["responses"].items():
        assert set(answer["headers"]) == _headers(endpoint, int(status)), status


def _headers(endpoint: Endpoint, status: int) -> set[str]:
    is_repeatable = endpoint.name in {"POST /v1/invoices", *additions.REPEATABLE}
    return (
        {"X-Request-Id"}
        | (RATE if status != 401 and endpoint is not additions.DOWNLOAD else set())
        | ({"Retry-After"} if status in (409, 429, 503) else set())
        | ({"Location"} if status in (201, 202) else set())
        | ({"Content-Disposition"} if status == 200 and endpoint.name in additions.ATTACHMENTS else set())
        | ({"Idempotency-Replayed"} if is_repeatable and status < 300 else set())
        | ({"ETag", "Vary"} if endpoint.name in additions.TAGGED and status in (200, 304) else set())
        | (OF_DOWNLOADS if endpoint is additions.DOWNLOAD and status in (200, 206) else set())
        | ({"Content-Range"} if status == 206 else set())
    )


def test_every_example_of_an_error_is_a_row_of_the_table(document: Schema) -> None:
    wanted = {row.code: row for row in (*ERRORS, *additions.ERRORS)}
    seen = set()
    for endpoint in ALL:
        for status in codes_of(endpoint):
            content = operation(document, endpoint)["responses"][str(status)]["content"]["application/json"]
            for code, example in content["examples"].items():
                error = example["value"]["error"]
                assert (status, error["type"], error["code"]) == wanted[code]
                seen.add(code)
    assert seen == set(wanted) - OF_NO_ENDPOINT


@pytest.mark.parametrize("name", sorted({*RESOURCES, *additions.FIELDS}))
def test_a_resource_has_the_fields_of_the_table_and_always_all_of_them(shapes: Shapes, name: str) -> None:
    wanted = RESOURCES.get(name, {}) | additions.FIELDS.get(name, {})
    schema = shapes.objects()[name]
    assert {field: shapes.of(item) for field, item in schema["properties"].items()} == wanted
    assert set(schema["required"]) == set(wanted) - additions.OPTIONAL.get(name, set())
    # Fields may come to be: no client that was generated from the document may fail over them.
    assert "additionalProperties" not in schema


def test_an_accepted_invoice_may_show_that_waiting_ran_out(shapes: Shapes) -> None:
    accepted, invoice = (shapes.objects()[name] for name in ("AcceptedInvoice", "Invoice"))
    more = {name: item for name, item in accepted["properties"].items() if name not in invoice["properties"]}
    assert {name: shapes.of(item) for name, item in more.items()} == {"wait_timed_out": "boolean"}
    assert accepted["required"] == invoice["required"]


def test_no_resource_is_described_that_is_in_no_table(shapes: Shapes) -> None:
    bodies = {"AmendBody", "ApprovalBody", "ExtractBody", "UrlUpload", "Base64Upload"}
    bodies |= {"NewEndpointBody", "AmendEndpointBody"}
    bodies |= {"ChartBody", "DimensionBody", "CodeBody", "RuleBody", "CodingBody", "PostingBody"}
    bodies |= {"NewOrderBody", "AmendOrderBody", "ReceiveBody", "OrderRulesBody", "OrderLineBody", "ReceivedLineBody"}
    bodies |= {"OwnFieldBody", "CustomValueBody"}
    bodies |= {"ReviewBody", "FieldBody", "RowBody", "TaxRowBody", "CitationBody"}
    assert set(shapes.objects()) - bodies == {*RESOURCES, *additions.FIELDS, "AcceptedInvoice"}


def test_confidence_is_reported_for_the_fields_of_the_table(document: Schema) -> None:
    schemas = document["components"]["schemas"]
    for name in ("field_confidence", "citations"):
        keys = schemas["Invoice"]["properties"][name]["anyOf"][0]["propertyNames"]
        assert keys == {"$ref": "#/components/schemas/Field"}
    assert tuple(schemas["Field"]["enum"]) == FIELDS_OF_CONFIDENCE


def test_the_document_is_version_1_of_what_is_under_v1(document: Schema) -> None:
    assert document["info"]["version"] == "1.0.0"
    assert all(path.startswith("/v1/") for path in document["paths"])
