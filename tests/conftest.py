"""A store, its files and an account, fresh for every test."""

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from serve_app.commands.local_graph import environment
from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.factory import open_files, open_store
from tests.support import NOON

# Before any test module imports Ray, which reads some of it then.
os.environ.update(environment())


@pytest.fixture(params=["sqlite"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """One for every kind of store: what a test promises holds for each."""
    urls = {"sqlite": f"sqlite:///{tmp_path}/invoices.db"}
    return Settings(
        database_url=urls[request.param],
        files_url=str(tmp_path / "files"),
        signing_key=SecretStr("a secret of tests, long enough for the purpose"),
        poll_seconds=0.05,
        wait_poll_seconds=0.01,
        wait_seconds=5,
        retry_seconds=0,
        stop_seconds=0.2,
    )


@pytest.fixture
async def open_again(settings: Settings) -> AsyncIterator[Callable[[], Store]]:
    """Opens the same store once more, as another process would."""
    opened: list[Store] = []

    def open_one() -> Store:
        opened.append(open_store(settings))
        return opened[-1]

    yield open_one
    for store in opened:
        await store.connection.close()


@pytest.fixture
def store(open_again: Callable[[], Store]) -> Store:
    return open_again()


@pytest.fixture
def files(settings: Settings) -> Files:
    return open_files(settings)


@pytest.fixture
async def account(store: Store) -> Account:
    account = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(account)
    return account
