"""Limits and charsets of bodies, and the messages for invalid ones."""

from collections.abc import AsyncIterator

import httpx
import pytest

from serve_app.domain.account import Account, Scope
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.api.invoices import complete_one
from tests.support import PDF_BYTES, UNKNOWN_ID

BAD = "invalid_request_error"
CREATE = "/v1/invoices"
JSON = {"Content-Type": "application/json"}
CALLS = [("PATCH", "/v1/invoices/{id}"), ("POST", "/v1/invoices/{id}/approval"), ("POST", "/v1/invoices/{id}/extract")]


def form(disposition: str, data: bytes = PDF_BYTES) -> bytes:
    """A form of one part."""
    return b"--b\r\nContent-Disposition: " + disposition.encode() + b"\r\n\r\n" + data + b"\r\n--b--\r\n"


async def send_form(client: httpx.AsyncClient, body: bytes, more: str = "") -> httpx.Response:
    return await client.post(CREATE, content=body, headers={"Content-Type": f"multipart/form-data; boundary=b{more}"})


@pytest.mark.parametrize(("method", "path"), CALLS)
async def test_where_no_file_belongs_a_large_body_is_a_bad_one(
    client: httpx.AsyncClient, store: Store, account: Account, method: str, path: str
) -> None:
    path = path.replace("{id}", str((await complete_one(store, account)).id))
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 65536
            yield b" " * 65536

    assert "large" in assert_error(
        await client.request(method, path, content=endless(), headers=JSON), 400, BAD, "invalid_body"
    )
    assert sent <= 5 * 65536
    announced = JSON | {"Content-Length": str(256 * 1024 + 1)}
    assert_error(await client.request(method, path, content=endless(), headers=announced), 400, BAD, "invalid_body")


async def test_a_body_of_the_largest_size_is_read(client: httpx.AsyncClient, store: Store, account: Account) -> None:
    invoice = await complete_one(store, account)
    body = b'{"paid": true}'.ljust(256 * 1024)
    assert (await client.patch(f"/v1/invoices/{invoice.id}", content=body, headers=JSON)).status_code == 200


@pytest.mark.parametrize(("method", "path"), CALLS)
@pytest.mark.parametrize("id", ["7", UNKNOWN_ID])
async def test_a_read_key_is_refused_before_the_id_is_looked_at(
    anyone: httpx.AsyncClient, make_key: MakeKey, method: str, path: str, id: str
) -> None:
    answer = await anyone.request(method, path.replace("{id}", id), headers=await make_key(Scope.READ))
    assert_error(answer, 403, "authentication_error", "insufficient_scope")


@pytest.mark.parametrize("charset", ["undefined", "punycode"])
async def test_a_charset_that_nothing_can_be_read_in_is_a_bad_body(client: httpx.AsyncClient, charset: str) -> None:
    answer = await send_form(client, form('form-data; name="file"; filename="a.pdf"'), f"; charset={charset}")
    assert_error(answer, 400, BAD, "invalid_body")


@pytest.mark.parametrize("charset", ["nothing", "utf-8", "latin-1"])
async def test_any_other_charset_will_do(client: httpx.AsyncClient, charset: str) -> None:
    answer = await send_form(client, form('form-data; name="file"; filename="a.pdf"'), f"; charset={charset}")
    assert answer.json()["file"]["name"] == "a.pdf"


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ("form-data; name=file; filename*=utf-8''r%C3%A4.pdf", "r\u00e4.pdf"),
        ("form-data; name=\"file\"; FileName* = UTF-8'de'a.pdf", "a.pdf"),
        ("form-data; filename*=iso-8859-1''r%E4.pdf; name=file", "r\u00e4.pdf"),
        ("form-data; name=file; filename*=utf-8''%FF.pdf", "\ufffd.pdf"),
        ("form-data; name=file; filename=a.pdf; filename*=utf-8''b.pdf", "a.pdf"),
    ],
)
async def test_a_part_with_a_name_of_either_kind_is_a_file(
    client: httpx.AsyncClient, files: Files, account: Account, disposition: str, name: str
) -> None:
    answer = await send_form(client, form(disposition))
    assert answer.status_code == 202, answer.text
    assert answer.json()["file"]["name"] == name
    assert await files.read(f"{account.id}/{answer.json()['id']}") == PDF_BYTES


@pytest.mark.parametrize(
    "disposition", ["form-data; name=file; filename*=x", "form-data; name=file; filename*0*=utf-8''b"]
)
async def test_a_name_of_no_known_kind_makes_no_file(client: httpx.AsyncClient, disposition: str) -> None:
    assert_error(await send_form(client, form(disposition)), 400, BAD, "missing_file")


@pytest.mark.parametrize(
    "more", [{"files": [("file", ("b.pdf", PDF_BYTES)), ("file", ("a.pdf", PDF_BYTES))]}, {"data": {"file": "text"}}]
)
async def test_two_parts_called_file_are_refused(
    client: httpx.AsyncClient, store: Store, account: Account, more: dict[str, object]
) -> None:
    answer = await client.post(CREATE, **({"files": {"file": ("a.pdf", PDF_BYTES)}} | more))  # type: ignore[arg-type]
    assert "more than one" in assert_error(answer, 400, BAD, "invalid_body")
    assert (await client.get(CREATE)).json()["data"] == []


async def test_what_is_wrong_is_said_without_the_librarys_words(
    client: httpx.AsyncClient, store: Store, account: Account
) -> None:
    path = f"/v1/invoices/{(await complete_one(store, account)).id}"
    answers = [
        await client.post(f"{path}/approval", json={"email": "nobody"}),
        await client.patch(path, json={}),
        await client.get(CREATE, params={"paid": "maybe"}),
    ]
    assert [answer.json()["error"]["message"] for answer in answers] == [
        "email: not an e-mail address; only its host may have characters beyond ASCII",
        "Send at least one of `paid` and `entity_tag`.",
        "paid: must be true or false",
    ]
