"""Opens a store from the settings: the only place that knows which implementations exist."""

from datetime import timedelta
from urllib.parse import urlsplit

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.user_error import UserError
from serve_app.settings import Settings, sqlite_path
from serve_app.store.base import Store
from serve_app.store.base.copies import WholeDatabase
from serve_app.store.base.store_check import StoreCheck
from serve_app.store.files.factory import open_files
from serve_app.store.sqlite.backup.copying import SqliteWhole
from serve_app.store.sqlite.backup.store_check import SqliteStoreCheck
from serve_app.store.sqlite.store import open_sqlite

_MONGODB = {"mongodb", "mongodb+srv"}


def open_store(settings: Settings, clock: Clock | None = None) -> Store:
    """Open the store that `database_url` names, once per process. Raises UserError if there is no such kind.

    `clock` measures the queue's leases; None means the database server's clock, or this machine's if the database is a
    file.
    """
    path = sqlite_path(settings.database_url)
    if path is not None:
        return open_sqlite(path, settings.max_running_per_account, clock or utc_now)
    _refuse_other_than_mongodb(settings.database_url)
    # Imported only if used, here and below: the drivers cost memory and import time.
    from serve_app.store.mongo.store import open_mongo

    return open_mongo(settings.database_url, settings.max_running_per_account, clock)


def open_store_check(settings: Settings) -> StoreCheck:
    """The check of the store that `database_url` names; it must exist. Raises UserError if there is no such kind."""
    path = sqlite_path(settings.database_url)
    if path is not None:
        return SqliteStoreCheck(path)
    _refuse_other_than_mongodb(settings.database_url)
    from serve_app.store.mongo.store import open_mongo_check

    return open_mongo_check(settings.database_url)


def open_whole(settings: Settings, *, is_idle: bool = False) -> WholeDatabase:
    """The database that `database_url` names as a whole, for backups; `is_idle` tells that nobody writes to it. Raises
    UserError if there is no such kind."""
    path = sqlite_path(settings.database_url)
    if path is not None:
        return SqliteWhole(path)
    _refuse_other_than_mongodb(settings.database_url)
    from serve_app.store.mongo.backup.copying import MongoWhole

    return MongoWhole(settings.database_url, is_idle=is_idle)


async def clock_ahead(settings: Settings) -> timedelta:
    """How far this machine's clock is ahead of the database's; a file has this machine's. Raises UserError if there is
    no such kind of database, StoreUnreachable."""
    if sqlite_path(settings.database_url) is not None:
        return timedelta(0)
    _refuse_other_than_mongodb(settings.database_url)
    from serve_app.store.mongo.engine.server_clock import clock_ahead as ahead_of_mongodb

    return await ahead_of_mongodb(settings.database_url)


def _refuse_other_than_mongodb(url: str) -> None:
    # Only the scheme is shown: the rest of the URL may contain a password.
    scheme = urlsplit(url).scheme
    if scheme not in _MONGODB:
        raise UserError(f"DATABASE_URL: {scheme}:// is not supported; use sqlite:///path or mongodb://host/database")


__all__ = ["clock_ahead", "open_files", "open_store", "open_store_check", "open_whole"]
