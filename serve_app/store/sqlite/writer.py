"""The one thread of a process that writes through a connection.

Writes that wait at the same time go into one transaction, each in a savepoint of its own, so that all of them wait for
the disk only once ("group commit"). The file's lock is polled at short random intervals: SQLite's own waiting sleeps up
to 100 ms at a time and lets latecomers pass.
"""

import random
import threading
import time
from contextlib import suppress
from queue import SimpleQueue
from typing import TypeVar

from serve_app.store.sqlite.driver import sqlite3
from serve_app.store.sqlite.jobs import Job, Work, gather, out_of_reach, tell

T = TypeVar("T")

_MOST_TOGETHER = 64
# Longer after each failed try: many processes that poll often would keep the lock's holder from its work.
_LOCK_POLL_SECONDS = (0.0005, 0.002)
# The bits of an error code that give its kind; the others give the cause.
_PRIMARY_CODE = 0xFF
# The size that the write-ahead log shrinks back to after it has grown under load.
_LOG_BYTES = 32 * 2**20


class Writer:
    """Runs functions in transactions on `connection`, which it closes at the end. A call that cannot begin within
    `busy_seconds` of being made raises ServiceError 503."""

    def __init__(self, connection: sqlite3.Connection, name: str, busy_seconds: float) -> None:
        self._connection = connection
        self._busy_seconds = busy_seconds
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._is_closed = False
        self._connection.execute("PRAGMA busy_timeout = 0")
        self._connection.execute(f"PRAGMA journal_size_limit = {_LOG_BYTES}")
        self._thread = threading.Thread(target=self._work, name=f"sqlite-{name}", daemon=True)
        self._thread.start()

    async def run(self, work: Work[T]) -> T:
        """The result of `work`: all that it wrote is durable, or, after an exception, none of it. Cancelling the caller
        does not undo it: once requested, the write happens."""
        if self._is_closed:
            raise RuntimeError("the database was closed: no write after shutdown")
        job = Job(work, time.monotonic() + self._busy_seconds)
        self._jobs.put(job)
        result: T = await job.done
        return result

    def close(self) -> None:
        """Finish the requested writes, then close the connection."""
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
            tell(jobs)

    def _together(self, jobs: list[Job]) -> bool:
        """Run one transaction with these jobs and all others that wait, which are added to `jobs`; False if the queue
        has ended."""
        is_open = True
        try:
            self._begin(jobs[0].deadline)
            # After the wait for the lock, so that jobs that arrived meanwhile are included.
            is_open = gather(self._jobs, jobs, _MOST_TOGETHER)
            for job in jobs:
                self._run(job)
            self._connection.execute("COMMIT")
        except Exception as error:
            # Whatever the error, no caller may wait forever.
            self._fail(jobs, error)
        return is_open

    def _begin(self, deadline: float) -> None:
        pause, longest = _LOCK_POLL_SECONDS
        while True:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                # The code may be an extended one, for instance that another process is recovering the log after a
                # crash.
                if error.sqlite_errorcode & _PRIMARY_CODE not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                    raise
                if time.monotonic() > deadline:
                    raise
                # For jitter, not for security.
                time.sleep(random.uniform(pause / 2, pause))  # noqa: S311
                pause = min(pause * 1.5, longest)

    def _run(self, job: Job) -> None:
        self._connection.execute("SAVEPOINT job")
        try:
            job.result = job.work(self._connection)
        except sqlite3.OperationalError:
            # The disk is full or broken: SQLite may have ended the transaction, with everything in it.
            raise
        except BaseException as error:
            job.error = error
            self._connection.execute("ROLLBACK TO job")
        self._connection.execute("RELEASE job")

    def _fail(self, jobs: list[Job], error: Exception) -> None:
        """Fail all jobs: nothing of this transaction was written."""
        with suppress(sqlite3.Error):
            self._connection.execute("ROLLBACK")
        unavailable = out_of_reach(error)
        for job in jobs:
            job.error = unavailable
