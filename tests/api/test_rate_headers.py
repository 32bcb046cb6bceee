"""Every answer to a valid key tells the key's rate limit, as it is when the answer is given."""

import asyncio

import httpx
import pytest

from serve_app.domain.account import Scope
from serve_app.domain.errors import StoreUnreachable
from serve_app.settings import Settings
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import PDF_BYTES, Clock, FakeReader
from tests.support.databases import KINDS

RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")
PATH = "/v1/invoices"


@pytest.fixture(params=KINDS)
def store_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def rate(answer: httpx.Response) -> tuple[str, ...]:
    return tuple(answer.headers[name] for name in RATE)


async def test_also_where_there_is_no_such_path_or_verb(client: httpx.AsyncClient, anyone: httpx.AsyncClient) -> None:
    answers = [
        await client.get("/v1/nothing"),
        await client.delete(PATH),
        await client.request("FOO", PATH),
        await client.head("/v1/nothing"),
    ]
    assert [answer.status_code for answer in answers] == [404, 405, 405, 404]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers] == ["59", "58", "57", "56"]
    assert (await client.get("/v1/me")).headers["X-RateLimit-Remaining"] == "55"


async def test_without_a_valid_key_or_outside_of_the_api_they_show_nothing(
    anyone: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    bad = {"Authorization": "Bearer inv_live_nothing"}
    for answer in (
        await anyone.get("/v1/nothing", headers=bad),
        await anyone.delete(PATH, headers=bad),
        await client.get("/nothing"),
        await client.get("/livez"),
    ):
        assert not any(name in answer.headers for name in RATE)
    assert (await client.get("/v1/me")).headers["X-RateLimit-Remaining"] == "59"


async def test_while_the_store_is_lost_an_unknown_path_is_still_one(
    client: httpx.AsyncClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(*_: object) -> None:
        raise StoreUnreachable

    monkeypatch.setattr(store.keys, "find_caller", lost)
    answer = await client.get("/v1/nothing")
    assert_error(answer, 404, "not_found", "route_not_found")
    assert not any(name in answer.headers for name in RATE)


async def test_a_body_too_large_is_refused_after_the_key(
    anyone: httpx.AsyncClient, make_key: MakeKey, settings: Settings
) -> None:
    async def post(headers: dict[str, str]) -> httpx.Response:
        described = {"Content-Length": str(30 * 2**20), "Content-Type": "multipart/form-data; boundary=b"}
        return await anyone.post(PATH, content=b"", headers=headers | described)

    assert_error(await post({}), 401, "authentication_error", "missing_api_key")
    refused = await post(await make_key(Scope.READ))
    assert_error(refused, 403, "authentication_error", "insufficient_scope")
    too_large = await post(await make_key())
    assert_error(too_large, 413, "invalid_request_error", "file_too_large")
    assert [answer.headers["X-RateLimit-Remaining"] for answer in (refused, too_large)] == ["59", "59"]


@pytest.mark.usefixtures("running")
async def test_of_a_held_call_they_are_those_of_its_end(
    client: httpx.AsyncClient, reader: FakeReader, clock: Clock
) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def wait() -> None:
        reached.set()
        await go_on.wait()

    reader.before = wait
    held = asyncio.create_task(client.post(PATH, params={"wait": "true"}, files={"file": ("a.pdf", PDF_BYTES)}))
    await reached.wait()
    # In the next minute two others are counted.
    clock.advance(60)
    latest = [await client.get("/v1/me") for _ in range(2)][-1]
    clock.advance(2)
    go_on.set()
    answer = await held
    assert (answer.status_code, rate(answer)) == (200, rate(latest))
    assert rate(answer)[1] == "58"
