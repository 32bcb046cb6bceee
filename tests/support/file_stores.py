"""Files stores to test: a folder, S3 in memory, GridFS simulated, and GridFS on a real server where one is named."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from serve_app.store.base import Files
from serve_app.store.files import FolderFiles
from serve_app.store.files.s3 import S3Files
from serve_app.store.mongo.files import open_gridfs
from tests.support.buckets import new_bucket, s3_server
from tests.support.databases import KINDS as DATABASES
from tests.support.databases import Database, open_database

_IN_DATABASES = {f"gridfs on {database}": database for database in DATABASES if database != "sqlite"}
KINDS = ["folder", "s3", *_IN_DATABASES]


@contextmanager
def open_file_store(kind: str, folder: Path) -> Iterator[Callable[[], Files]]:
    """A function that opens a new, empty file store of this kind at each call."""
    if kind == "folder":
        yield lambda: FolderFiles(folder)
    elif kind == "s3":
        with s3_server() as address:
            place = new_bucket(address, "some/prefix")
            yield lambda: S3Files(place)
    else:
        with _gridfs_on(_IN_DATABASES[kind], folder) as open_again:
            yield open_again


@contextmanager
def _gridfs_on(database: str, folder: Path) -> Iterator[Callable[[], Files]]:
    with open_database(database, folder) as opened, _simulated(opened):
        yield lambda: open_gridfs(opened.url, opened.client)


def _simulated(opened: Database) -> AbstractContextManager[Any]:
    """Patches the driver for mongomock; a real server needs it unpatched."""
    from mongomock_motor import enabled_gridfs_integration

    return nullcontext() if opened.client is None else enabled_gridfs_integration()
