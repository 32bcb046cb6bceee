"""Files stores to test: a folder, S3 in memory, GridFS simulated, and GridFS on a real server where one is named."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from serve_app.store.base import Files
from serve_app.store.files import FolderFiles
from serve_app.store.files.s3 import S3Files
from tests.support.buckets import new_bucket, s3_server

KINDS = ["folder", "s3"]


@contextmanager
def open_file_store(kind: str, folder: Path) -> Iterator[Callable[[], Files]]:
    """What opens a new, empty files store of this kind, as often as it is called."""
    if kind == "folder":
        yield lambda: FolderFiles(folder)
    elif kind == "s3":
        with s3_server() as address:
            place = new_bucket(address, "some/prefix")
            yield lambda: S3Files(place)
