"""Watches one folder."""

import asyncio
import hashlib
import logging
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar

from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import (
    BudgetReached,
    FileTooLarge,
    InvalidRequest,
    MissingFile,
    MonthlyLimitReached,
    QueueTooLong,
    QuotaReached,
    ServiceError,
    Unavailable,
    UnsupportedFileType,
)
from serve_app.domain.user_error import UserError
from serve_app.domain.watched_folder import FolderScan, WatchedFile, WatchedFolder
from serve_app.services.watching.documents import WatchedDocuments
from serve_app.services.watching.lease import FolderLease
from serve_app.services.watching.ports import (
    Destination,
    FileChanged,
    FileUnreadable,
    FolderAccess,
    FolderEntry,
    FolderProblem,
)
from serve_app.services.watching.report import FileResult
from serve_app.services.watching.settling import Settling
from serve_app.store.base import WatchedFolders
from serve_app.telemetry.logs import kind_and_place
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import WATCHED_FILES

P = ParamSpec("P")
T = TypeVar("T")

MAX_TRIES = 3
"""Errors at the same file until it is moved to `failed`."""
MAX_IN_WORK = 100
"""Files of a folder that were sent and not moved yet."""
QUOTA_SECONDS = 300.0
MAX_BACKOFF_SECONDS = 300.0
_RECORD_SECONDS = 30.0
"""Interval for recording scans that found nothing new."""
_REST = 10.0
"""The pause after a listing is at least ten times as long as the listing took."""
_CODES: dict[type[InvalidRequest], str] = {
    MissingFile: "empty_file",
    FileTooLarge: "file_too_large",
    UnsupportedFileType: "unsupported_file_type",
}
_WAITS: dict[type[Exception], str] = {
    QuotaReached: "The monthly quota is used up.",
    BudgetReached: "The monthly budget is used up.",
    QueueTooLong: "The queue is too long.",
}
_NO_STORAGE = "The service cannot reach its storage."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WatchOptions:
    """`settle_seconds`: how long a file must be unchanged. `poll_seconds`: the interval of scans."""

    max_bytes: int
    poll_seconds: float = 2.0
    settle_seconds: float = 10.0


@dataclass(slots=True)
class _InWork:
    """A file that was sent or refused, and is not moved yet. `problem` says why it could not be moved."""

    entry: FolderEntry
    content: str
    file: WatchedFile | None = None
    result: FileResult | None = None
    problem: str = ""


