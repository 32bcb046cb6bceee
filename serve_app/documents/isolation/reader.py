"""Read in a child process from an event loop; synchronous callers use the `Supervisor` directly."""

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import TypeVar

from serve_app.documents.isolation.messages import LossCause
from serve_app.documents.isolation.supervisor import WORKER, Pages, ReaderUnavailable, Sheets, Supervisor
from serve_app.documents.mail.opened import OpenedMail, OpenedPart, OpenRules
from serve_app.documents.options import ReadOptions
from serve_app.documents.slices import Slice, SliceRead
from serve_app.domain.document import Document, Page
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.einvoice_order import EInvoiceMade, EInvoiceOrder
from serve_app.domain.einvoice_validation import Validation

T = TypeVar("T")


class IsolatedReader:
    """Reads one document at a time in an expendable process; further calls queue.

    Cancelling a call stops the work on its document. `worker` names the module to run.
    """

    def __init__(self, options: ReadOptions | None = None, worker: str = WORKER) -> None:
        self._supervisor = Supervisor(options, worker)
        self._numbers = count(1)
        # One thread that lives as long as the reader: the process dies with the thread that started it.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reader")

    @property
    def losses(self) -> Counter[LossCause]:
        """Processes lost so far, by cause."""
        return self._supervisor.losses

    @property
    def pid(self) -> int | None:
        """The process in use, or None."""
        return self._supervisor.pid

    async def start(self) -> None:
        """Have a process ready. Raise ValueError if the options ask for something this machine does not have, and
        ReaderUnavailable if the process does not start."""
        await asyncio.wrap_future(self._submit(self._supervisor.start))

    async def read(self, data: bytes, pages: Pages | None = None) -> Document:
        """The words of a document, or of some pages of a PDF (first and last, 1-based, both included).

        Raise DocumentError, or ReaderUnavailable if there is no process to read with.
        """
        return await self._run(partial(self._supervisor.read, data, pages))

    async def read_slice(self, data: bytes, part: Slice, pages: Pages | None = None) -> SliceRead:
        """A slice of a document, or of some pages of a PDF. Raises as `read` does."""
        return await self._run(partial(self._supervisor.read_slice, data, part, pages))

    async def cut(self, data: bytes, first: int, last: int) -> bytes:
        """The pages `first` to `last` of a PDF as a PDF of their own. Raises as `read` does."""
        return await self._run(partial(self._supervisor.cut, data, (first, last)))

    async def bind(self, data: bytes, sheets: Sheets | None = None, password: str | None = None) -> bytes:
        """Pages of a PDF in this order, each with its turn, as a PDF; None for all. Raises as `read` does."""
        return await self._run(partial(self._supervisor.bind, data, sheets, password))

    async def count(self, data: bytes) -> int:
        """How many pages a PDF has. Raises as `read` does."""
        return await self._run(partial(self._supervisor.count, data))

    async def draw(self, data: bytes, page: Page, pages: Pages | None = None) -> bytes:
        """A page that was read before, as a picture (PNG). Raises as `read` does."""
        return await self._run(partial(self._supervisor.draw, data, page, pages))

    async def show(self, data: bytes, page: int) -> bytes:
        """A page (1-based) as people see it, as a picture (JPEG). Raises as `read` does."""
        return await self._run(partial(self._supervisor.show, data, page))

    async def find_xml(self, data: bytes) -> bytes:
        """The electronic invoice in a PDF; empty if there is none. Raises as `read` does."""
        return await self._run(partial(self._supervisor.find_xml, data))

    async def open_mail(self, raw: bytes, rules: OpenRules) -> OpenedMail:
        """The parts of a mail. Raises as `read` does."""
        return await self._run(partial(self._supervisor.open_mail, raw, rules))

    async def open_file(self, data: bytes, name: str | None, rules: OpenRules) -> tuple[OpenedPart, ...]:
        """The documents in a file that was uploaded. Raises as `read` does."""
        return await self._run(partial(self._supervisor.open_file, data, name, rules))

    async def check_einvoice(self, data: bytes) -> Validation | None:
        """What the published rules say of the electronic invoice in a file; None if it has none. Raises as `read`
        does."""
        return await self._run(partial(self._supervisor.check_einvoice, data))

    async def write_einvoice(self, data: bytes, record: EInvoice | None, order: EInvoiceOrder) -> EInvoiceMade:
        """The record, or without one the electronic invoice in the file, as the order says. Raises as `read` does."""
        return await self._run(partial(self._supervisor.write_einvoice, data, record, order))

    async def _run(self, work: Callable[..., T]) -> T:
        number = next(self._numbers)
        job = self._submit(work, number=number)
        # If a new process is due, start it now rather than when the next document comes.
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
            # The next document tries again and reports the error.
            return

    def close(self) -> None:
        """Kill the process, whatever it is doing, and remove what it wrote; calls in progress raise
        ReaderUnavailable."""
        self._supervisor.stop()
        self._thread.shutdown()
        self._supervisor.close()
