"""The API's description, and the page that shows it."""

import json
import re

import httpx
import pytest
from fastapi import FastAPI
from openapi_spec_validator import validate

from serve_app.api.app import create_api
from serve_app.domain.event import EventType
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.services import build_services
from tests.support import FakeCutter, FakeModels, FakeNotifier


async def test_the_document_is_valid_openapi_3_1(anyone: httpx.AsyncClient) -> None:
    answer = await anyone.get("/v1/openapi.json")
    assert answer.status_code == 200
    assert answer.json()["openapi"].startswith("3.1")
    validate(answer.json())


async def test_the_page_needs_nothing_from_elsewhere(anyone: httpx.AsyncClient) -> None:
    page = await anyone.get("/docs")
    assert page.status_code == 200
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(addresses) == 5
    for address in addresses:
        assert address.startswith("/docs/")
        assert (await anyone.get(address)).status_code == 200


async def test_the_page_runs_no_script_of_others_and_is_in_no_frame(anyone: httpx.AsyncClient) -> None:
    page = await anyone.get("/docs")
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    assert (policy["default-src"], policy["script-src"], policy["frame-ancestors"]) == ("'none'", "'self'", "'none'")
    assert "<script>" not in page.text
    assert page.headers["x-content-type-options"] == "nosniff"


def test_webhooks_are_described_with_the_event_that_they_send(app: FastAPI) -> None:
    document = app.openapi()
    assert set(document["webhooks"]) == set(EventType)
    for type, webhook in document["webhooks"].items():
        schema = webhook["post"]["requestBody"]["content"]["application/json"]["schema"]
        model = "DeletedEvent" if type == EventType.DELETED else "Event"
        assert schema == {"$ref": f"#/components/schemas/{model}"}
        assert {header["name"] for header in webhook["post"]["parameters"]} == {
            *("webhook-id", "webhook-timestamp", "webhook-signature")
        }


def test_every_operation_wants_a_key_but_the_download_that_a_link_allows(app: FastAPI) -> None:
    document = app.openapi()
    assert document["security"] == [{"key": []}]
    opened = {
        path
        for path, item in document["paths"].items()
        for operation in item.values()
        if operation.get("security") == []
    }
    assert opened == {"/v1/files/{token}"}


def test_the_document_speaks_of_nothing_but_the_api(app: FastAPI) -> None:
    assert "HTTPValidationError" not in json.dumps(app.openapi())


@pytest.fixture
def changed_limits(settings: Settings) -> Settings:
    limits = {
        "rate_limit": 1234,
        "wait_seconds": 7.5,
        "fetch_seconds": 11,
        "webhook_seconds": 3,
        "max_file_bytes": 2**21,
    }
    return settings.model_copy(update=limits)


def test_texts_name_the_limits_of_the_running_service(
    store: Store, files: Files, notifier: FakeNotifier, models: FakeModels, changed_limits: Settings
) -> None:
    app = create_api(build_services(store, files, notifier, FakeCutter(), models, changed_limits))
    text = json.dumps(app.openapi())
    for limit in ("may send 1,234 requests per minute", "up to 7.5 s", "within 11 s, up to 2 MB", "none within 3 s"):
        assert limit in text


def test_without_a_service_they_are_those_of_the_contract() -> None:
    text = json.dumps(create_api().openapi())
    for limit in ("may send 60 requests per minute", "up to 60 s", "within 20 s, up to 15 MB", "none within 10 s"):
        assert limit in text
    assert not re.search(r"\$[a-z]+_", text)
