"""What an error says beside its code: what it is about, where it is explained, and nothing in a library's words."""

from typing import Any, get_args

import httpx
import pytest
from pydantic_core.core_schema import ErrorType

from serve_app.api.error_docs import ADVICE
from serve_app.domain.account import Account
from serve_app.http.complaints import complaint_of
from serve_app.http.error_table import all_rows
from serve_app.store.base import Store
from tests.api.invoices import complete_one
from tests.support import PDF_BYTES, UNKNOWN_ID

CREATE = "/v1/invoices"
FILE = {"file": ("a.pdf", PDF_BYTES)}
LIBRARY = ("Input should", "Extra inputs", "Field required", "Value error", "validation")


@pytest.mark.parametrize(
    ("method", "path", "sent", "param", "message"),
    [
        ("GET", CREATE, {"params": {"limit": 101}}, "limit", "limit: must be at most 100"),
        ("GET", CREATE, {"params": {"status": "done"}}, "status", "status: must be 'queued', 'processing'"),
        ("GET", CREATE, {"params": {"starting_after": UNKNOWN_ID}}, "starting_after", "starting_after: there is no"),
        ("POST", CREATE, {"files": FILE, "data": {"colour": "red"}}, "colour", "send only `file` and `metadata`"),
        ("POST", CREATE, {"files": FILE, "headers": {"Idempotency-Key": "x" * 256}}, "Idempotency-Key", "255"),
        ("POST", CREATE, {"json": {"file_base64": None, "file_name": "a"}}, "file_base64", "must be text"),
        ("POST", CREATE, {"json": {"file_base64": "%", "file_name": "a"}}, "file_base64", "not valid base64"),
        ("POST", CREATE, {"json": {"file_base64": "QUJD"}}, "file_name", "file_name: is required"),
        ("POST", CREATE, {"json": {"file_url": "http://example.com"}}, "file_url", "`file_url`"),
        ("PATCH", "{invoice}", {"json": {"paid": 1}}, "paid", "paid: must be true or false"),
        ("PATCH", "{invoice}", {"json": {"colour": 1}}, "colour", "colour: is unknown; remove it"),
        ("PATCH", "{invoice}", {"json": {"entity_tag": "x" * 61}}, "entity_tag", "must have at most 60 characters"),
        ("PATCH", "{invoice}", {"json": []}, None, "The body must be an object."),
        ("PATCH", "{invoice}", {"content": b'{"paid": tru'}, None, "not valid JSON at line 1, column"),
        (
            *("PUT", "{invoice}/review", {"json": {"revision": 0, "fields": {"amount": {"value": 1.5}}}}),
            *("fields.amount.value", "fields.amount.value: must be text"),
        ),
        (
            *("PUT", "{invoice}/review", {"json": {"revision": 0, "fields": {"currency": {"value": "ABC"}}}}),
            *("fields.currency.value", "ISO 4217"),
        ),
        ("GET", f"{CREATE}/{UNKNOWN_ID}", {}, None, "no invoice"),
    ],
)
async def test_an_error_names_what_it_is_about_in_plain_words(
    client: httpx.AsyncClient,
    store: Store,
    account: Account,
    method: str,
    path: str,
    sent: dict[str, Any],
    param: str | None,
    message: str,
) -> None:
    invoice = await complete_one(store, account)
    headers = {"Content-Type": "application/json"} if "content" in sent else {}
    answer = await client.request(
        method, path.replace("{invoice}", f"{CREATE}/{invoice.id}"), **{"headers": headers} | sent
    )
    error = answer.json()["error"]
    assert answer.status_code >= 400
    assert error["param"] == param
    assert message in error["message"]
    assert not any(words in error["message"] for words in LIBRARY)


async def test_every_error_leads_to_its_paragraph(client: httpx.AsyncClient, anyone: httpx.AsyncClient) -> None:
    error = (await client.get(CREATE, params={"limit": 0})).json()["error"]
    page = await anyone.get(error["doc_url"])
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert error["doc_url"].endswith("#invalid_parameter")
    for row in all_rows():
        assert f'id="{row.code}"' in page.text
        assert row.code in ADVICE


@pytest.mark.parametrize("type", sorted(set(get_args(ErrorType)) - {"value_error"}))
def test_no_message_is_the_validation_librarys(type: str) -> None:
    context = {name: 7 for name in ("min_length", "max_length", "pattern", "ge", "gt", "le", "lt", "expected")}
    said = complaint_of([{"type": type, "loc": ("amount",), "msg": "Input should be this", "ctx": context}])
    assert said.param == "amount"
    assert "Input" not in said.message


def test_a_long_or_hostile_name_is_no_message_of_its_own() -> None:
    name = "x" * 5000 + "\n\u202e"
    said = complaint_of([{"type": "extra_forbidden", "loc": (name,), "msg": "Extra inputs are not permitted"}])
    assert len(said.message) < 200
    assert "\n" not in said.message