class FolderWatch:
    """Sends the files of a folder, waits until they are processed, and moves them. All state here can be lost: after a
    crash, the file is still in the folder, and the record of its content has its invoice."""

    def __init__(
        self,
        folder: WatchedFolder,
        open_folder: Callable[[], FolderAccess],
        documents: WatchedDocuments,
        folders: WatchedFolders,
        lease: FolderLease,
        options: WatchOptions,
        clock: Clock = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.folder = folder
        self.waiting = 0
        self.problem = ""
        self._open_folder = open_folder
        self._documents = documents
        self._folders = folders
        self._lease = lease
        self._options = options
        self._clock = clock
        self._monotonic = monotonic
        self._settling = Settling(options.settle_seconds, monotonic)
        self._settled: deque[FolderEntry] = deque()
        self._in_work: dict[str, _InWork] = {}
        self._access: FolderAccess | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="watch")
        self._stopped = asyncio.Event()
        self._scan_at = self._send_at = self._record_at = 0.0
        self._send_problem = ""
        self._tries: Counter[FolderEntry] = Counter()
        self._failures = 0
        self._moved = dict.fromkeys(Destination, 0)
        self._recorded: tuple[str, int] | None = None

    def stop(self) -> None:
        """End after the current step."""
        self._stopped.set()

    async def run(self) -> None:
        """Until `stop`. Errors are recorded, and the work is tried again."""
        try:
            while not self._stopped.is_set():
                await self.run_round()
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._pause()):
                        await self._stopped.wait()
        finally:
            await self._close()
            await self._lease.release()
            self._thread.shutdown(wait=False)

    async def run_round(self) -> None:
        """Move finished files, then send new ones."""
        try:
            if not await self._lease.renew():
                self._forget()
                return
            await self._work()
            problem = self._standing_problem()
        except Exception as error:
            problem = await self._handle(error)
        if problem and problem != self.problem:
            log.warning("watched folder: %s", problem, extra=self._extra)
        self.problem = problem
        await self._record()

    async def _work(self) -> None:
        access = await self._opened()
        for path in list(self._in_work):
            if self._stopped.is_set() or not await self._finish(access, path):
                break
        access = await self._opened()
        now = self._monotonic()
        if now < self._send_at:
            return
        if not self._settled and now >= self._scan_at:
            await self._scan(access)
        while self._settled and len(self._in_work) < MAX_IN_WORK:
            if self._stopped.is_set() or not await self._lease.renew():
                return
            await self._take(access, self._settled.popleft())
        self._failures = 0

    async def _opened(self) -> FolderAccess:
        if self._access is None:
            self._access = await self._off_loop(self._open_folder)
            await self._off_loop(self._access.prepare)
        return self._access

    async def _scan(self, access: FolderAccess) -> None:
        started, in_work = self._monotonic(), frozenset(self._in_work)
        scan = await self._off_loop(lambda: self._settling.scan(access.entries(), in_work))
        ended = self._monotonic()
        self._scan_at = ended + _REST * (ended - started)
        self._settled.extend(scan.settled)
        self.waiting = scan.count

    async def _take(self, access: FolderAccess, entry: FolderEntry) -> None:
        """Read a file and send it, or refuse it."""
        try:
            refusal = self._refusal(entry)
            if refusal is None:
                data = await self._off_loop(access.read, entry, self._options.max_bytes)
                await self._send(entry, data, await self._off_loop(_sha256_of, data))
                return
        except FileChanged:
            # It is read once it has settled again.
            return
        except FileUnreadable as error:
            refusal = _unreadable(str(error))
        except ServiceError:
            raise
        except Exception as error:
            # One file must not stop the folder.
            self._tries[entry] += 1
            if self._tries[entry] < MAX_TRIES:
                raise
            refusal = _unreadable(str(error).rstrip(".") if isinstance(error, FolderProblem) else "unexpected error")
            log.error("watched file given up: %s", kind_and_place(error), extra=self._extra)
        self._tries.pop(entry, None)
        self._in_work[entry.path] = _InWork(entry, _content_of(entry), result=refusal)

    def _refusal(self, entry: FolderEntry) -> FileResult | None:
        """For files that need not be read."""
        if entry.is_link:
            return FileResult((), "symbolic_link", "Symbolic links are not followed. Copy the file to the folder.")
        if entry.size > self._options.max_bytes:
            return FileResult((), "file_too_large", str(FileTooLarge(self._options.max_bytes)))
        return None

    async def _send(self, entry: FolderEntry, data: bytes, sha256: str) -> None:
        content = f"sha256:{sha256}"
        try:
            file = await self._documents.send(self.folder, entry, data, sha256)
        except InvalidRequest as error:
            result = FileResult((), _CODES.get(type(error), "invalid_file"), error.message)
            self._in_work[entry.path] = _InWork(entry, content, result=result)
            return
        if file is not None:
            count(WATCHED_FILES, outcome="sent")
            self._in_work[entry.path] = _InWork(entry, content, file)

    async def _finish(self, access: FolderAccess, path: str) -> bool:
        """Move the file if its result is known. False if no file can be moved now."""
        item = self._in_work[path]
        if item.result is None and item.file is not None:
            item.result = await self._documents.result(item.file)
        if item.result is None:
            return True
        if not await self._lease.renew():
            return False
        destination, report = item.result.destination, item.result.report(item.entry, item.content)
        try:
            await self._off_loop(access.move, item.entry, destination, item.content, report)
        except FileChanged:
            # Another file may be there now, which is taken like any other.
            log.info("watched file changed or removed", extra=self._extra)
        except FolderProblem as error:
            item.problem = str(error)
            # The next round opens the folder again, and tries this file last, so that it delays no other one.
            self._in_work[path] = self._in_work.pop(path)
            await self._close()
            return False
        else:
            self._moved[destination] += 1
            count(WATCHED_FILES, outcome=destination)
            log.info("watched file moved to %s", destination, extra=self._extra)
        del self._in_work[path]
        self.waiting = max(0, self.waiting - 1)
        return True

    async def _handle(self, error: Exception) -> str:
        """Decide when to try again; the problem for people."""
        self._settled.clear()
        if isinstance(error, MonthlyLimitReached | Unavailable):
            # Files that were sent before are still moved.
            delay = QUOTA_SECONDS if isinstance(error, MonthlyLimitReached) else self._backoff()
            self._send_at = self._monotonic() + delay
            self._send_problem = f"{_WAITS.get(type(error), _NO_STORAGE)} Files wait."
            return self._send_problem
        await self._close()
        # Another process may have the permission or the mount that this one lacks.
        await self._lease.release()
        self._scan_at = self._monotonic() + self._backoff()
        if isinstance(error, FolderProblem | UserError):
            return str(error)
        log.error("watching failed: %s", kind_and_place(error), extra=self._extra)
        return "Unexpected error; the log has its place."

    def _standing_problem(self) -> str:
        """What is wrong although the round succeeded."""
        unmoved = next((item.problem for item in self._in_work.values() if item.problem), "")
        if unmoved:
            return unmoved
        if self._monotonic() < self._send_at:
            return self._send_problem
        return self._access.problem if self._access is not None else ""

    def _backoff(self) -> float:
        self._failures += 1
        return float(min(self._options.poll_seconds * 2.0**self._failures, MAX_BACKOFF_SECONDS))

    def _pause(self) -> float:
        poll = self._options.poll_seconds
        # A folder that was closed after an error is opened by the next round, for moves too.
        return poll if self._access is not None else max(poll, self._scan_at - self._monotonic())

    def _forget(self) -> None:
        """Another process watches the folder now, or nobody should."""
        self._in_work.clear()
        self._settled.clear()
        self._tries.clear()
        self.problem, self.waiting = "", 0

    async def _record(self) -> None:
        """Store the state for operators, if it is new or the stored one is old."""
        now, state = self._monotonic(), (self.problem, self.waiting)
        if state == self._recorded and not any(self._moved.values()) and now < self._record_at:
            return
        done, failed = self._moved[Destination.DONE], self._moved[Destination.FAILED]
        scan = FolderScan(self._clock(), self.problem, self.waiting, done=done, failed=failed)
        try:
            await self._folders.record_scan(self.folder, scan)
        except ServiceError:
            return
        self._recorded, self._record_at = state, now + _RECORD_SECONDS
        self._moved = dict.fromkeys(Destination, 0)

    async def _close(self) -> None:
        access, self._access = self._access, None
        if access is not None:
            with suppress(FolderProblem):
                await self._off_loop(access.close)

    def _off_loop(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Awaitable[T]:
        return asyncio.wrap_future(self._thread.submit(partial(work, *args, **kwargs)))

    @property
    def _extra(self) -> dict[str, str]:
        return {"folder": str(self.folder.id), "account_id": str(self.folder.account_id)}


def _unreadable(reason: str) -> FileResult:
    return FileResult((), "unreadable_file", f"The service cannot read this file: {reason}.")


def _sha256_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _content_of(entry: FolderEntry) -> str:
    """Identifies the content of a file that is not read."""
    return f"version:{_sha256_of(entry.version.encode())}"
