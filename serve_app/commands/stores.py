"""The commands' access to the store, whether or not the service is running."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

from serve_app.commands.errors import CommandError

if TYPE_CHECKING:
    from serve_app.settings import Settings
    from serve_app.store.base import Store

T = TypeVar("T")


def checked_settings() -> "Settings":
    """The settings from the environment. Raises CommandError if their folders or their database cannot be used."""
    from serve_app.commands.preflight import check_folders, check_store
    from serve_app.settings.reading import read_settings

    settings = read_settings()
    check_folders(settings)
    check_store(settings)
    return settings


def present_settings() -> "Settings":
    """The settings. Raises CommandError if their database cannot be used, or is not there: an empty one that is made
    only now would look fine."""
    from serve_app.commands.preflight import check_store
    from serve_app.settings import sqlite_path
    from serve_app.settings.reading import read_settings

    settings = read_settings()
    path = sqlite_path(settings.database_url)
    if path is not None and not path.exists():
        raise CommandError(f"there is no database {path}; check DATABASE_URL")
    check_store(settings)
    return settings


def run_on_store(settings: "Settings", work: "Callable[[Store], Awaitable[T]]") -> T:
    """Run `work` on the configured store, and return its result. Raises CommandError if `work` does not find
    something."""

    async def run() -> T:
        async with open_for_command(settings) as store:
            return await work(store)

    return asyncio.run(run())


@asynccontextmanager
async def open_for_command(settings: "Settings") -> "AsyncIterator[Store]":
    """The store, closed at the end; a LookupError becomes a CommandError."""
    from serve_app.store.factory import open_store

    store = open_store(settings)
    try:
        yield store
    except LookupError as error:
        raise CommandError(str(error)) from error
    finally:
        await store.connection.close()
