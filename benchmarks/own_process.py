"""A server of a benchmark in a process of its own."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_START_S = 30.0


@contextmanager
def serving(serve: Callable[..., None], *arguments: object) -> Iterator[Any]:
    """What `serve` sends first through the pipe that it gets as its last argument: it listens. It is killed at the end
    of the block. Raises TimeoutError if nothing comes."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(*arguments, theirs), daemon=True)
    process.start()
    try:
        if not ours.poll(_START_S):
            raise TimeoutError("the server does not start")
        yield ours.recv()
    finally:
        process.kill()
        process.join()
