"""Ties the file store to its deployment."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from serve_app.services.upkeep.ownership import FileOwnership, owner_of, refusal
from serve_app.settings import Settings, sqlite_path
from serve_app.store.factory import open_files, open_store


async def claim_files(settings: Settings) -> None:
    """Note in the file store of the settings that it belongs to the deployment of their database, if no deployment has
    it. Raises UserError if another one has, Unavailable."""
    async with _ownership(settings) as ownership:
        await ownership.claim()


async def check_files_owner(settings: Settings) -> None:
    """Raises UserError if another deployment than the database's has the file store, Unavailable. A new database
    has no deployment yet: its replicas claim the file store."""
    if has_database(settings):
        async with _ownership(settings) as ownership:
            await ownership.check()
        return
    files = open_files(settings)
    try:
        if (owner := await owner_of(files)) is not None:
            raise refusal(owner)
    finally:
        await files.close()


def has_database(settings: Settings) -> bool:
    """Whether the database exists; one of a server always does."""
    path = sqlite_path(settings.database_url)
    return path is None or path.exists()


@asynccontextmanager
async def _ownership(settings: Settings) -> AsyncIterator[FileOwnership]:
    store, files = open_store(settings), open_files(settings)
    try:
        yield FileOwnership(store.deployment, files)
    finally:
        await store.connection.close()
        await files.close()
