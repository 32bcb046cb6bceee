"""Waiting for what sends no event: a row of the store, another process, a thread."""

import asyncio
from collections.abc import Awaitable, Callable


async def until(condition: Callable[[], Awaitable[object] | bool], seconds: float = 30) -> None:
    """Returns when the condition holds. Raises TimeoutError after so many seconds, enough for a busy machine."""
    async with asyncio.timeout(seconds):
        while True:
            holds = condition()
            if holds if isinstance(holds, bool) else await holds:
                return
            await asyncio.sleep(0.01)
