"""Named pools of threads: the one place that says which blocking work runs where.

Each kind of work has threads of its own, so a slow disk, a large download or a costly document never delays another
kind. Nothing of the service runs in the event loop's default executor, which is shared with libraries and Ray. Work on
untrusted bytes may run here only if its time is bounded by construction (ADR 0111); anything else belongs in a child
process that can be killed. SQLite has its own threads (`serve_app.store.sqlite.engine.worker`), and so have name
lookups, S3 and the supervisors of child processes.
"""

import asyncio
import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

TIMEOUT_SECONDS = 30.0
"""How long a pool may be busy before it counts as stuck: far longer than any of its jobs takes."""


class PoolStuck(RuntimeError):
    """All threads of a pool have been busy for longer than `TIMEOUT_SECONDS`."""


class ThreadPool:
    """Up to `threads` threads, started when they are first needed; they end with the process. Further jobs queue."""

    def __init__(self, name: str, threads: int, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self.name = name
        self.threads = threads
        self._timeout_seconds = timeout_seconds
        self._executor = self._new_executor()
        self._probe: Future[None] | None = None
        self._probed_at = 0.0
        # Threads do not survive a fork.
        os.register_at_fork(after_in_child=self._start_again)

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work`, which gets the caller's context variables. Cancelling the caller drops a job that still
        waits; one that has begun continues, unobserved."""
        context = copy_context()
        return await asyncio.wrap_future(self._executor.submit(lambda: context.run(work, *args, **kwargs)))

    def check(self) -> None:
        """Submit a probe unless one waits. Raises PoolStuck if it has waited for longer than the pool's timeout."""
        if self._probe is None or self._probe.done():
            self._probe, self._probed_at = self._executor.submit(_do_nothing), time.monotonic()
        elif time.monotonic() - self._probed_at > self._timeout_seconds:
            raise PoolStuck(f"no thread of the pool `{self.name}` has been free for {self._timeout_seconds:g} s")

    def __reduce__(self) -> tuple[Callable[[str], "ThreadPool"], tuple[str]]:
        """Another process has its own pool of the same name: Ray pickles deployments with what they use."""
        return _named, (self.name,)

    def _new_executor(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.threads, thread_name_prefix=f"pool-{self.name}")

    def _start_again(self) -> None:
        self._executor, self._probe = self._new_executor(), None


def _do_nothing() -> None:
    return


DECODING = ThreadPool("decoding", 2)
"""Untrusted bytes, by decoders whose time is bounded: bodies, gzip, the start of mails, signatures."""
DECODING_LARGE = ThreadPool("decoding-large", 1)
"""The same for more than `LARGE_BYTES` at a time, so that small ones never wait for them."""
LARGE_BYTES = 2**20
HASHING = ThreadPool("hashing", 2)
"""Digests of whole documents."""
FILES = ThreadPool("files", 8)
"""Files of documents in a local folder, and other small files."""
DATABASE = ThreadPool("database", 2)
"""SQLite files as a whole: copies and checks. Queries have their own threads."""
COMPUTING = ThreadPool("computing", 2)
"""Work on words and values that a child process has read: packing pages, examples, comparisons."""
WRITING_OUT = ThreadPool("writing-out", 2)
"""What is sent to callers: compressed answers, workbooks, archives."""
WAITING = ThreadPool("waiting", 8)
"""Work that waits for others with a time limit: child processes, name servers, Ray's controller."""

MODELS = ThreadPool("models", 2, timeout_seconds=600.0)
"""A model that reads a batch, and one that is loaded beside it."""

_ALL = (DECODING, DECODING_LARGE, HASHING, FILES, DATABASE, COMPUTING, WRITING_OUT, WAITING, MODELS)


def _named(name: str) -> ThreadPool:
    return next(pool for pool in _ALL if pool.name == name)


def decoding_pool(size: int) -> ThreadPool:
    """Where so many untrusted bytes are decoded."""
    return DECODING_LARGE if size > LARGE_BYTES else DECODING


async def run_alone(work: Callable[[], T], name: str) -> T:
    """The result of work that goes on for as long as the service, in a thread of its own."""
    executor = ThreadPoolExecutor(1, thread_name_prefix=name)
    try:
        return await asyncio.wrap_future(executor.submit(work))
    finally:
        executor.shutdown(wait=False)


def check_pools() -> None:
    """For the health check of a replica, which calls it every few seconds. Raises PoolStuck."""
    for pool in _ALL:
        pool.check()
