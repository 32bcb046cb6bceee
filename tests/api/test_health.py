"""The probes of supervisors and load balancers."""

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account
from serve_app.domain.errors import StoreUnreachable
from serve_app.keys.sealing import new_key
from serve_app.services.upkeep import readiness
from serve_app.store.base import Files, Store
from tests.api.checks import assert_error
from tests.support import Clock, FakeModels
from tests.support.webhooks import URL, manage_endpoints


async def test_a_living_and_ready_service_says_so(anyone: httpx.AsyncClient) -> None:
    assert (await anyone.get("/livez")).json() == {"status": "live"}
    for path in ("/readyz", "/readyz/extract"):
        assert (await anyone.get(path)).json() == {"status": "ready"}


async def test_what_the_sandbox_lacks_is_reported(app: FastAPI, anyone: httpx.AsyncClient) -> None:
    app.state.services.readiness.sandbox_missing.append("landlock")
    assert (await anyone.get("/readyz")).json() == {"status": "ready", "sandbox_missing": ["landlock"]}


async def test_without_a_warm_model_it_accepts_but_does_not_extract(
    anyone: httpx.AsyncClient, models: FakeModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "_GOOD_FOR_S", 0)
    models.are_ready = False
    assert_error(await anyone.get("/readyz/extract"), 503, "api_error", "service_unavailable")
    for path in ("/livez", "/readyz"):
        assert (await anyone.get(path)).status_code == 200
    models.are_ready = True
    assert (await anyone.get("/readyz/extract")).status_code == 200


async def test_without_its_files_it_is_not_ready_and_says_so(
    anyone: httpx.AsyncClient, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(key: str) -> bytes:
        raise StoreUnreachable

    monkeypatch.setattr(files, "read", fail)
    answer = await anyone.get("/readyz")
    assert_error(answer, 503, "api_error", "service_unavailable")
    assert "the file store of FILES_URL does not answer" in answer.text


async def test_with_keys_of_another_deployment_it_is_not_ready_and_says_so(
    anyone: httpx.AsyncClient, store: Store, account: Account, clock: Clock
) -> None:
    await manage_endpoints(store, clock, new_key()).register(account.id, URL)
    answer = await anyone.get("/readyz")
    assert_error(answer, 503, "api_error", "service_unavailable")
    assert "the encryption keys do not open the secrets" in answer.text


async def test_without_its_store_it_is_not_ready(anyone: httpx.AsyncClient, store: Store) -> None:
    await store.connection.close()
    for path in ("/readyz", "/readyz/extract"):
        assert_error(await anyone.get(path), 503, "api_error", "service_unavailable")
