"""Keys, rate limit and what every answer carries."""

import re
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI

from actors.application import create_application
from serve_app.domain.account import Account
from serve_app.domain.errors import StoreUnreachable
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import NOON, PDF_BYTES, Clock

RATE = ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic abc", "abc", "Bearer a b"])
async def test_without_a_key_it_is_401(anyone: httpx.AsyncClient, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    answer = await anyone.get("/v1/me", headers=headers)
    assert_error(answer, 401, "authentication_error", "missing_api_key")
    assert not any(name in answer.headers for name in RATE)


async def test_an_unknown_or_revoked_key_is_401(
    anyone: httpx.AsyncClient, make_key: MakeKey, store: Store, account: Account
) -> None:
    answer = await anyone.get("/v1/me", headers={"Authorization": "Bearer inv_live_nothing"})
    assert_error(answer, 401, "authentication_error", "invalid_api_key")
    headers = await make_key()
    assert (await anyone.get("/v1/me", headers=headers)).status_code == 200
    (key,) = await store.keys.of_account(account.id)
    await store.keys.revoke(account.id, key.id, NOON)
    answer = await anyone.get("/v1/me", headers=headers)
    assert_error(answer, 401, "authentication_error", "invalid_api_key")
    assert not any(name in answer.headers for name in RATE)


async def test_the_word_bearer_may_be_spelt_anyhow(anyone: httpx.AsyncClient, make_key: MakeKey) -> None:
    header = (await make_key())["Authorization"].replace("Bearer", "bEARER")
    assert (await anyone.get("/v1/me", headers={"Authorization": header})).status_code == 200


async def test_the_key_is_checked_before_the_body(anyone: httpx.AsyncClient) -> None:
    answer = await anyone.post("/v1/invoices?wait=maybe", content=b"{", headers={"Content-Type": "application/json"})
    assert_error(answer, 401, "authentication_error", "missing_api_key")


async def test_the_index_names_the_description_and_the_modes_without_a_key(anyone: httpx.AsyncClient) -> None:
    index = (await anyone.get("/v1")).json()
    assert (await anyone.get(index["description"])).json()["info"]["version"] == index["version"]
    assert (await anyone.get(index["documentation"])).status_code == 200
    assert [(mode["livemode"], mode["keys"]) for mode in index["modes"]] == [(True, "inv_live_"), (False, "inv_test_")]


@pytest.mark.parametrize("path", ["/v1/", "/v1/nothing", "/v1/invoices/", "/v1/me/", "/v1/invoices/a/b", "/docs/x"])
async def test_an_unknown_path_is_404_without_a_key(anyone: httpx.AsyncClient, path: str) -> None:
    assert_error(await anyone.get(path), 404, "not_found", "route_not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/v1/invoices", {"GET", "HEAD", "POST"}),
        ("PUT", "/v1/invoices/7", {"DELETE", "GET", "HEAD", "PATCH"}),
        ("POST", "/v1/me", {"GET", "HEAD"}),
        ("NONSENSE", "/v1/me", {"GET", "HEAD"}),
    ],
)
async def test_a_wrong_verb_is_405_without_a_key(
    anyone: httpx.AsyncClient, method: str, path: str, allowed: set[str]
) -> None:
    answer = await anyone.request(method, path)
    assert_error(answer, 405, "invalid_request_error", "method_not_allowed")
    assert set(answer.headers["Allow"].split(", ")) == allowed


async def test_all_methods_of_a_path_are_allowed_ones(app: FastAPI) -> None:
    more = create_application(app.state.services)

    @more.patch("/v1/me")
    async def patch_me() -> None: ...

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=more), base_url="http://service") as anyone:
        answer = await anyone.delete("/v1/me")
    assert answer.headers["Allow"] == "GET, HEAD, PATCH"


