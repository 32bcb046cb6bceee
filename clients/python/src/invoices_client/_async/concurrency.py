"""What the two halves do differently: here with a loop."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
_END: Any = object()


async def sleep(seconds: float) -> None:
    await asyncio.sleep(seconds)


async def run_blocking(function: Callable[..., Result], *arguments: Any) -> Result:
    """A function that reads or writes files, without holding up the loop."""
    return await asyncio.to_thread(function, *arguments)


async def map_concurrently(
    function: Callable[[Item], Awaitable[Result]], items: Iterable[Item], limit: int
) -> AsyncGenerator[Result, None]:
    """The results as they come, of at most `limit` calls at a time. What still runs when the caller leaves is
    cancelled."""
    waiting = iter(items)
    running: set[asyncio.Future[Result]] = set()
    try:
        while True:
            while len(running) < limit and (item := next(waiting, _END)) is not _END:
                running.add(asyncio.ensure_future(function(item)))
            if not running:
                return
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                yield each.result()
    finally:
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)
