"""The one thread of a process that reads through a connection.

Reads that wait at the same time are done one after the other and answered together: waking an event loop costs more
than reading a row.
"""

import threading
from queue import SimpleQueue
from typing import TypeVar

from serve_app.store.sqlite.driver import sqlite3
from serve_app.store.sqlite.jobs import Job, Work, gather, out_of_reach, tell

T = TypeVar("T")

# Small, so that a quick read hardly ever waits for a slow one that came after it.
_MOST_TOGETHER = 8


class Reader:
    """Runs functions that only read on `connection`, which it closes at the end."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="sqlite-reader", daemon=True)
        self._thread.start()

    async def run(self, work: Work[T]) -> T:
        """The result of `work`. Raises ServiceError 503 if the database is unreachable."""
        if self._is_closed:
            raise RuntimeError("the database was closed: no read after shutdown")
        job = Job(work)
        self._jobs.put(job)
        result: T = await job.done
        return result

    def close(self) -> None:
        """Finish the requested reads, then close the connection."""
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
            is_open = gather(self._jobs, jobs, _MOST_TOGETHER)
            for job in jobs:
                self._run(job)
            tell(jobs)

    def _run(self, job: Job) -> None:
        if job.done.cancelled():
            # The caller no longer wants the result.
            return
        try:
            job.result = job.work(self._connection)
        except Exception as error:
            job.error = out_of_reach(error)
