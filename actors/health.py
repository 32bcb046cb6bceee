"""Whether the threads of a replica still work. Serve replaces a replica whose check fails three times in a row."""

import asyncio
import time
from contextlib import suppress

from serve_app.store.base import Store
from serve_app.system.thread_pools import TIMEOUT_SECONDS, check_pools


class ThreadCheck:
    """Looks whether every pool of threads, and the store's own, still answers. A check itself never waits: it looks at
    what became of the probes that the one before has sent.

    A store that is out of reach answers that it is: another replica would not reach it either.
    """

    def __init__(self, store: Store | None = None, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._store = store
        self._timeout_seconds = timeout_seconds
        self._probe: asyncio.Task[None] | None = None
        self._probed_at = 0.0

    def check(self) -> None:
        """Call it on the event loop. Raises PoolStuck or RuntimeError if no thread has answered for too long."""
        check_pools()
        if self._store is None:
            return
        if self._probe is None or self._probe.done():
            self._probed_at = time.monotonic()
            self._probe = asyncio.get_running_loop().create_task(self._ask(self._store))
        elif time.monotonic() - self._probed_at > self._timeout_seconds:
            raise RuntimeError(f"the store has not answered for {self._timeout_seconds:g} s")

    async def _ask(self, store: Store) -> None:
        # An error is an answer, too; readiness tells it.
        with suppress(Exception):
            await store.connection.ping()
