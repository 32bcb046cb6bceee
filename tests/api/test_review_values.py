"""Values that a review takes, and that it refuses."""

from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.reviews import put, read_one, review_of


@pytest.mark.parametrize(
    ("fields", "about"),
    [
        ({"amount": {"value": "1,190.50"}}, "amount"),
        ({"amount": {"value": "1e300"}}, "amount"),
        ({"amount": {"value": "NaN"}}, "amount"),
        ({"amount": {"value": ""}}, "amount"),
        ({"currency": {"value": "Euro"}}, "currency"),
        ({"currency": {"value": "ABC"}}, "currency"),
        ({"currency": {"value": "XXX"}}, "currency"),
        ({"amount": {"value": "1.00", "citation": {"page": 2, "box": [0, 0, 1, 1]}}}, "page 2"),
        ({"issued_at": {"value": "1.5.2026"}}, "issued_at"),
        ({"issued_at": {"value": "2026-02-30"}}, "issued_at"),
        ({"document_type": {"value": "poem"}}, "document_type"),
        ({"vendor": {"value": "  "}}, "vendor"),
        ({"vendor": {"value": "x" * 501}}, "vendor"),
        ({"colour": {"value": "red"}}, "colour"),
        ({"line_items": {"value": "red"}}, "line_items"),
    ],
)
async def test_a_value_that_is_not_allowed_is_400_and_says_which(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account, fields: Any, about: str
) -> None:
    record = await read_one(store, files, account)
    answer = await put(client, record, revision=0, fields=fields)
    assert_error(answer, 400, "invalid_request_error", "invalid_parameter")
    assert about in answer.json()["error"]["message"]
    assert (await review_of(client, record))["revision"] == 0


@pytest.mark.parametrize(
    ("box", "code"),
    [
        ([0.3, 0, 0.1, 1], "invalid_parameter"),
        ([0, 0, 1.5, 1], "invalid_body"),
        ([0, 0, 1], "invalid_body"),
    ],
)
async def test_a_place_outside_the_page_is_400(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account, box: Any, code: str
) -> None:
    record = await read_one(store, files, account)
    place = {"page": 1, "box": box}
    answer = await put(client, record, revision=0, fields={"amount": {"value": "1", "citation": place}})
    assert_error(answer, 400, "invalid_request_error", code)


@pytest.mark.parametrize(
    "body",
    [
        b'{"revision": 0, "fields": {"amount": {"value": 1190.5}}}',
        b'{"revision": 0, "fields": {"vendor": {"value": 7}}}',
        b'{"revision": 0, "fields": {"amount": {"value": 1e999}}}',
        b'{"revision": 0, "fields": {"amount": {"value": NaN}}}',
        b'{"revision": 0, "line_items": [{"quantity": 2}]}',
        b'{"revision": 0, "tax_lines": [{"rate": 19.0}]}',
        b'{"revision": 1e999}',
        b'{"revision": Infinity}',
        b'{"revision": 0, "fields": {"amount": {"value": "1", "citation": {"page": 1, "box": [0, 0, 1, 1e999]}}}}',
        b'{"revision": 0, "fields": {"amount": {"value": "1", "citation": {"page": 1, "box": [0, 0, 1, NaN]}}}}',
    ],
)
async def test_values_are_texts_and_numbers_are_finite(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account, body: bytes
) -> None:
    record = await read_one(store, files, account)
    headers = {"Content-Type": "application/json"}
    answer = await client.put(f"/v1/invoices/{record.invoice.id}/review", content=body, headers=headers)
    assert_error(answer, 400, "invalid_request_error", "invalid_body")
    assert (await review_of(client, record))["revision"] == 0


async def test_a_currency_that_was_withdrawn_is_one(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    answer = await put(client, record, revision=0, fields={"currency": {"value": "dem"}})
    assert answer.json()["fields"]["currency"]["value"] == "DEM"


async def test_a_revision_may_be_written_as_any_json_number(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    record = await read_one(store, files, account)
    ids = f"/v1/invoices/{record.invoice.id}/review"
    answer = await client.put(ids, content=b'{"revision": 0.0}', headers={"Content-Type": "application/json"})
    assert answer.status_code == 200, answer.text
    for revision in (0.5, "0", True, -1):
        assert_error(await client.put(ids, json={"revision": revision}), 400, "invalid_request_error", "invalid_body")
