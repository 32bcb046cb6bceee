"""The probes of supervisors and load balancers."""

import httpx
import pytest
from fastapi import FastAPI

from serve_app.services.upkeep import readiness
from serve_app.store.base import Store
from tests.api.checks import assert_error
from tests.support import FakeModels


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


async def test_without_its_store_it_is_not_ready(anyone: httpx.AsyncClient, store: Store) -> None:
    await store.connection.close()
    for path in ("/readyz", "/readyz/extract"):
        assert_error(await anyone.get(path), 503, "api_error", "service_unavailable")
