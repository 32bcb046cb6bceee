"""What `FILES_URL` means."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

DEFAULT_FOLDER = "data/files"
GRIDFS = "gridfs"
"""Stands for the database of `DATABASE_URL`, which must be a MongoDB."""
MONGODB = ("mongodb://", "mongodb+srv://")
_FILE = "file://"


def files_url_or_default(files_url: str | None, database_url: str) -> str:
    """`files_url` if it is set; otherwise GridFS with a MongoDB, and a folder with every other database."""
    if files_url:
        return files_url
    return GRIDFS if database_url.startswith(MONGODB) else DEFAULT_FOLDER


def folder_of(files_url: str) -> Path | None:
    """The absolute path of the folder that `files_url` names, or None if it names no folder."""
    if files_url.startswith(_FILE):
        return Path(unquote(urlsplit(files_url).path)).absolute()
    if files_url == GRIDFS or "://" in files_url:
        return None
    return Path(files_url).absolute()
