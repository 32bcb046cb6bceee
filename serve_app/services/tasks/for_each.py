"""The same work for many things, some at a time."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")


async def for_each(items: AsyncIterator[T], work: Callable[[T], Awaitable[None]], together: int = 8) -> None:
    """Do the work with every item, with at most `together` at a time. Raises the first error, and stops the rest."""
    room = asyncio.Semaphore(together)

    async def one(item: T) -> None:
        try:
            await work(item)
        finally:
            room.release()

    try:
        async with asyncio.TaskGroup() as tasks:
            async for item in items:
                await room.acquire()
                tasks.create_task(one(item))
    except ExceptionGroup as errors:
        raise _first(errors) from None


def _first(error: BaseException) -> BaseException:
    return _first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error
