"""What a caller notes about an invoice at create comes back with it, and is never interpreted."""

import base64
import json
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.net.outcome import Fetched
from serve_app.services.intake.file_urls import FileUrls
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.support import MONTH, PDF_BYTES, newest_events

CREATE = "/v1/invoices"
NOTES = {
    "order": "PO-4711",
    "a.b": "$set",
    "$where": "",
    "schön": "é\n\x00\u202e\U0001f4c4",
    " ": "x" * 500,
    "k" * 40: "1",
}
TWENTY = {f"key {number}": "x" for number in range(20)}
JSON = {"Content-Type": "application/json"}


def form(metadata: object) -> dict[str, Any]:
    return {"files": {"file": ("a.pdf", PDF_BYTES)}, "data": {"metadata": json.dumps(metadata)}}


def form_with_json_part(metadata: object) -> dict[str, Any]:
    part = (None, json.dumps(metadata).encode(), "application/json")
    return {"files": {"file": ("a.pdf", PDF_BYTES), "metadata": part}}


def form_with_file(metadata: object) -> dict[str, Any]:
    return {"files": {"file": ("a.pdf", PDF_BYTES), "metadata": ("notes.json", json.dumps(metadata).encode())}}


def in_json(metadata: object) -> dict[str, Any]:
    document = base64.b64encode(PDF_BYTES).decode()
    return {"json": {"file_base64": document, "file_name": "a.pdf", "metadata": metadata}}


def by_url(metadata: object) -> dict[str, Any]:
    return {"json": {"file_url": "https://files.example/a.pdf", "metadata": metadata}}


each_way = pytest.mark.parametrize("body", [form, form_with_json_part, form_with_file, in_json, by_url])


@pytest.fixture(autouse=True)
def _fetched(app: Any) -> None:
    """Every address has a document."""

    async def fetch(text: str, max_bytes: int, /) -> Fetched:
        return Fetched(PDF_BYTES, "a.pdf", "application/pdf")

    object.__setattr__(app.state.services, "file_urls", FileUrls(fetch, 1000))


@each_way
@pytest.mark.parametrize("metadata", [NOTES, TWENTY, {}])
async def test_it_is_answered_as_sent(client: httpx.AsyncClient, body: Any, metadata: dict[str, str]) -> None:
    answer = await client.post(CREATE, **body(metadata))
    assert answer.status_code == 202, answer.text
    assert answer.json()["metadata"] == metadata
    assert (await client.get(f"{CREATE}/{answer.json()['id']}")).json()["metadata"] == metadata
    assert (await client.get(CREATE)).json()["data"][0]["metadata"] == metadata


@pytest.mark.usefixtures("running")
async def test_it_is_in_the_event_of_its_invoice(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    await client.post(CREATE, params={"wait": "true"}, **form(NOTES))
    (event,) = await newest_events(store, account.id)
    assert event.data.invoice.metadata == NOTES


async def test_without_any_it_is_empty(client: httpx.AsyncClient) -> None:
    answer = await client.post(CREATE, files={"file": ("a.pdf", PDF_BYTES)})
    assert answer.json()["metadata"] == {}
    answer = await client.post(CREATE, **in_json(None))
    assert answer.json()["metadata"] == {}


@each_way
@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        (TWENTY | {"one more": "x"}, "metadata: has 21 keys; at most 20 are allowed"),
        ({"k" * 41: "x"}, "metadata: a key must have 1 to 40 characters"),
        ({"": "x"}, "metadata: a key must have 1 to 40 characters"),
        ({"order": "x" * 501}, "metadata: the value of 'order' must have at most 500 characters"),
        ({"order": 7}, "metadata: the value of 'order' must be text"),
        ({"order": None}, "metadata: the value of 'order' must be text"),
        ({"order": {"id": "7"}}, "metadata: the value of 'order' must be text"),
        (["order"], "metadata: must be an object whose values are text"),
        ("order", "metadata: must be an object whose values are text"),
    ],
)
async def test_what_is_too_much_or_no_text_is_400_and_costs_nothing(
    client: httpx.AsyncClient, store: Store, account: Account, body: Any, metadata: object, said: str
) -> None:
    answer = await client.post(CREATE, **body(metadata))
    assert assert_error(answer, 400, "invalid_request_error", "invalid_body") == said
    assert await store.quotas.used(account.id, MONTH) == 0


@pytest.mark.parametrize("text", ["", "{", "order=7", '{"order": "\\ud800"}', "[" * 10_000])
async def test_a_part_that_is_no_json_is_400(client: httpx.AsyncClient, text: str) -> None:
    answer = await client.post(CREATE, files={"file": ("a.pdf", PDF_BYTES)}, data={"metadata": text})
    assert assert_error(answer, 400, "invalid_request_error", "invalid_body").startswith("metadata: is not valid JSON")


async def test_a_form_has_one_part_of_it(client: httpx.AsyncClient) -> None:
    answer = await client.post(CREATE, files={"file": ("a.pdf", PDF_BYTES)}, data={"metadata": ["{}", "{}"]})
    assert "metadata" in assert_error(answer, 400, "invalid_request_error", "invalid_body")
