"""Whose turn it is."""

import asyncio
import heapq
import time
from collections import Counter
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from itertools import count

_NOBODY = object()


class FairSemaphore:
    """Callers on one event loop that share a number of places.

    A free place goes to the owner that holds the fewest; of several such owners, to the one that was called longest
    ago; of that owner's calls, to the one whose turn is first: its time of arrival plus its delay. So an owner with few
    calls does not wait behind another one's many, and since a turn is a point in time, no call waits forever.
    """

    def __init__(self, places: int = 1) -> None:
        self._free = places
        self._held: Counter[Hashable] = Counter()
        # When each owner that holds or waits was last called; the numbers of all calls are in one order.
        self._called: dict[Hashable, int] = {}
        self._waiting: dict[Hashable, list[tuple[float, int, asyncio.Future[None]]]] = {}
        self._numbers = count()

    @property
    def is_free(self) -> bool:
        """Whether a call would not have to wait."""
        return self._free > 0

    @asynccontextmanager
    async def turn(self, delay: float = 0.0, owner: Hashable = None) -> AsyncIterator[None]:
        """Wait for a place, and hold it until the block ends. `delay` is in seconds."""
        await self._wait(delay, owner)
        try:
            yield
        finally:
            self._give_back(owner)

    async def _wait(self, delay: float, owner: Hashable) -> None:
        called = asyncio.get_running_loop().create_future()
        own = self._waiting.setdefault(owner, [])
        heapq.heappush(own, (time.monotonic() + delay, next(self._numbers), called))
        self._call_next()
        try:
            await called
        except asyncio.CancelledError:
            if called.done() and not called.cancelled():
                self._give_back(owner)
            raise

    def _give_back(self, owner: Hashable) -> None:
        self._free += 1
        self._held[owner] -= 1
        if not self._held[owner]:
            del self._held[owner]
            if not self._waiting.get(owner):
                self._called.pop(owner, None)
        self._call_next()

    def _call_next(self) -> None:
        while self._free and (owner := self._next_owner()) is not _NOBODY:
            *_, called = heapq.heappop(self._waiting[owner])
            self._free -= 1
            self._held[owner] += 1
            self._called[owner] = next(self._numbers)
            called.set_result(None)

    def _next_owner(self) -> Hashable:
        for owner, calls in list(self._waiting.items()):
            while calls and calls[0][2].done():
                heapq.heappop(calls)
            if not calls:
                del self._waiting[owner]
        return min(self._waiting, key=self._precedence, default=_NOBODY)

    def _precedence(self, owner: Hashable) -> tuple[int, int, tuple[float, int]]:
        turn, number, _ = self._waiting[owner][0]
        return self._held[owner], self._called.get(owner, -1), (turn, number)
