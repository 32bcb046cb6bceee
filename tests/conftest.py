"""A store, its files and an account, fresh for every test."""

import logging
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from pydantic import SecretStr

from serve_app.commands.local_graph import environment
from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from serve_app.store.base.store_check import StoreCheck
from serve_app.store.factory import open_files
from tests.support import NOON, Clock
from tests.support.databases import Database, open_database
from tests.support.webhooks import ENCRYPTION_KEY

pytest_plugins = ["tests.support.order", "tests.support.frozen_modules"]

# Before any test module imports Ray, which reads some of it then. A token of its own leaves the home folder alone.
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
os.environ.update(environment())


@pytest.fixture
def store_kind() -> str:
    """Tests of the store run over every kind; the others need any."""
    return "sqlite"


@pytest.fixture(autouse=True)
def restored_logging() -> Iterator[None]:
    """A command that sends logs to the standard error of one test must not do so in the next."""
    loggers = [logging.getLogger(name) for name in ("serve_app", "ray.serve")]
    states = [([*logger.handlers], logger.level, logger.propagate) for logger in loggers]
    formatters = {
        handler: handler.formatter for name in ("ray", "ray.serve") for handler in logging.getLogger(name).handlers
    }
    yield
    for logger, (handlers, level, propagates) in zip(loggers, states, strict=True):
        logger.handlers, logger.propagate = handlers, propagates
        logger.setLevel(level)
    for handler, formatter in formatters.items():
        handler.setFormatter(formatter)
    logging.captureWarnings(capture=False)


@pytest.fixture
def clock() -> Clock:
    """What the time is for the store."""
    return Clock()


@pytest.fixture
def database(store_kind: str, tmp_path: Path) -> Iterator[Database]:
    """A new database of the kind, gone after the test."""
    with open_database(store_kind, tmp_path) as database:
        yield database


@pytest.fixture(scope="session")
def usual_settings() -> Settings:
    """What the settings of all tests have in common; reading the environment takes a while."""
    return Settings(
        encryption_key=SecretStr(ENCRYPTION_KEY),
        signing_key=SecretStr("a secret of tests, long enough for the purpose"),
        poll_seconds=0.05,
        wait_poll_seconds=0.01,
        wait_seconds=5,
        retry_seconds=0,
        stop_seconds=0.2,
    )


@pytest.fixture
def settings(usual_settings: Settings, database: Database, tmp_path: Path) -> Settings:
    return usual_settings.model_copy(update={"database_url": database.url, "files_url": str(tmp_path / "files")})


@pytest.fixture
async def open_again(
    database: Database, settings: Settings, clock: Callable[[], datetime]
) -> AsyncIterator[Callable[[], Store]]:
    """Opens the same store once more, as another process would."""
    opened: list[Store] = []

    def open_one() -> Store:
        opened.append(database.open(settings, clock))
        return opened[-1]

    yield open_one
    for store in opened:
        await store.connection.close()


@pytest.fixture
def store(open_again: Callable[[], Store]) -> Store:
    return open_again()


@pytest.fixture
async def check(database: Database, settings: Settings) -> AsyncIterator[StoreCheck]:
    """Checks what the store holds, as `invoices verify` does."""
    check = database.open_check(settings)
    yield check
    await check.close()


@pytest.fixture
def files(settings: Settings) -> Files:
    return open_files(settings)


@pytest.fixture
async def account(store: Store) -> Account:
    account = Account(new_id(), Plan.FREE, NOON)
    await store.accounts.add(account)
    return account
