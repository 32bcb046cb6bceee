"""A repetition gets the first answer again, whatever its body and however its key is written."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.idempotency import IdempotencyRecord
from serve_app.domain.ids import new_id
from serve_app.domain.query import InvoiceQuery
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.support import MONTH, NOON, PDF_BYTES

PATH = "/v1/invoices"
JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "multipart/form-data; boundary=b"}
MALFORMED: list[dict[str, Any]] = [
    {"content": b"{", "headers": JSON},
    {"content": b"", "headers": JSON},
    {"json": {"file_name": "a.pdf"}},
    {"json": {"file_base64": "%%%", "file_name": "a.pdf"}},
    {"json": {"file_url": "http://10.0.0.1/"}},
    {},
    {"content": PDF_BYTES, "headers": {"Content-Type": "application/pdf"}},
    {"files": {"document": ("a.pdf", PDF_BYTES)}},
    {"content": b"nonsense", "headers": FORM},
    {"files": {"file": ("a.txt", b"plain text")}},
]


async def post(client: httpx.AsyncClient, key: str | bytes = "k", **body: Any) -> httpx.Response:
    headers = {**body.pop("headers", {}), "Idempotency-Key": key}
    return await client.post(PATH, headers=headers, **(body or {}))


async def post_document(client: httpx.AsyncClient, key: str | bytes = "k") -> httpx.Response:
    return await post(client, key, files={"file": ("a.pdf", PDF_BYTES)})


async def count(store: Store, account: Account) -> int:
    return len((await store.invoices.page(account.id, InvoiceQuery(), 1000)).items)


@pytest.mark.parametrize("body", MALFORMED)
async def test_a_repetition_with_any_body_is_a_repetition(
    client: httpx.AsyncClient, store: Store, account: Account, body: dict[str, Any]
) -> None:
    first = await post_document(client)
    again = await post(client, **body)
    assert (again.status_code, again.json()) == (202, first.json())
    assert again.headers["Idempotency-Replayed"] == "true"
    assert await count(store, account) == await store.quotas.used(account.id, MONTH) == 1


@pytest.mark.parametrize("body", MALFORMED)
async def test_a_body_that_is_refused_releases_the_key(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    assert (await post(client, **body)).status_code in {400, 415}
    answer = await post_document(client)
    assert answer.status_code == 202
    assert "Idempotency-Replayed" not in answer.headers


async def test_a_body_that_is_too_long_releases_the_key(client: httpx.AsyncClient) -> None:
    answer = await post(client, content=bytes(10**6), headers=FORM)
    assert_error(answer, 413, "invalid_request_error", "file_too_large")
    assert (await post_document(client)).status_code == 202


async def test_a_repetition_is_answered_without_reading_it(client: httpx.AsyncClient) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    first = await post_document(client)
    again = await post(client, content=never(), headers={**FORM, "Content-Length": str(10**9)})
    assert (again.status_code, again.json()) == (202, first.json())


async def test_a_key_in_flight_is_409_whatever_the_body(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    held = IdempotencyRecord(account.id, "k", new_id(), new_id(), created_at=NOON, held_since=NOON)
    await store.idempotency.hold(held)
    assert_error(await post(client, content=b"{", headers=JSON), 409, "api_error", "idempotency_in_flight")


@pytest.mark.parametrize("text", ["\u00e9" * 130, "\u00e9" * 255, "\U0001f4c4" * 255])
async def test_characters_are_counted_not_bytes(client: httpx.AsyncClient, text: str) -> None:
    first = await post_document(client, text.encode())
    assert first.status_code == 202
    again = await post_document(client, text.encode())
    assert (again.json(), again.headers["Idempotency-Replayed"]) == (first.json(), "true")


@pytest.mark.parametrize("key", [("\u00e9" * 256).encode(), b"\xe9" * 256])
async def test_256_characters_are_too_many_in_any_encoding(client: httpx.AsyncClient, key: bytes) -> None:
    assert_error(await post_document(client, key), 400, "invalid_request_error", "invalid_parameter")


async def test_a_key_that_is_no_utf_8_is_taken_as_latin_1(client: httpx.AsyncClient) -> None:
    first = await post_document(client, b"\xe9" * 255)
    assert first.status_code == 202
    assert (await post_document(client, b"\xe9" * 255)).json() == first.json()
    assert (await post_document(client, b"\xe8" * 255)).json() != first.json()
