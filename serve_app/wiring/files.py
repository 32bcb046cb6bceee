"""Ties the file store to its deployment."""

from serve_app.services.upkeep.ownership import FileOwnership
from serve_app.settings import Settings
from serve_app.store.factory import open_files, open_store


async def claim_files(settings: Settings) -> None:
    """Note in the file store of the settings that it belongs to the deployment of their database, if no deployment has
    it. Raises UserError if another one has, Unavailable."""
    store, files = open_store(settings), open_files(settings)
    try:
        await FileOwnership(store.deployment, files).claim()
    finally:
        await store.connection.close()
        await files.close()
