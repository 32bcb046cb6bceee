"""The lock on the data folder: of several services, one at a time works there.

Every process of a service that opens the database holds the lock, shared, so the kernel frees it when the last of them
is gone, however it ended. The file says whose it is; it changes only while nobody holds the lock.
"""

import contextlib
import fcntl
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
from pydantic import BaseModel, ValidationError

from serve_app.domain.clock import utc_now
from serve_app.domain.user_error import UserError
from serve_app.private_folders import make_private_folder
from serve_app.settings import Settings, sqlite_path

SERVICE_ID = "INVOICES_SERVICE_ID"
"""The environment variable by which `invoices serve` tells all processes that it starts which service they are of."""
NAME = ".service.lock"
# How long the replicas of a service that was killed may take to notice.
_PATIENCE_S = 20.0


class Holder(BaseModel):
    """A service, and its process that wrote this."""

    service: str
    """The same in all of its processes, and in no other service's."""
    port: int | None
    process: int
    host: str
    since: str

    def __str__(self) -> str:
        return f"the service on port {self.port} (process {self.process} on {self.host}, since {self.since})"

    def is_gone(self) -> bool:
        """Whether its process has ended, so that the others are about to end."""
        return self.host == socket.gethostname() and not psutil.pid_exists(self.process)


def data_folder(settings: Settings) -> Path | None:
    """The folder that one service needs to itself: that of the SQLite database. None if the database is a server."""
    database = sqlite_path(settings.database_url)
    return database.resolve().parent if database else None


@contextlib.contextmanager
def held_folder(settings: Settings, service: str) -> Iterator[None]:
    """Hold the lock on the data folder for the process's part in `service`. Raises UserError if another service has it,
    and names that."""
    folder = data_folder(settings)
    if folder is None:
        yield
        return
    port = settings.graph.port if settings.graph else None
    since = f"{utc_now():%Y-%m-%d %H:%M:%S} UTC"
    lock = _take(
        folder, Holder(service=service, port=port, process=os.getpid(), host=socket.gethostname(), since=since)
    )
    try:
        yield
    finally:
        os.close(lock)


_kept = contextlib.ExitStack()
_kept_folders: set[Path | None] = set()


def keep_folder(settings: Settings, service: str) -> None:
    """The same for as long as the process lives; no-op if it has the lock already."""
    folder = data_folder(settings)
    if folder not in _kept_folders:
        _kept.enter_context(held_folder(settings, service))
        _kept_folders.add(folder)


def _take(folder: Path, holder: Holder) -> int:
    """The descriptor that holds the lock."""
    try:
        make_private_folder(folder)
        lock = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UserError(f"cannot lock the data folder {folder} ({error.strerror})") from error
    try:
        end = time.monotonic() + _PATIENCE_S
        while (other := _join(lock, holder)) is not None:
            if not other.is_gone() or time.monotonic() > end:
                raise UserError(
                    f"the data folder {folder} is in use by {other}; stop that one, or give this one a folder of its"
                    " own: DATABASE_URL, FILES_URL"
                )
            time.sleep(0.2)
    except BaseException:
        os.close(lock)
        raise
    return lock


def _join(lock: int, holder: Holder) -> Holder | None:
    """Hold the lock, shared, if nobody has it or processes of the same service do; otherwise the one that has it."""
    with contextlib.suppress(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(lock, 0)
        os.pwrite(lock, holder.model_dump_json().encode(), 0)
    # Between the two, another process may get the exclusive lock and write its name: it is read only now.
    fcntl.flock(lock, fcntl.LOCK_SH)
    present = _read(lock)
    if present.service == holder.service:
        return None
    fcntl.flock(lock, fcntl.LOCK_UN)
    return present


def _read(lock: int) -> Holder:
    try:
        return Holder.model_validate_json(os.pread(lock, 4096, 0))
    except ValidationError:
        return Holder(service="", port=None, process=0, host="", since="")
