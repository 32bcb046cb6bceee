"""Work that event loops hand to the thread of a connection."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from serve_app.store.sqlite.engine.driver import sqlite3

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]


class Job:
    """A piece of work, and the caller that waits for it; create it on the caller's event loop. `deadline` is when the
    work must have begun, by the monotonic clock."""

    __slots__ = ("deadline", "done", "error", "loop", "result", "work")

    def __init__(self, work: Work[Any], deadline: float) -> None:
        self.work = work
        self.deadline = deadline
        self.loop = asyncio.get_running_loop()
        self.done: asyncio.Future[Any] = self.loop.create_future()
        self.result: Any = None
        self.error: BaseException | None = None

    def settle(self) -> None:
        """Answer the caller, unless it has gone; to be called on its loop."""
        if self.done.done():
            return
        if self.error is None:
            self.done.set_result(self.result)
        else:
            self.done.set_exception(self.error)


def wake_loops(jobs: list[Job]) -> None:
    """Wake every loop once, however many of its calls were answered."""
    for loop in {job.loop for job in jobs}:
        # A caller's loop may have ended while its work went on.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, [job for job in jobs if job.loop is loop])


def _settle(jobs: list[Job]) -> None:
    for job in jobs:
        job.settle()
