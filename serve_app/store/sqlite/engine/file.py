"""The file of a database: made for its owner only, and watched, since SQLite does not notice that it was replaced."""

import os
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.errors import FileGone
from serve_app.system.private_folders import close_to_others, make_private_folder

_MAKING = threading.Lock()
# Beside the file itself; SQLite makes them with its mode.
_LOG, _INDEX, _ROLLBACK = "-wal", "-shm", "-journal"
_LOOKS, _LOOK_AGAIN_SECONDS = 5, 0.2


class DatabaseFile:
    """The file at `path`, as it is at this moment: to be created after it was opened. `seen_at` is when it was last
    known to be in its place, by the monotonic clock."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = f"{path}{_LOG}"
        self._identity = _identity(os.stat(path))
        self.seen_at = time.monotonic()

    def check(self) -> None:
        """Raises FileGone if there is no file at the path, or it is not the one that was opened: what is written then
        would be lost, and what is read is of the past."""
        try:
            found = _identity(os.stat(self._path))
        except OSError as error:
            raise FileGone(f"{self._path}: {error.strerror}") from error
        if found != self._identity:
            raise FileGone(f"{self._path} was replaced; restart the service, which still uses the old file")
        self.seen_at = time.monotonic()

    def read_page(self) -> None:
        """Read the first page, and the schema, from the disk. Blocks for a second at most. Raises sqlite3.DatabaseError
        or FileGone if they are damaged or missing."""
        for _ in range(_LOOKS):
            with suppress(sqlite3.DatabaseError):
                return self._read_page()
            # A checkpoint may have written the first page, and not yet all the pages that it counts.
            time.sleep(_LOOK_AGAIN_SECONDS)
        self._read_page()

    def _read_page(self) -> None:
        # Through a connection without cache, which reads this file only, not the log, and takes no locks. Python itself
        # must not open the file: closing it would end the locks of this process.
        with closing(sqlite3.connect(f"{self._path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if connection.execute("PRAGMA page_count").fetchone()[0] == 0:
                raise FileGone(f"{self._path} is empty")

    def log_bytes(self) -> int:
        """The length of the write-ahead log."""
        try:
            return os.stat(self._log).st_size
        except FileNotFoundError:
            return 0


def make_private_file(path: Path) -> None:
    """Create the file and its folder if they are missing. Only the owner may read the file and those next to it,
    whatever the umask. Raises OSError if that is impossible."""
    make_private_folder(path.parent)
    # One thread after the other: closing the file ends the locks that this process has on it.
    with _MAKING, suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for file in database_files(path):
        with suppress(FileNotFoundError):
            close_to_others(file)


def database_files(path: Path) -> list[Path]:
    """All files that make up the database at `path`, there or not: SQLite reads the others into the first one, whoever
    wrote them."""
    return [path, *(path.with_name(f"{path.name}{suffix}") for suffix in (_LOG, _INDEX, _ROLLBACK))]


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
