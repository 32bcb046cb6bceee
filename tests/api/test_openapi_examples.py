"""The document's examples are what callers can send and what they get."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from openapi_schema_validator import OAS31Validator

from serve_app.api.operator.routes import describe_operator_api
from tests.api.checks import assert_error
from tests.api.contract.additions import OPTIONAL

Schema = dict[str, Any]
ANSWERS = {
    *("Invoice", "AcceptedInvoice", "InvoiceList", "Vendor", "VendorList", "Event", "EventList"),
    *("Me", "FileLink", "ApprovalRequested", "DeletedEvent"),
    *("WebhookEndpoint", "WebhookEndpointWithSecret", "WebhookEndpointList", "Mail", "MailList"),
}


def test_every_body_of_operators_has_an_example() -> None:
    document = describe_operator_api()
    counts = {}
    for name, content in bodies(document):
        for example in examples_in(content):
            check(document, content["schema"], example)
        counts[name] = len(examples_in(content))
    assert set(counts.values()) == {1}
    assert len(counts) == 4


@pytest.fixture
def document(app: FastAPI) -> Schema:
    return app.openapi()


def check(document: Schema, schema: Schema, example: object) -> None:
    """The example is what the schema describes."""
    whole = {**schema, "components": document["components"]}
    OAS31Validator(whole, format_checker=OAS31Validator.FORMAT_CHECKER).validate(example)


def bodies(document: Schema) -> Iterator[tuple[str, Schema]]:
    """Every body that may be sent, by its operation and kind."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            for kind, content in operation.get("requestBody", {"content": {}})["content"].items():
                yield f"{method} {path} {kind}", content


def examples_in(content: Schema) -> list[Any]:
    return (
        [content["example"]] if "example" in content else [example["value"] for example in content["examples"].values()]
    )


def test_every_body_has_examples_of_each_kind(document: Schema) -> None:
    counts = {}
    for name, content in bodies(document):
        for example in examples_in(content):
            check(document, content["schema"], example)
        counts[name] = len(examples_in(content))
    assert counts == {
        "post /v1/invoices multipart/form-data": 1,
        "post /v1/invoices application/json": 2,
        "patch /v1/invoices/{id} application/json": 1,
        "post /v1/invoices/{id}/approval application/json": 1,
        "post /v1/invoices/{id}/extract application/json": 1,
        "put /v1/chart application/json": 1,
        "put /v1/fields/{name} application/json": 1,
        "put /v1/invoices/{id}/custom/{name} application/json": 1,
        "put /v1/invoices/{id}/coding application/json": 1,
        "put /v1/invoices/{id}/review application/json": 1,
        "post /v1/webhook_endpoints application/json": 1,
        "post /v1/exports application/json": 1,
        "patch /v1/webhook_endpoints/{id} application/json": 1,
        "post /v1/purchase-orders application/json": 1,
        "patch /v1/purchase-orders/{id} application/json": 1,
        "post /v1/purchase-orders/{id}/receive application/json": 1,
        "put /v1/order-rules application/json": 1,
    }


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_every_answer_has_an_example(document: Schema, name: str) -> None:
    schema = document["components"]["schemas"][name]
    (example,) = schema["examples"]
    check(document, schema, example)
    assert set(example) == set(schema["properties"]) - {"wait_timed_out"} - OPTIONAL.get(name, set())


def test_every_webhook_has_an_example_of_its_own_type(document: Schema) -> None:
    for name, webhook in document["webhooks"].items():
        content = webhook["post"]["requestBody"]["content"]["application/json"]
        check(document, content["schema"], content["example"])
        assert content["example"]["type"] == name
        invoice = content["example"]["data"]["invoice"]
        if name == "invoice.deleted":
            assert invoice["deleted"]
            continue
        assert invoice["status"] == ("failed" if name == "invoice.failed" else "complete")
        assert (invoice["review"]["status"] == "open") is (name != "invoice.reviewed")


async def test_the_examples_of_documents_are_documents(client: httpx.AsyncClient, document: Schema) -> None:
    content = dict(bodies(document))
    form = content["post /v1/invoices multipart/form-data"]["example"]
    in_json = content["post /v1/invoices application/json"]["examples"]["file_base64"]["value"]
    answers = [
        await client.post("/v1/invoices", files={"file": form["file"]}),
        await client.post("/v1/invoices", json=in_json),
    ]
    assert [(answer.status_code, answer.json()["file"]["mime_type"]) for answer in answers] == [(202, "text/html")] * 2
    # Nobody is called example.com, so this one goes no further than the form of its address.
    by_url = content["post /v1/invoices application/json"]["examples"]["file_url"]["value"]
    assert by_url["file_url"].startswith("https://")
    assert_error(
        await client.post("/v1/invoices", json=by_url | {"x": 1}), 400, "invalid_request_error", "invalid_body"
    )
