"""Reading in a child process, for callers on an event loop; plain ones use the `Supervisor` itself."""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import TypeVar

from serve_app.documents.isolation.messages import Trouble
from serve_app.documents.isolation.supervisor import WORKER, Pages, ReaderUnavailable, Supervisor
from serve_app.documents.options import ReadOptions
from serve_app.documents.slices import Slice, SliceRead
from serve_app.domain.document import Document, Page

T = TypeVar("T")


class IsolatedReader:
    """Reads one document at a time in a process that can be lost; further calls wait in line.

    A call that is cancelled stops the work on its document. `worker` names the module that is run.
    """

    def __init__(self, options: ReadOptions | None = None, worker: str = WORKER) -> None:
        self._supervisor = Supervisor(options, worker)
        self._numbers = count(1)
        # One thread that lives as long as the reader: the process dies with the thread that started it.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reader")

    @property
    def losses(self) -> Counter[Trouble]:
        """Processes lost so far, by cause."""
        return self._supervisor.losses

    @property
    def pid(self) -> int | None:
        """The process in use, None where there is none."""
        return self._supervisor.pid

    async def start(self) -> None:
        """Have a process ready. Raise ValueError where the options ask for what this machine does not have,
        ReaderUnavailable where the process does not start."""
        await asyncio.wrap_future(self._submit(self._supervisor.start))

    async def read(self, data: bytes, pages: Pages | None = None) -> Document:
        """The words of a document, or of some pages of a PDF (first and last, 1-based, both included).

        Raise DocumentError; ReaderUnavailable when there is no process to read with.
        """
        return await self._run(partial(self._supervisor.read, data, pages))

    async def read_slice(self, data: bytes, part: Slice, pages: Pages | None = None) -> SliceRead:
        """A slice of a document, or of some pages of a PDF. Raises as `read` does."""
        return await self._run(partial(self._supervisor.read_slice, data, part, pages))

    async def cut(self, data: bytes, first: int, last: int) -> bytes:
        """The pages `first` to `last` of a PDF as a PDF of their own. Raises as `read` does."""
        return await self._run(partial(self._supervisor.cut, data, (first, last)))

    async def draw(self, data: bytes, page: Page, pages: Pages | None = None) -> bytes:
        """A page that was read before, as a picture (PNG). Raises as `read` does."""
        return await self._run(partial(self._supervisor.draw, data, page, pages))

    async def _run(self, work: Callable[..., T]) -> T:
        number = next(self._numbers)
        job = self._submit(work, number=number)
        # A new process, where one is due, starts then and not when the next document comes.
        self._submit(self._tidy)
        try:
            return await asyncio.wrap_future(job)
        except asyncio.CancelledError:
            if not job.cancel() and not job.done():
                self._supervisor.abandon(number)
            raise

    def _submit(self, work: Callable[..., T], **arguments: int) -> "Future[T]":
        try:
            return self._thread.submit(work, **arguments)
        except RuntimeError:
            raise ReaderUnavailable("the reader is closed") from None

    def _tidy(self) -> None:
        try:
            self._supervisor.tidy()
        except (ReaderUnavailable, ValueError):
            # The next document tries again, and tells.
            return

    def close(self) -> None:
        """Kill the process, whatever it is doing, and remove what it wrote; calls under way raise ReaderUnavailable."""
        self._supervisor.stop()
        self._thread.shutdown()
        self._supervisor.close()
