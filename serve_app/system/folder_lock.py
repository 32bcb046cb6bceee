"""The locks on a service's folders: of several services, one at a time works there.

Every process of a service that opens the database holds the locks, shared, so the kernel frees them when the last of
them is gone, however it ended. The file says whose it is; it changes only while nobody holds the lock.
"""

import contextlib
import errno
import fcntl
import os
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import psutil
from pydantic import BaseModel, ValidationError

from serve_app.domain.clock import utc_now
from serve_app.domain.user_error import UserError
from serve_app.system.private_folders import make_private_folder

SERVICE_ID = "INVOICES_SERVICE_ID"
"""The environment variable by which `invoices serve` tells all processes that it starts which service they are of."""
NAME = ".service.lock"
# How long the replicas of a service that was killed may take to notice.
_TIMEOUT_S = 20.0
_NO_LOCKS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP})


class Holder(BaseModel):
    """A service, and its process that wrote this."""

    service: str
    """The same in all of its processes, and in no other service's."""
    port: int | None
    process: int
    host: str
    since: str

    def __str__(self) -> str:
        answers = "" if self.port is None else f" on port {self.port}"
        return f"the service{answers} (process {self.process} on {self.host}, since {self.since})"

    def is_gone(self) -> bool:
        """Whether its process has ended, so that the others are about to end."""
        return self.host == socket.gethostname() and not psutil.pid_exists(self.process)


@contextlib.contextmanager
def lock_folders(folders: Mapping[Path, str], service: str, port: int | None = None) -> Iterator[None]:
    """Hold the locks on the folders, each with the setting that names it, for the process's part in `service`, which
    answers on `port`. Raises UserError if another service has one, and names that."""
    since = f"{utc_now():%Y-%m-%d %H:%M:%S} UTC"
    holder = Holder(service=service, port=port, process=os.getpid(), host=socket.gethostname(), since=since)
    with contextlib.ExitStack() as stack:
        for folder, name in sorted(folders.items()):
            stack.callback(os.close, _take(folder, name, holder))
        yield


_kept = contextlib.ExitStack()
_kept_folders: list[Mapping[Path, str]] = []


def keep_folders_locked(folders: Mapping[Path, str], service: str, port: int | None = None) -> None:
    """The same for as long as the process lives; no-op if it has the locks already."""
    if folders not in _kept_folders:
        _kept.enter_context(lock_folders(folders, service, port))
        _kept_folders.append(folders)


def port_of_service(folders: Iterable[Path]) -> int | None:
    """The port of the service that has the lock on one of the folders; None if none has, or it answers on none."""
    for folder in folders:
        with contextlib.suppress(OSError), (folder / NAME).open("rb") as lock:
            holder = _read(lock.fileno())
            if holder.port is not None and not holder.is_gone():
                return holder.port
    return None


def _take(folder: Path, name: str, holder: Holder) -> int:
    """The descriptor that holds the lock on the folder of the setting `name`."""
    try:
        make_private_folder(folder)
        lock = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UserError(f"cannot lock the folder {folder} of {name} ({error.strerror})") from error
    try:
        _wait_for(lock, folder, name, holder)
    except BaseException:
        os.close(lock)
        raise
    return lock


def _wait_for(lock: int, folder: Path, name: str, holder: Holder) -> None:
    end = time.monotonic() + _TIMEOUT_S
    try:
        while (other := _join(lock, holder)) is not None:
            if not other.is_gone() or time.monotonic() > end:
                raise UserError(
                    f"the folder {folder} of {name} is in use by {other}; stop the other one, or use a separate folder"
                )
            time.sleep(0.2)
    except OSError as error:
        # A network file system may have no locks; the id in the file store then still tells two deployments apart.
        if error.errno not in _NO_LOCKS or name == "DATABASE_URL":
            raise UserError(f"cannot lock the folder {folder} of {name} ({error.strerror})") from error


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
