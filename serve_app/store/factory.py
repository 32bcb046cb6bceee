"""From settings to an open store: the one place that knows which implementations there are."""

from urllib.parse import urlsplit

from serve_app.settings import Settings, sqlite_path
from serve_app.store.base import Files, Store
from serve_app.store.files import FolderFiles
from serve_app.store.sqlite.store import open_sqlite


def open_store(settings: Settings) -> Store:
    """Open the store that `database_url` names, once per process. ValueError where there is no such kind."""
    path = sqlite_path(settings.database_url)
    if path is not None:
        return open_sqlite(path)
    # Only the scheme is told: the rest of the URL may hold a password.
    scheme = urlsplit(settings.database_url).scheme
    raise ValueError(f"DATABASE_URL: {scheme}:// is not supported in this version yet; use sqlite:///path")


def open_files(settings: Settings) -> Files:
    """Open the files store that `files_url` names. ValueError where there is no such kind."""
    return FolderFiles(settings.files_folder)
