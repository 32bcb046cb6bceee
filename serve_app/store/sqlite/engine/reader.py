"""Threads that only read: one for quick lookups and one for searches, so that no lookup waits for a search.

A long search would also keep the write-ahead log from restarting, so each has a time limit.
"""

import time

from serve_app.domain.errors import QueryTimeout, StoreUnreachable
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.errors import answer_for, has_code
from serve_app.store.sqlite.engine.file import DatabaseFile
from serve_app.store.sqlite.engine.jobs import Job
from serve_app.store.sqlite.engine.worker import Worker

# Steps of SQLite's machine between two checks of the clock: about 10 ms. Each check has to wait for the GIL.
_STEPS = 200_000
_INTERRUPTED = frozenset({sqlite3.SQLITE_INTERRUPT})


class Reader(Worker):
    """Runs functions that only read, each for `limit_seconds` at most; beyond that they raise QueryTimeout."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        file: DatabaseFile,
        name: str,
        most_together: int,
        timeout_seconds: float,
        limit_seconds: float,
    ) -> None:
        super().__init__(connection, name, most_together=most_together, timeout_seconds=timeout_seconds)
        self._file = file
        self._limit_seconds = limit_seconds
        self._deadline = 0.0
        connection.execute("PRAGMA query_only = ON")
        connection.set_progress_handler(self._is_over, _STEPS)
        self.start()

    def _do(self, jobs: list[Job]) -> None:
        self._gather(jobs)
        for job in jobs:
            # A caller that is gone no longer wants the result.
            if not job.done.cancelled():
                self._answer(job)

    def _answer(self, job: Job) -> None:
        now = time.monotonic()
        self._deadline = now + self._limit_seconds
        try:
            if now > job.deadline:
                raise StoreUnreachable
            self._file.check()
            job.result = job.work(self._connection)
        except Exception as error:
            job.error = QueryTimeout() if has_code(error, _INTERRUPTED) else answer_for(error)

    def _is_over(self) -> bool:
        return time.monotonic() > self._deadline
