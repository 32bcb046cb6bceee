"""POST /v1/invoices."""

import base64
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account, Scope
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import Extraction, FailureCode
from serve_app.store.base import Files, Store
from serve_app.wiring.services import build_services
from tests.api.checks import assert_error
from tests.support import MONTH, NOON, PDF_BYTES, Clock, FakeCutter, FakeModels, FakeNotifier, FakeReader, claim_next

PATH = "/v1/invoices"
BAD = "invalid_request_error"


def form(data: bytes = PDF_BYTES, name: str = "a.pdf") -> dict[str, Any]:
    return {"files": {"file": (name, data, "image/png")}}


def in_json(data: bytes = PDF_BYTES, **more: Any) -> dict[str, Any]:
    return {"json": {"file_base64": base64.b64encode(data).decode(), "file_name": "a.pdf", **more}}


@pytest.mark.parametrize("body", [form(), in_json(), in_json(mime_type="image/png")])
async def test_an_accepted_document_is_queued(client: httpx.AsyncClient, files: Files, body: dict[str, Any]) -> None:
    answer = await client.post(PATH, **body)
    assert answer.status_code == 202
    invoice = answer.json()
    assert (invoice["object"], invoice["status"], invoice["source"]) == ("invoice", "queued", "api")
    assert invoice["file"] == {"name": "a.pdf", "mime_type": "application/pdf", "size_bytes": len(PDF_BYTES)}
    assert invoice["created_at"] == "2026-05-17T12:00:07.123456Z"
    assert "wait_timed_out" not in invoice
    assert (await client.get(f"{PATH}/{invoice['id']}")).json() == invoice


async def test_the_bytes_are_kept_as_sent(
    client: httpx.AsyncClient, store: Store, files: Files, account: Account
) -> None:
    data = b"%PDF-" + bytes(range(256))
    invoice = (await client.post(PATH, **form(data))).json()
    assert await files.read(f"{account.id}/{invoice['id']}") == data


@pytest.mark.usefixtures("running")
async def test_wait_answers_the_finished_invoice(client: httpx.AsyncClient) -> None:
    answer = await client.post(PATH, params={"wait": "true"}, **form())
    assert answer.status_code == 200
    assert answer.json()["status"] == "complete"
    assert "wait_timed_out" not in answer.json()


@pytest.mark.usefixtures("running")
async def test_wait_answers_a_failed_invoice_with_200_too(client: httpx.AsyncClient, reader: FakeReader) -> None:
    async def refuse() -> None:
        raise DocumentError(FailureCode.DOCUMENT_ENCRYPTED, "It has a password.")

    reader.before = refuse
    answer = await client.post(PATH, params={"wait": "true"}, **form())
    assert answer.status_code == 200
    assert answer.json()["status"] == "failed"
    assert answer.json()["failure"] == {"code": "document_encrypted", "message": "It has a password."}


@pytest.mark.parametrize("update", [{"wait_seconds": 0.1}, {"max_held_calls": 0}])
async def test_wait_that_is_outrun_answers_202(
    client: httpx.AsyncClient, app: FastAPI, update: dict[str, float], store: Store, files: Files
) -> None:
    settings = app.state.services.settings.model_copy(update=update)
    app.state.services = build_services(store, files, FakeNotifier(), FakeCutter(), FakeModels(), settings, Clock())
    answer = await client.post(PATH, params={"wait": "true"}, **form())
    assert answer.status_code == 202
    assert (answer.json()["status"], answer.json()["wait_timed_out"]) == ("queued", True)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({"files": {"document": ("a.pdf", PDF_BYTES)}}, "missing_file"),
        ({"files": {"x": ("x", b"x")}, "data": {"file": "text"}}, "missing_file"),
        (form(b""), "missing_file"),
        ({"json": {"file_name": "a.pdf"}}, "missing_file"),
        (in_json(b""), "missing_file"),
        ({"json": {"file_base64": "%%%", "file_name": "a.pdf"}}, "invalid_base64"),
        ({"json": {"file_base64": "QQ", "file_name": "a.pdf"}}, "invalid_base64"),
        ({"json": {"file_base64": "äöü", "file_name": "a.pdf"}}, "invalid_base64"),
        ({"json": {"file_base64": "QUJD"}}, "invalid_body"),
        ({"json": {"file_base64": 7, "file_name": "a.pdf"}}, "invalid_body"),
        ({"json": {"file_base64": "QUJD", "file_name": ""}}, "invalid_body"),
        (in_json(colour="red"), "invalid_body"),
        ({"json": {"file_base64": None, "file_name": "a.pdf"}}, "invalid_body"),
        ({"json": {"file_url": None}}, "invalid_body"),
        ({"json": {"file_url": "https://example.com/a.pdf", "file_base64": None}}, "invalid_body"),
        ({**form(), "data": {"colour": "red"}}, "invalid_body"),
        ({"files": {"file": ("a.pdf", PDF_BYTES), "attachment": ("b.pdf", PDF_BYTES)}}, "invalid_body"),
        ({**form(), "data": {"metadata": '{"order": 1e999}'}}, "invalid_body"),
        ({**form(), "data": {"metadata": '{"order": NaN}'}}, "invalid_body"),
        ({"json": []}, "invalid_body"),
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, "invalid_body"),
        ({"content": b"\xff", "headers": {"Content-Type": "application/json"}}, "invalid_body"),
        ({"content": b"", "headers": {"Content-Type": "application/json"}}, "invalid_body"),
        ({"content": PDF_BYTES, "headers": {"Content-Type": "application/pdf"}}, "invalid_body"),
        ({"content": PDF_BYTES}, "invalid_body"),
        ({"data": {"file": "text"}}, "invalid_body"),
        ({"content": b"x", "headers": {"Content-Type": "multipart/form-data"}}, "invalid_body"),
        ({"content": b"nonsense", "headers": {"Content-Type": "multipart/form-data; boundary=b"}}, "invalid_body"),
        ({**form(), "params": {"wait": "maybe"}}, "invalid_parameter"),
        ({**form(), "params": {"wait": ""}}, "invalid_parameter"),
    ],
)
async def test_a_malformed_request_is_400(
    client: httpx.AsyncClient, store: Store, account: Account, request_: dict[str, Any], code: str
) -> None:
    assert_error(await client.post(PATH, **request_), 400, BAD, code)
    assert await store.quotas.used(account.id, MONTH) == 0


