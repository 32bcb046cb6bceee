"""Looking names up, so that one which is not answered delays nobody who asks for another."""

import asyncio
import socket
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

Lookup = Callable[[str], list[str]]
"""The addresses of a name. Blocks; OSError where it has none."""

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
    """Looks each name up once at a time: whoever asks while it is being looked up gets that answer. Nothing is kept.

    Threads of their own, since a lookup cannot be ended: it holds its thread for as long as the system takes, though
    nobody waits for it any more. Shared, a name that hangs holds one of them, however often it is asked for.
    """

    def __init__(self, lookup: Lookup, threads: int = _THREADS) -> None:
        self._lookup = lookup
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="lookup")
        self._running: dict[str, _Running] = {}

    async def __call__(self, name: str) -> list[str]:
        """The addresses of a name. What `lookup` raises: OSError, UnicodeError."""
        running = self._running.get(name) or self._begin(name)
        running.askers += 1
        try:
            await _end(running.future)
        finally:
            running.askers -= 1
            if not running.askers:
                # Still in the queue, it would only be in the way; under way, it goes on, and can be joined again.
                running.future.cancel()
        return running.future.result()

    def _begin(self, name: str) -> _Running:
        running = self._running[name] = _Running(self._executor.submit(self._lookup, name))
        running.future.add_done_callback(lambda _: self._running.pop(name, None))
        return running


async def _end(future: Future[list[str]]) -> None:
    """Wait for it; who goes away leaves it as it is, for the others."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def tell(_: Future[list[str]]) -> None:
        # The loop may be closed by then, and nobody waiting.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(ended.set)

    future.add_done_callback(tell)
    await ended.wait()
