"""Large documents of one account do not hold up the small ones of another."""

import asyncio
import base64
import json
import os

import httpx
import pytest

from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.api.conftest import MakeKey
from tests.support import NOON, PDF_BYTES

PATH = "/v1/invoices"
FILE = {"file": ("a.pdf", PDF_BYTES, "application/pdf")}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"max_file_bytes": 15 * 2**20, "rate_limit": 100_000})


def large_body() -> bytes:
    """JSON with a document of 14 MB."""
    document = base64.b64encode(b"%PDF-1.7\n" + os.urandom(14 * 2**20))
    return b'{"file_name": "a.pdf", "file_base64": "' + document + b'"}'


async def test_small_documents_are_accepted_while_large_ones_are_decoded(
    client: httpx.AsyncClient, store: Store, make_key: MakeKey
) -> None:
    other = Account(new_id(), Plan.UNLIMITED, NOON)
    await store.accounts.add(other)
    key = await make_key(owner=other)
    headers = {"Content-Type": "application/json"}
    bodies = [large_body() for _ in range(6)]
    large = asyncio.gather(*(client.post(PATH, content=body, headers=headers) for body in bodies))
    accepted = 0
    while not large.done():
        assert (await client.post(PATH, files=FILE, headers=key)).status_code == 202
        accepted += 1
    assert [answer.status_code for answer in await large] == [202] * 6
    # A large one takes as long as some ten small ones. If those waited for it, there were three or four.
    assert accepted > 20


@pytest.mark.parametrize("size", [3 * 2**19, 3 * 2**19 + 1, 3 * 2**19 + 2])
async def test_base64_of_any_length_is_decoded(client: httpx.AsyncClient, size: int) -> None:
    text = base64.b64encode(PDF_BYTES.ljust(size, b"\n")).decode()
    answer = await client.post(PATH, json={"file_base64": text, "file_name": "a.pdf"})
    assert (answer.status_code, answer.json()["file"]["size_bytes"]) == (202, size)


async def test_base64_with_padding_inside_is_refused(client: httpx.AsyncClient) -> None:
    """Wherever it is decoded in pieces."""
    letters = base64.b64encode(PDF_BYTES.ljust(3 * 2**20, b"\n")).decode()
    for at in (2**18, 2**19, 2**20, 2**21):
        body = json.dumps({"file_base64": letters[: at - 4] + "QQ==" + letters[at:], "file_name": "a.pdf"})
        answer = await client.post(PATH, content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_base64")