async def test_line_breaks_in_base64_are_allowed(client: httpx.AsyncClient) -> None:
    text = base64.encodebytes(PDF_BYTES * 9).decode().replace("\n", "\r\n")
    answer = await client.post(PATH, json={"file_base64": text, "file_name": "a.pdf"})
    assert answer.status_code == 202
    assert answer.json()["file"]["size_bytes"] == len(PDF_BYTES * 9)


@pytest.mark.parametrize("make", [form, in_json])
async def test_a_type_that_is_not_read_is_415(client: httpx.AsyncClient, make: Callable[..., dict[str, Any]]) -> None:
    for data in (b"plain text", b"RIFF\x1c\0\0\0WEBPVP8 ", b"PK\x03\x04"):
        message = assert_error(await client.post(PATH, **make(data)), 415, BAD, "unsupported_file_type")
        assert "PDF, JPEG, PNG, HEIC, HTML" in message


@pytest.mark.parametrize("make", [form, in_json])
async def test_a_file_over_the_limit_is_413(client: httpx.AsyncClient, make: Callable[..., dict[str, Any]]) -> None:
    assert (await client.post(PATH, **make(b"%PDF-" + bytes(995)))).status_code == 202
    assert_error(await client.post(PATH, **make(b"%PDF-" + bytes(996))), 413, BAD, "file_too_large")


async def test_a_body_far_over_the_limit_is_not_read_to_its_end(client: httpx.AsyncClient) -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(10_000):
            sent += 1
            yield bytes(10_000)

    headers = {"Content-Type": "application/json"}
    assert_error(await client.post(PATH, content=endless(), headers=headers), 413, BAD, "file_too_large")
    assert sent < 100


async def test_an_announced_length_over_the_limit_is_refused_unread(client: httpx.AsyncClient) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    headers = {"Content-Type": "multipart/form-data; boundary=b", "Content-Length": str(10**9)}
    answer = await client.post(PATH, content=never(), headers=headers)
    assert_error(answer, 413, BAD, "file_too_large")
    assert "X-RateLimit-Remaining" in answer.headers


async def test_a_read_only_key_may_not_create(
    anyone: httpx.AsyncClient, make_key: Callable[..., Awaitable[dict[str, str]]]
) -> None:
    answer = await anyone.post(PATH, **form(), headers=await make_key(Scope.READ))
    assert_error(answer, 403, "authentication_error", "insufficient_scope")


async def test_at_the_quota_creates_are_429_and_reads_go_on(client: httpx.AsyncClient) -> None:
    for _ in range(10):
        latest = await client.post(PATH, **form())
        assert latest.status_code == 202
    assert_error(await client.post(PATH, **form()), 429, "quota_exceeded", "monthly_quota_reached")
    assert (await client.get(f"{PATH}/{latest.json()['id']}")).status_code == 200


async def test_numbers_are_numbers_in_the_answer(client: httpx.AsyncClient, store: Store) -> None:
    created = (await client.post(PATH, **form())).json()
    claim = await claim_next(store)
    await store.queue.save_result(claim, Extraction(amount=Decimal("10.10"), tax=Decimal("2")), NOON)
    answer = await client.get(f"{PATH}/{created['id']}")
    assert json.loads(answer.text)["amount"] == 10.1
    assert '"amount":10.1' in answer.text


@pytest.mark.parametrize("name", ['the "blue" one.pdf', "it's 100% mine.pdf", "x" * 300 + ".pdf"])
async def test_a_file_keeps_the_quotes_and_the_extension_of_its_name(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.post(PATH, files={"file": (name, PDF_BYTES)})
    assert answer.json()["file"]["name"] == (name if len(name) < 255 else "x" * 251 + ".pdf")
