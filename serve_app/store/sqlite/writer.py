"""The one thread of a process that writes through a connection.

Writes that wait at the same time go into one transaction, each in a savepoint of its own: the disk is waited for once
for all of them ("group commit"). The lock of the file is asked for again and again at short random intervals: SQLite's
own waiting sleeps up to 100 ms at a time and lets latecomers pass.
"""

import asyncio
import logging
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from serve_app.domain import errors

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

_MOST_TOGETHER = 64
# Longer each time it is asked in vain: many who ask often would keep the holder from its work.
_LOCK_POLL_SECONDS = (0.0005, 0.002)

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Job:
    """A piece of work, and who waits for it since when."""

    work: Work[Any]
    done: "asyncio.Future[Any]"
    loop: asyncio.AbstractEventLoop
    deadline: float
    result: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        """Tell the caller; on its loop."""
        if self.done.done():
            return
        if self.error is None:
            self.done.set_result(self.result)
        else:
            self.done.set_exception(self.error)


class Writer:
    """Runs functions in transactions on `connection`, which it closes at the end. A call that cannot begin within
    `busy_seconds` of being made raises ServiceError 503."""

    def __init__(self, connection: sqlite3.Connection, name: str, busy_seconds: float) -> None:
        self._connection = connection
        self._busy_seconds = busy_seconds
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._is_closed = False
        self._connection.execute("PRAGMA busy_timeout = 0")
        self._thread = threading.Thread(target=self._work, name=f"sqlite-{name}", daemon=True)
        self._thread.start()

    async def run(self, work: Work[T]) -> T:
        """The result of `work`: all that it wrote is durable, or, after an exception, none of it. A cancelled caller
        does not undo it: once asked for, the write happens."""
        if self._is_closed:
            raise RuntimeError("the database was closed: no write after shutdown")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._jobs.put(_Job(work, done, loop, time.monotonic() + self._busy_seconds))
        return await asyncio.shield(done)

    def close(self) -> None:
        """Finish what was asked for, then close the connection."""
        self._is_closed = True
        self._jobs.put(None)
        self._thread.join()
        self._connection.close()

    def _work(self) -> None:
        is_open = True
        while is_open:
            first = self._jobs.get()
            if first is None:
                return
            jobs = [first]
            is_open = self._together(jobs)
            _tell(jobs)

    def _together(self, jobs: list[_Job]) -> bool:
        """One transaction with these jobs and all others that wait, which are added to them; False at the end."""
        is_open = True
        try:
            self._begin(jobs[0].deadline)
            # After the wait for the lock, so that those who came meanwhile are served, too.
            is_open = self._gather(jobs)
            for job in jobs:
                self._run(job)
            self._connection.execute("COMMIT")
        except Exception as error:
            # Whatever it was, nobody may wait for ever.
            self._fail(jobs, error)
        return is_open

    def _begin(self, deadline: float) -> None:
        pause, longest = _LOCK_POLL_SECONDS
        while True:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                    raise
                if time.monotonic() > deadline:
                    raise
                # Spread, not secret.
                time.sleep(random.uniform(pause / 2, pause))  # noqa: S311
                pause = min(pause * 1.5, longest)

    def _gather(self, jobs: list[_Job]) -> bool:
        while len(jobs) < _MOST_TOGETHER:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                return True
            if job is None:
                return False
            jobs.append(job)
        return True

    def _run(self, job: _Job) -> None:
        self._connection.execute("SAVEPOINT job")
        try:
            job.result = job.work(self._connection)
        except sqlite3.OperationalError:
            # The disk is full or broken: SQLite may have ended the transaction, with all that is in it.
            raise
        except BaseException as error:
            job.error = error
            self._connection.execute("ROLLBACK TO job")
        self._connection.execute("RELEASE job")

    def _fail(self, jobs: list[_Job], error: Exception) -> None:
        """Nothing of this transaction was written."""
        with suppress(sqlite3.Error):
            self._connection.execute("ROLLBACK")
        unavailable = out_of_reach(error)
        for job in jobs:
            job.error = unavailable


def _tell(jobs: list[_Job]) -> None:
    """Wake every loop once, however many of its calls were answered."""
    for loop in {job.loop for job in jobs}:
        # A caller's loop may have ended while the write went on.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, [job for job in jobs if job.loop is loop])


def _settle(jobs: list[_Job]) -> None:
    for job in jobs:
        job.settle()


def out_of_reach(error: Exception) -> Exception:
    """What a caller is told of the database's trouble; what is no trouble of the storage is told as it is."""
    if not isinstance(error, sqlite3.OperationalError):
        return error
    # Locked for too long, disk full, input/output error.
    log.error("database out of reach: %s", error)
    return errors.service_unavailable()
