"""Reads files into pages of words."""

import time
from collections.abc import Awaitable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ray import serve

from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.documents.isolation.supervisor import ReaderUnavailable
from serve_app.documents.isolation.validator import IsolatedValidator
from serve_app.documents.packing import pack
from serve_app.documents.slices import Slice
from serve_app.domain.document import Origin, Page
from serve_app.domain.errors import DocumentError, ServiceError
from serve_app.domain.packed import PagesRead
from serve_app.domain.record import account_of
from serve_app.domain.usage import ComputeTime
from serve_app.services.ports import Pages, TransientError
from serve_app.services.processing.fair_semaphore import FairSemaphore
from serve_app.settings import Settings
from serve_app.store.factory import open_files
from serve_app.system.thread_pools import COMPUTING, WAITING, check_pools
from serve_app.telemetry.meter import observe, timed
from serve_app.telemetry.pages import note_read
from serve_app.telemetry.series import READER_WAIT_SECONDS, STAGE_SECONDS
from serve_app.telemetry.tracer import continued, span
from serve_app.wiring.telemetry import start_telemetry

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lane:
    """A child process, which is started when it is first needed, and the calls that wait for it."""

    reader: IsolatedReader
    semaphore: FairSemaphore = field(default_factory=FairSemaphore)


@serve.deployment(max_ongoing_requests=64)
class Reader:
    """Reads a few pages at a time, in child processes whose loss it survives. Add replicas for more throughput.

    The later pages of long documents have a process of their own, so a new document does not wait for a page of OCR.
    While they do not need it, it reads new documents, too, and the replica uses two cores.
    A replica admits many more calls than it can read at once, and decides itself whose turn it is: with Serve's queue,
    a small document would wait behind all pages of a large one.
    """

    def __init__(self, settings: Settings, *, preloads_ocr: bool = True) -> None:
        """`preloads_ocr`: have the OCR engine ready before the first picture."""
        start_telemetry(settings, "Reader")
        self._files = open_files(settings)
        options = replace(settings.read_options(), preloads_ocr=preloads_ocr)
        self._new, self._later = (Lane(IsolatedReader(options)) for _ in range(2))
        self._validator, self._checks = IsolatedValidator(options), FairSemaphore()
        self._slice_seconds = settings.reader_slice_seconds
        self._started = False
        self._out_of_order = False

    async def read(
        self,
        file_key: str,
        part: Pages | None = None,
        numbers: tuple[int, ...] | None = None,
        delay: float = 0.0,
        trace: str | None = None,
    ) -> PagesRead | DocumentError:
        """As `DocumentReader` in `serve_app.services.ports`, except that a DocumentError is returned: Serve would log
        a raised error with its traceback, and this one is expected.

        Raises TransientError if no process can be started to read it.
        """
        with continued(trace):
            return await self._read(file_key, part, numbers, delay)

    async def _read(
        self, file_key: str, part: Pages | None, numbers: tuple[int, ...] | None, delay: float
    ) -> PagesRead | DocumentError:
        # A new document is fetched before its turn; later pages of large ones only when it comes, or they would fill
        # the memory.
        fetched = await self._fetched(file_key) if numbers is None else None
        lane = self._lane_of_new() if numbers is None else self._later
        came = time.monotonic()
        try:
            async with lane.semaphore.turn(delay, account_of(file_key)):
                observe(READER_WAIT_SECONDS, time.monotonic() - came, lane="new" if numbers is None else "later")
                data, fetch_seconds = await self._fetched(file_key) if fetched is None else fetched
                started = time.monotonic()
                work = lane.reader.read_slice(data, Slice(numbers, self._slice_seconds), part)
                with span("read"):
                    read = await self._with_health(work)
                seconds = time.monotonic() - started
        except DocumentError as error:
            return error
        note_read(read, data, seconds)
        document = replace(read.document, origin=Origin(file_key, part))
        if document.einvoice is not None:
            async with self._checks.turn(owner=account_of(file_key)):
                document = replace(document, validation=await self._validator.check(data))
        # In a thread, so that the next document begins meanwhile.
        packets = await COMPUTING.run(pack, document)
        spent = ComputeTime(read.cpu_seconds)
        return PagesRead(read.count, packets, seconds, read.ocr_seconds, fetch_seconds, spent)

    def _lane_of_new(self) -> Lane:
        """A new document does not wait while the process for later pages has nothing to do."""
        return self._later if self._later.semaphore.is_free and not self._new.semaphore.is_free else self._new

    async def draw(self, origin: Origin, page: Page) -> bytes | DocumentError:
        """A picture (PNG) of a page that was read before, or the DocumentError. Raises as `read` does."""
        data = await self._bytes(origin.file_key)
        try:
            async with self._new.semaphore.turn(owner=account_of(origin.file_key)):
                return await self._with_health(self._new.reader.draw(data, page, origin.pages))
        except DocumentError as error:
            return error

    async def _fetched(self, file_key: str) -> tuple[bytes, float]:
        """The bytes, and how many seconds it took to get them."""
        began = time.monotonic()
        with span("fetch"), timed(STAGE_SECONDS, stage="fetch"):
            data = await self._bytes(file_key)
        return data, time.monotonic() - began

    async def _bytes(self, file_key: str) -> bytes:
        try:
            return await self._files.read(file_key)
        except ServiceError as error:
            # The files store has failed, not the document.
            raise TransientError(f"the files are out of reach: {type(error).__name__}") from None

    async def _with_health(self, work: Awaitable[T]) -> T:
        try:
            done = await work
        except ReaderUnavailable as error:
            self._out_of_order = True
            raise TransientError(f"the reader cannot start: {error}") from None
        self._out_of_order = False
        return done

    async def check_health(self) -> None:
        """Called by Serve, the first time before any document. If it raises, Serve replaces the replica."""
        check_pools()
        if not self._started:
            await self._new.reader.start()
            self._started = True
        if self._out_of_order:
            raise RuntimeError("no reader process can be started")

    async def __del__(self) -> None:
        """Called and awaited by Serve when the replica stops."""
        for lane in (self._new, self._later):
            await WAITING.run(lane.reader.close)
        await WAITING.run(self._validator.close)
        await self._files.close()
