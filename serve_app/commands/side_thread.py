"""Runs what needs an event loop beside a command that waits."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import TypeVar

from serve_app.commands.errors import CommandError
from serve_app.system.thread_pools import run_alone

T = TypeVar("T")

START_SECONDS = 30.0


@contextlib.contextmanager
def running_in_thread(name: str, start: Callable[[], AbstractAsyncContextManager[T]]) -> Iterator[T]:
    """What `start` yields, in a thread with an event loop of its own; it ends with the block. Raises its error."""
    ready: list[T | BaseException] = []
    is_ready, is_over = threading.Event(), threading.Event()

    async def work() -> None:
        async with start() as started:
            ready.append(started)
            is_ready.set()
            await run_alone(is_over.wait, f"{name}-end")

    def run() -> None:
        try:
            asyncio.run(work())
        except BaseException as error:
            ready.append(error)
        finally:
            is_ready.set()

    thread = threading.Thread(target=run, name=name, daemon=True)
    try:
        thread.start()
        is_ready.wait(START_SECONDS)
        started = ready[0] if ready else CommandError(f"{name} did not start")
        if isinstance(started, BaseException):
            raise started
        yield started
    finally:
        # Also when the command is stopped during the start: a thread that waits would keep the process.
        is_over.set()
        thread.join(START_SECONDS)
