"""What holds for keys on every replica, and for requests without one."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import httpx
import pytest

from actors.application import create_application
from serve_app.domain.account import Account
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.services import build_services
from tests.api.checks import assert_error
from tests.api.conftest import MakeKey
from tests.support import NOON, Clock, FakeCutter, FakeModels, FakeNotifier


@pytest.fixture
async def replicas(
    open_again: Callable[[], Store], files: Files, settings: Settings, clock: Clock
) -> AsyncIterator[list[httpx.AsyncClient]]:
    """Three processes of the service, each with its own connection to the one store."""
    async with AsyncExitStack() as stack:
        clients = []
        for _ in range(3):
            services = build_services(open_again(), files, FakeNotifier(), FakeCutter(), FakeModels(), settings, clock)
            transport = httpx.ASGITransport(app=create_application(services))
            client = httpx.AsyncClient(transport=transport, base_url="http://service")
            clients.append(await stack.enter_async_context(client))
        yield clients


async def test_a_revoked_key_fails_on_its_very_next_call_on_all_replicas(
    replicas: list[httpx.AsyncClient], make_key: MakeKey, store: Store, account: Account
) -> None:
    headers = await make_key()
    for client in replicas:
        assert (await client.get("/v1/me", headers=headers)).status_code == 200
    (key,) = await store.keys.of_account(account.id)
    await store.keys.revoke(account.id, key.id, NOON)
    for client in replicas:
        answer = await client.get("/v1/me", headers=headers)
        assert_error(answer, 401, "authentication_error", "invalid_api_key")


async def test_replicas_count_requests_together(replicas: list[httpx.AsyncClient], make_key: MakeKey) -> None:
    headers = await make_key()
    left = [(await client.get("/v1/me", headers=headers)).headers["X-RateLimit-Remaining"] for client in replicas]
    assert left == ["59", "58", "57"]


async def test_requests_without_a_valid_key_count_for_nobody(anyone: httpx.AsyncClient, make_key: MakeKey) -> None:
    headers = await make_key()
    for _ in range(5):
        await anyone.get("/v1/me")
        await anyone.get("/v1/me", headers={"Authorization": "Bearer inv_live_nothing"})
    assert (await anyone.get("/v1/me", headers=headers)).headers["X-RateLimit-Remaining"] == "59"
