"""The API in this process, with a dispatcher behind it whose reader and models find nothing."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import httpx
import pytest
from fastapi import FastAPI

from serve_app.domain.account import Account, Scope, mint_key
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.wiring.dispatcher import build_dispatcher
from serve_app.wiring.services import build_services
from tests.support import (
    NOON,
    Clock,
    DirectEInvoiceWriter,
    FakeCutter,
    FakeModels,
    FakeNotifier,
    FakeReader,
    interpreting,
)
from tests.support.shared_api import api_of

MakeKey = Callable[..., Awaitable[dict[str, str]]]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"max_file_bytes": 1000})


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def notifier() -> FakeNotifier:
    return FakeNotifier()


@pytest.fixture
def models() -> FakeModels:
    return FakeModels()


@pytest.fixture
def app(
    store: Store, files: Files, notifier: FakeNotifier, models: FakeModels, settings: Settings, clock: Clock
) -> FastAPI:
    writer = DirectEInvoiceWriter()
    return api_of(build_services(store, files, notifier, FakeCutter(), models, settings, clock, einvoices=writer))


@pytest.fixture
async def anyone(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    """Sends no key."""
    # The server answers a fault; it must not reach the caller as an exception.
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        yield client


@pytest.fixture
def make_key(store: Store, account: Account) -> MakeKey:
    """Makes a key of the account; returns the header that carries it."""

    async def make(scope: Scope = Scope.FULL, owner: Account = account) -> dict[str, str]:
        key, raw = mint_key(owner.id, "till", scope, NOON)
        await store.keys.add(key)
        return {"Authorization": f"Bearer {raw}"}

    return make


@pytest.fixture
async def client(anyone: httpx.AsyncClient, make_key: MakeKey) -> httpx.AsyncClient:
    """Sends a key with full scope."""
    anyone.headers.update(await make_key())
    return anyone


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
async def running(
    store: Store,
    files: Files,
    settings: Settings,
    clock: Clock,
    notifier: FakeNotifier,
    reader: FakeReader,
    app: FastAPI,
) -> AsyncIterator[None]:
    """A dispatcher that works while the test runs."""
    held_calls = FakeNotifier()
    dispatcher = build_dispatcher(store, files, reader, interpreting(), settings, clock=clock, held_calls=held_calls)
    notifier.then = dispatcher.wake
    held_calls.then = app.state.services.wait.wake
    task = asyncio.create_task(dispatcher.run())
    yield
    await dispatcher.stop()
    await task
