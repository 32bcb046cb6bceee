"""Opens a store from the settings: the only place that knows which implementations exist."""

from urllib.parse import urlsplit

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.user_error import UserError
from serve_app.settings import Settings, sqlite_path
from serve_app.store.base import Store
from serve_app.store.files_factory import open_files
from serve_app.store.sqlite.store import open_sqlite


def open_store(settings: Settings, clock: Clock | None = None) -> Store:
    """Open the store that `database_url` names, once per process. Raises UserError if there is no such kind.

    `clock` measures the queue's leases; None means the database server's clock, or this machine's if the database is a
    file.
    """
    path = sqlite_path(settings.database_url)
    if path is not None:
        return open_sqlite(path, settings.max_running_per_account, clock or utc_now)
    # Only the scheme is shown: the rest of the URL may contain a password.
    scheme = urlsplit(settings.database_url).scheme
    if scheme in {"mongodb", "mongodb+srv"}:
        # Imported only if used: the drivers cost memory and import time.
        from serve_app.store.mongo.store import open_mongo

        return open_mongo(settings.database_url, settings.max_running_per_account, clock)
    raise UserError(f"DATABASE_URL: {scheme}:// is not supported; use sqlite:///path or mongodb://host/database")


__all__ = ["open_files", "open_store"]
