"""Reads a document a few pages at a time, so that it gives way to others between its pages."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from serve_app.domain.pace import Stage
from serve_app.domain.packed import PackedPages, PagesRead
from serve_app.domain.record import InvoiceRecord
from serve_app.domain.usage import NOTHING_SPENT
from serve_app.services.capacity.costs import StageCosts
from serve_app.services.ports import DocumentReader
from serve_app.services.processing.fair_semaphore import FairSemaphore
from serve_app.services.processing.kept_pages import KeptPages
from serve_app.services.processing.long_runs import LongRuns
from serve_app.services.processing.retry import with_retries
from serve_app.telemetry import tally

# Each page that has been read moves the document's next pages back by this many seconds in every line.
DELAY_PER_PAGE = 2.0
LONGEST_DELAY = 120.0


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """`max_words` and `max_seconds` (of a reader's time) are those of one document; `retry_seconds` is how long each
    call is tried again while readers are out of reach."""

    max_words: int
    max_seconds: float
    retry_seconds: float


class PagedReading:
    """Reads documents with all available readers.

    The first call opens a document and reads as much as fits into a slice of time: most documents are finished by it.
    The other pages of a long one wait in a line for the places that all long documents of this process share; accounts
    take turns, and within an account the earlier pages of any document come first.
    """

    def __init__(
        self,
        reader: DocumentReader,
        limits: ReadingLimits,
        places: int,
        long_runs: LongRuns,
        costs: StageCosts | None = None,
    ) -> None:
        self._reader = reader
        self._limits = limits
        self._semaphore = FairSemaphore(places)
        self._long_runs = long_runs
        self._costs = costs or StageCosts()

    async def read(self, claim: InvoiceRecord, kept: KeptPages) -> PagesRead:
        """All pages of the claimed document, in order. `kept` has those of an earlier run, and gets those of this one.

        Raises DocumentError if it cannot be read, TransientError if the readers stay out of reach."""
        first = await kept.load() or await self._call(claim, None)
        found = _Found(first, self._limits)
        if missing := found.missing():
            self._long_runs.add(claim)
            kept.add(first)
            await self._read_rest(claim, missing, len(first.numbers), found, kept)
        self._costs.note(Stage.READ, claim.load, found.seconds)
        return found.whole()

    async def _read_rest(
        self, claim: InvoiceRecord, missing: Sequence[int], size: int, found: "_Found", kept: KeptPages
    ) -> None:
        """Read the missing pages, as many in a call as the first call managed."""

        async def read(numbers: tuple[int, ...]) -> None:
            while numbers:
                delay = min(DELAY_PER_PAGE * numbers[0], LONGEST_DELAY)
                async with self._semaphore.turn(DELAY_PER_PAGE * numbers[0], claim.account_id):
                    pages = await self._call(claim, numbers, delay)
                found.add(pages)
                kept.add(pages)
                numbers = tuple(number for number in numbers if number not in pages.numbers)

        try:
            async with asyncio.TaskGroup() as group:
                for numbers in _runs(missing, size):
                    group.create_task(read(numbers))
        except BaseExceptionGroup as errors:
            # One cause is enough to end the run; callers recognise it by its own type.
            raise errors.exceptions[0] from None

    async def _call(self, claim: InvoiceRecord, numbers: tuple[int, ...] | None, delay: float = 0.0) -> PagesRead:
        batch = claim.invoice.batch
        part = None if batch is None else (batch.first_page, batch.last_page)
        read = partial(self._reader.read, claim.file_key, part, numbers, delay)
        began = time.perf_counter()
        pages = await with_retries(read, self._limits.retry_seconds, "reader")
        tally.add("fetch", pages.fetch_seconds)
        tally.add("read", pages.seconds - pages.ocr_seconds)
        tally.add("ocr", pages.ocr_seconds)
        tally.add("wait", time.perf_counter() - began - pages.fetch_seconds - pages.seconds)
        return pages


def _runs(numbers: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """The numbers in runs without gaps of up to `size`: packets that do not overlap can be put in order."""
    run: list[int] = []
    for number in numbers:
        if run and (len(run) == size or number != run[-1] + 1):
            yield tuple(run)
            run = []
        run.append(number)
    if run:
        yield tuple(run)


class _Found:
    """The pages of a document so far, within its limits."""

    def __init__(self, first: PagesRead, limits: ReadingLimits) -> None:
        self._limits = limits
        self._count = first.count
        self._packets: list[PackedPages] = []
        self._seconds = 0.0
        self._spent = NOTHING_SPENT
        self.add(first)

    def add(self, pages: PagesRead) -> None:
        """Raises DocumentError if the document has too many words or takes too long."""
        self._packets += pages.packets
        self._seconds += pages.seconds
        self._spent += pages.spent
        if sum(packet.words for packet in self._packets) > self._limits.max_words:
            message = f"The document has more than {self._limits.max_words} words."
            raise DocumentError(FailureCode.DOCUMENT_TOO_LARGE, message)
        if self._seconds > self._limits.max_seconds and self.missing():
            raise DocumentError(FailureCode.DOCUMENT_UNREADABLE, "Reading the document took too long.")

    @property
    def seconds(self) -> float:
        """How long readers took."""
        return self._seconds

    def missing(self) -> list[int]:
        """The pages that have not been read yet."""
        read = {number for packet in self._packets for number in packet.numbers}
        return [number for number in range(1, self._count + 1) if number not in read]

    def whole(self) -> PagesRead:
        """What was read, by page number, and what it took."""
        packets = tuple(sorted(self._packets, key=lambda packet: packet.numbers))
        return PagesRead(self._count, packets, self._seconds, spent=self._spent)