async def test_every_authenticated_answer_shows_the_rate_limit(client: httpx.AsyncClient) -> None:
    answers = [
        await client.get("/v1/me"),
        await client.get("/v1/invoices/7"),
        await client.post("/v1/invoices", content=b"x"),
        await client.post("/v1/invoices?wait=maybe"),
        await client.post("/v1/invoices", files={"file": ("a", b"text")}),
    ]
    assert [answer.status_code for answer in answers] == [200, 404, 400, 400, 415]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers] == ["59", "58", "57", "56", "55"]
    assert {answer.headers["X-RateLimit-Limit"] for answer in answers} == {"60"}
    reset = int(NOON.replace(minute=1, second=0, microsecond=0).timestamp())
    assert {answer.headers["X-RateLimit-Reset"] for answer in answers} == {str(reset)}


async def test_the_request_after_the_limit_is_429_until_the_next_minute(
    client: httpx.AsyncClient, clock: Clock, make_key: MakeKey
) -> None:
    for _ in range(60):
        assert (await client.get("/v1/me")).status_code == 200
    for _ in range(2):
        answer = await client.get("/v1/me")
        assert_error(answer, 429, "rate_limit_error", "rate_limited")
        assert (answer.headers["Retry-After"], answer.headers["X-RateLimit-Remaining"]) == ("53", "0")
    assert (await client.get("/v1/me", headers=await make_key())).status_code == 200
    clock.advance(53)
    assert (await client.get("/v1/me")).headers["X-RateLimit-Remaining"] == "59"


async def test_a_fault_is_500_with_all_headers_and_no_detail(
    client: httpx.AsyncClient, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(store.quotas, "used", broken)
    answer = await client.get("/v1/me")
    assert_error(answer, 500, "api_error", "internal")
    assert "secret" not in answer.text
    assert all(name in answer.headers for name in (*RATE, "X-Request-Id"))
    assert "secret detail" in caplog.text


async def test_a_lost_store_is_503(client: httpx.AsyncClient, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(*_: object) -> None:
        raise StoreUnreachable

    monkeypatch.setattr(store.intake, "add", lost)
    answer = await client.post("/v1/invoices", files={"file": ("a.pdf", PDF_BYTES)})
    assert_error(answer, 503, "api_error", "service_unavailable")
    assert int(answer.headers["Retry-After"]) > 0


async def test_every_answer_has_a_request_id(client: httpx.AsyncClient) -> None:
    answers = [await client.get(path) for path in ("/v1/me", "/nothing", "/livez")]
    ids = [answer.headers["X-Request-Id"] for answer in answers]
    assert len({UUID(id) for id in ids}) == 3


@pytest.mark.parametrize(
    ("sent", "kept"), [("order-7.a_B", True), ("x" * 128, True), ("x" * 129, False), ("a b", False), ("", False)]
)
async def test_a_safe_request_id_is_kept(anyone: httpx.AsyncClient, sent: str, kept: bool) -> None:
    answer = await anyone.get("/livez", headers={"X-Request-Id": sent})
    assert (answer.headers["X-Request-Id"] == sent) is kept
    assert re.fullmatch(r"[\w.-]{1,128}", answer.headers["X-Request-Id"])


async def test_probes_need_no_key(anyone: httpx.AsyncClient) -> None:
    assert (await anyone.get("/livez")).status_code == 200
    assert (await anyone.get("/readyz")).status_code == 200


async def test_before_the_services_exist_it_lives_but_is_not_ready() -> None:
    transport = httpx.ASGITransport(app=create_application())
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        assert (await client.get("/livez")).status_code == 200
        assert_error(await client.get("/readyz"), 503, "api_error", "service_unavailable")
        assert_error(await client.get("/v1/me"), 503, "api_error", "service_unavailable")
        assert_error(await client.get("/v1/x"), 404, "not_found", "route_not_found")


async def test_the_description_is_served(anyone: httpx.AsyncClient) -> None:
    described = (await anyone.get("/v1/openapi.json")).json()
    assert described["info"]["version"] == "1.0.0"
    body = described["paths"]["/v1/invoices"]["post"]["requestBody"]["content"]
    assert set(body) == {"multipart/form-data", "application/json"}
