"""What the two halves do differently: here with threads."""

import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
_END: Any = object()


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def run_blocking(function: Callable[..., Result], *arguments: Any) -> Result:
    """A function that reads or writes files."""
    return function(*arguments)


def map_concurrently(
    function: Callable[[Item], Result], items: Iterable[Item], limit: int
) -> Generator[Result, None, None]:
    """The results as they come, of at most `limit` calls at a time. What still runs when the caller leaves is
    awaited."""
    waiting = iter(items)
    running: set[Future[Result]] = set()
    with ThreadPoolExecutor(limit) as threads:
        while True:
            while len(running) < limit and (item := next(waiting, _END)) is not _END:
                running.add(threads.submit(function, item))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                yield each.result()
