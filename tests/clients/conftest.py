"""The service in this process, with a dispatcher that reads every document alike, and a Python client of it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from invoices_client import AsyncClient
from serve_app.domain.account import Account, Plan, Scope, mint_key
from serve_app.domain.batch import Section
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.dispatcher import build_dispatcher
from serve_app.wiring.services import build_services
from tests.api.live import Live, live_service
from tests.support import FakeCutter, FakeModels, FakeNotifier, FakeReader, FakeReconciler, interpreting
from tests.support.mails import READ
from tests.support.shared_api import api_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def live(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Live]:
    """The service over HTTP, for programs; the working directory has the samples."""
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    with live_service(settings, lambda *_: [Section(1, 1, READ)]) as live:
        monkeypatch.setenv("INVOICES_URL", live.url)
        monkeypatch.setenv("INVOICES_API_KEY", live.full_key)
        yield live


@pytest.fixture
def clock() -> Callable[[], datetime]:
    """The client's clock, too."""
    return utc_now


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"rate_limit": 100_000})


@pytest.fixture
def section() -> Section:
    """What is read of each document."""
    return Section(1, 1, READ)


@pytest.fixture
async def service(store: Store, files: Files, settings: Settings, section: Section) -> AsyncIterator[FastAPI]:
    """Reads documents until the test ends."""
    notifier, held_calls = FakeNotifier(), FakeNotifier()
    app = api_of(build_services(store, files, notifier, FakeCutter(), FakeModels(), settings))
    interpreter = interpreting(FakeReconciler(lambda *_: [section]))
    dispatcher = build_dispatcher(store, files, FakeReader(), interpreter, settings, held_calls=held_calls)
    notifier.then, held_calls.then = dispatcher.wake, app.state.services.wait.wake
    task = asyncio.create_task(dispatcher.run())
    yield app
    await dispatcher.stop()
    await task
    await app.state.services.finish()


@pytest.fixture
async def key(store: Store) -> str:
    """A full key of an account without a quota."""
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    await store.accounts.add(account)
    key, raw = mint_key(account.id, "till", Scope.FULL, utc_now())
    await store.keys.add(key)
    return raw


@pytest.fixture
def transport(service: FastAPI) -> httpx.AsyncBaseTransport:
    return httpx.ASGITransport(app=service, raise_app_exceptions=False)


@pytest.fixture
async def http(transport: httpx.AsyncBaseTransport) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=transport) as http:
        yield http


@pytest.fixture
def client(http: httpx.AsyncClient, key: str) -> AsyncClient:
    return AsyncClient(api_key=key, url="http://service", http_client=http)
