"""Name lookups in which a name that gets no answer does not delay lookups of other names."""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

Lookup = Callable[[str], list[str]]
"""The addresses of a name. Blocks; raises OSError if there are none."""

_THREADS = 256


def look_up(name: str) -> list[str]:
    """The system's answer: /etc/hosts, then DNS."""
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [str(sockaddr[0]) for *_, sockaddr in found]


@dataclass(slots=True)
class _Running:
    future: Future[list[str]]
    askers: int = 0


class SharedLookups:
    """Runs at most one lookup per name at a time: concurrent callers share its result. Nothing is cached.

    Lookups have their own thread pool because they cannot be cancelled: a lookup occupies its thread for as long as the
    system takes, even if no caller waits any more. Because lookups are shared, a name that hangs occupies only one
    thread, however many callers ask for it.
    """

    def __init__(self, lookup: Lookup, threads: int = _THREADS) -> None:
        self._lookup = lookup
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="lookup")
        self._running: dict[str, _Running] = {}

    async def __call__(self, name: str) -> list[str]:
        """The addresses of a name. Raises what `lookup` raises: OSError, UnicodeError."""
        running = self._running.get(name) or self._begin(name)
        running.askers += 1
        try:
            await _end(running.future)
        finally:
            running.askers -= 1
            if not running.askers:
                # Removes a queued lookup that no caller needs. A running one continues, and new callers can join it.
                running.future.cancel()
        return running.future.result()

    def _begin(self, name: str) -> _Running:
        running = self._running[name] = _Running(self._executor.submit(self._lookup, name))
        running.future.add_done_callback(lambda _: self._running.pop(name, None))
        return running


async def _end(future: Future[list[str]]) -> None:
    """Wait for the future. A cancelled waiter does not cancel it, because other callers may share it."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def wake(_: Future[list[str]]) -> None:
        # The loop may already be closed, with no caller waiting.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(ended.set)

    future.add_done_callback(wake)
    await ended.wait()
