"""Large answers are compressed for callers that accept it."""

import gzip
import json
from decimal import Decimal

import httpx
import pytest

from serve_app.domain.account import Account
from serve_app.domain.invoice import Extraction, LineItem
from serve_app.http.answers import LARGE
from serve_app.store.base import Store
from tests.api.invoices import complete_one

ITEM = LineItem(description="Paper, A4, 80 g", quantity=Decimal(10), unit_price=Decimal("4.50"), confidence=None)
LIST = "/v1/invoices"


@pytest.fixture
async def large(store: Store, account: Account) -> str:
    """The address of a large invoice."""
    return f"{LIST}/{(await complete_one(store, account, Extraction(line_items=[ITEM] * 200))).id}"


async def raw(client: httpx.AsyncClient, path: str, accepted: str) -> tuple[httpx.Headers, bytes]:
    """The headers of an answer, and its bytes as they were sent."""
    async with client.stream("GET", path, headers={"Accept-Encoding": accepted}) as answer:
        assert answer.status_code == 200
        return answer.headers, b"".join([part async for part in answer.aiter_raw()])


@pytest.mark.parametrize("accepted", ["gzip", "GZIP", "deflate, gzip;q=0.5", "br , x-gzip", "gzip;q=1.0, *;q=0"])
async def test_a_large_answer_is_compressed_for_who_accepts_it(
    client: httpx.AsyncClient, large: str, accepted: str
) -> None:
    for path in (large, LIST):
        _, plain = await raw(client, path, "identity")
        headers, sent = await raw(client, path, accepted)
        assert headers["Content-Encoding"] == "gzip"
        assert int(headers["Content-Length"]) == len(sent) < len(plain) / 4
        assert headers["Content-Type"] == "application/json"
        assert gzip.decompress(sent) == plain


@pytest.mark.parametrize("accepted", ["", "identity", "br", "gzip;q=0", "gzip; q=0.00, br", "gzipped", "*;q=0.1"])
async def test_for_others_it_is_sent_as_it_is(client: httpx.AsyncClient, large: str, accepted: str) -> None:
    headers, sent = await raw(client, large, accepted)
    assert "Content-Encoding" not in headers
    assert int(headers["Content-Length"]) == len(sent) > LARGE
    assert json.loads(sent)["object"] == "invoice"


async def test_caches_learn_that_it_depends_on_what_is_accepted(client: httpx.AsyncClient, large: str) -> None:
    for accepted in ("gzip", "identity"):
        headers, _ = await raw(client, large, accepted)
        assert headers["Vary"] == "Accept-Encoding"
    same = {"If-None-Match": headers["ETag"], "Accept-Encoding": "gzip"}
    unchanged = await client.get(large, headers=same)
    assert (unchanged.status_code, unchanged.headers["Vary"]) == (304, "Accept-Encoding")


async def test_a_small_answer_is_sent_as_it_is(client: httpx.AsyncClient) -> None:
    headers, sent = await raw(client, "/v1/me", "gzip")
    assert len(sent) < LARGE
    assert "Content-Encoding" not in headers
    assert "Vary" not in headers


async def test_head_shows_the_length_of_the_compressed_answer(client: httpx.AsyncClient, large: str) -> None:
    head, get = [await client.request(method, large, headers={"Accept-Encoding": "gzip"}) for method in ("HEAD", "GET")]
    assert head.headers["Content-Length"] == get.headers["Content-Length"]
    assert head.headers["Content-Encoding"] == "gzip"
