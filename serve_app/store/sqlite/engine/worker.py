"""A thread with its own connection, and the queue of work for it."""

import threading
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.engine.jobs import Job, Work, wake_loops

T = TypeVar("T")

IDLE_SECONDS = 1.0
"""How long a worker without work sleeps at most."""


class Worker(ABC):
    """Runs functions on `connection`, which it closes at the end. Work that waits at the same time is done and answered
    together, up to `most_together` calls: waking an event loop costs more than reading a row."""

    def __init__(
        self, connection: sqlite3.Connection, name: str, *, most_together: int, timeout_seconds: float
    ) -> None:
        self._connection = connection
        self._most_together = most_together
        self._timeout_seconds = timeout_seconds
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._is_closed = False
        self._has_ended = False
        self._thread = threading.Thread(target=self._work, name=f"sqlite-{name}", daemon=True)

    async def run(self, work: Work[T]) -> T:
        """The result of `work`, which must begin within the worker's timeout. Raises Unavailable if it does not,
        or if the database is out of reach."""
        if self._is_closed:
            raise RuntimeError("the database was closed by the shutdown")
        job = Job(work, time.monotonic() + self._timeout_seconds)
        self._queue.put(job)
        result: T = await job.done
        return result

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self) -> None:
        """Finish the requested work, then close the connection."""
        self._is_closed = True
        self._queue.put(None)
        self._thread.join()
        self._connection.close()

    @abstractmethod
    def _do(self, jobs: list[Job]) -> None:
        """Give each of these jobs, and of those that `_gather` adds, its result or error. Raises nothing."""

    def _rest(self) -> None:
        """Called after jobs were answered, and every second while there are none. Raises nothing."""
        return

    def _gather(self, jobs: list[Job]) -> None:
        """Add jobs that wait."""
        while len(jobs) < self._most_together and not self._has_ended:
            try:
                job = self._queue.get_nowait()
            except Empty:
                return
            self._add(job, jobs)

    def _add(self, job: Job | None, jobs: list[Job]) -> None:
        if job is None:
            self._has_ended = True
        else:
            jobs.append(job)

    def _work(self) -> None:
        while not self._has_ended:
            jobs: list[Job] = []
            with suppress(Empty):
                self._add(self._queue.get(timeout=IDLE_SECONDS), jobs)
            if jobs:
                self._do(jobs)
                wake_loops(jobs)
            self._rest()
