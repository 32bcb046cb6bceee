"""Stand-ins and makers that several packages of tests share."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np

from serve_app.documents.einvoice.write import write_einvoice
from serve_app.documents.packing import pack, unpack
from serve_app.domain.batch import Reconciled, Section
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.einvoice_order import EInvoiceMade, EInvoiceOrder
from serve_app.domain.errors import DocumentError, PartNotFound
from serve_app.domain.event import Event
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, FailureCode, FileInfo, Invoice, Source
from serve_app.domain.packed import LabelledPages, PackedPages, PagesRead
from serve_app.domain.query import EventQuery
from serve_app.domain.reading import PageReading, Reading
from serve_app.domain.record import InvoiceRecord, new_record
from serve_app.domain.target_precision import TargetPrecision
from serve_app.domain.usage import NOTHING_SPENT, ComputeTime
from serve_app.reconciling.reconcile import unpacked
from serve_app.services.ports import Pages
from serve_app.services.processing.interpreting import Interpreting
from serve_app.store.base import Store

PDF_BYTES = b"%PDF-1.7\n1 0 obj\n"
MONTH = datetime(2026, 5, 1, tzinfo=UTC)
NOON = datetime(2026, 5, 17, 12, 0, 7, 123456, tzinfo=UTC)
# Well formed, but unknown.
UNKNOWN_ID = "019e2f3a-5b1c-7d4e-8f60-718293a4b5c6"
LEASE = timedelta(seconds=30)
DOCUMENT = Document((Page(1, 595.0, 842.0, (Word("Total", Box(0.1, 0.1, 0.2, 0.2)),)),))


@dataclass
class Clock:
    """A clock that tests move."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def make_invoice(created_at: datetime = NOON) -> Invoice:
    file = FileInfo(name="a.pdf", mime_type="application/pdf", size_bytes=17)
    return Invoice(id=new_id(), source=Source.API, created_at=created_at, updated_at=created_at, file=file)


def make_record(account_id: UUID, created_at: datetime = NOON) -> InvoiceRecord:
    return new_record(make_invoice(created_at), account_id)


async def queue_invoice(store: Store, record: InvoiceRecord, limit: int | None = None, month: datetime = MONTH) -> None:
    """What submitting does, apart from the file."""
    await store.intake.reserve(record, month, limit)
    await store.intake.add(record)


async def queue_new(store: Store, account_id: UUID, created_at: datetime = NOON) -> InvoiceRecord:
    """The same with a new record."""
    record = make_record(account_id, created_at)
    await queue_invoice(store, record)
    return record


async def claim_next(store: Store, lease: timedelta = LEASE) -> InvoiceRecord:
    """A claim where there must be one."""
    claim = await store.queue.claim_due_invoice(lease)
    assert claim is not None
    return claim


async def newest_events(store: Store, account_id: UUID) -> list[Event]:
    """The account's log, once all that is pending was spread; newest first."""
    while (await store.outbox.spread_pending(100)).invoices:
        pass
    page = await store.events.page(account_id, EventQuery(), 10_000)
    return [event for logged in page.items if isinstance(event := logged.parsed(), Event)]


def reading_of(document: Document, revision: str) -> Reading:
    pages = (PageReading(np.ones((len(page.words), 1), np.float32)) for page in document.pages)
    return Reading(revision, ("O",), tuple(pages))


def nothing_found(document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
    return [Section(1, len(document.pages), Extraction())]


Extract = Callable[[Document, Reading, Reading], list[Section]]


@dataclass
class FakeReconciler:
    """Makes of a document what `extract` does; `before` runs first and may raise or wait."""

    extract: Extract = nothing_found
    before: Callable[[], Awaitable[None]] | None = None
    calls: int = 0
    target: TargetPrecision | None = None
    """That of the last document."""
    cpu_seconds: float = 0.0

    async def reconcile(self, labelled: LabelledPages) -> Reconciled:
        self.calls += 1
        self.target = labelled.target
        if self.before is not None:
            await self.before()
        return Reconciled(self.extract(*unpacked(labelled)), cpu_seconds=self.cpu_seconds)


@dataclass
class FakeReader:
    """Reads every file as `document`, `slice_pages` in a call; `before` runs first and may raise or wait."""

    document: Document = DOCUMENT
    slice_pages: int = 1000
    before: Callable[[], Awaitable[None]] | None = None
    keys: list[str] = field(default_factory=list)
    pages: list[Pages | None] = field(default_factory=list)
    numbers_read: list[int] = field(default_factory=list)
    spent: ComputeTime = NOTHING_SPENT

    async def read(
        self,
        file_key: str,
        part: Pages | None = None,
        numbers: tuple[int, ...] | None = None,
        delay: float = 0.0,
    ) -> PagesRead:
        self.keys.append(file_key)
        self.pages.append(part)
        if self.before is not None:
            await self.before()
        wanted = [page for page in self.document.pages if numbers is None or page.number in numbers]
        some = replace(self.document, pages=tuple(wanted[: self.slice_pages]))
        self.numbers_read += [page.number for page in some.pages]
        return PagesRead(len(self.document.pages), pack(some), spent=self.spent)


class FakeCutter:
    """Answers with the pages asked for, as text; a file that is damaged can be neither cut nor drawn."""

    async def cut(self, data: bytes, first: int, last: int) -> bytes:
        if b"damaged" in data:
            raise PartNotFound
        return f"pages {first} to {last}".encode()

    async def bind(
        self, data: bytes, sheets: Sequence[tuple[int, int]] | None = None, password: str | None = None
    ) -> bytes:
        if b"locked" in data and password != "secret":
            raise DocumentError(FailureCode.DOCUMENT_ENCRYPTED, "The PDF is protected with a password.")
        return f"%PDF-1.7 {sheets or 'all pages'}".encode()

    async def count(self, data: bytes) -> int:
        return 3

    async def find_xml(self, data: bytes) -> bytes:
        return b"" if b"damaged" in data else b"<Invoice/>"

    async def show(self, data: bytes, page: int) -> bytes:
        if b"damaged" in data:
            raise PartNotFound
        return b"\xff\xd8" + f"page {page} of {len(data)} bytes".encode()


class DirectEInvoiceWriter:
    """Writes electronic invoices in this process."""

    async def write(self, data: bytes, record: EInvoice | None, order: EInvoiceOrder) -> EInvoiceMade:
        return write_einvoice(data, record, order)

    def close(self) -> None:
        """It holds nothing."""


@dataclass
class FakeModel:
    """Reads every document without finding anything."""

    revision: str = "model@1"
    before: Callable[[], Awaitable[None]] | None = None
    calls: int = 0
    spent: ComputeTime = NOTHING_SPENT

    async def read(self, pages: Sequence[PackedPages]) -> Reading:
        self.calls += 1
        if self.before is not None:
            await self.before()
        return replace(reading_of(unpack(pages), self.revision), spent=self.spent)


def interpreting(reconciler: FakeReconciler | None = None) -> Interpreting:
    """What a dispatcher asks, with models that find nothing."""
    return Interpreting(FakeModel(), FakeModel(), reconciler or FakeReconciler(), retry_seconds=60)


@dataclass
class FakeModels:
    """Whether the models answer."""

    are_ready: bool = True

    async def __call__(self) -> None:
        if not self.are_ready:
            raise ConnectionError("no replica")


@dataclass
class FakeNotifier:
    """Counts wake-ups, and passes them on."""

    then: Callable[[], None] | None = None
    calls: int = 0

    async def wake(self) -> None:
        self.calls += 1
        if self.then is not None:
            self.then()
