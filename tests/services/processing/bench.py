"""A run of a document with stand-ins around it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from serve_app.domain.account import Account
from serve_app.domain.batch import Interpreted, Section, sibling_id
from serve_app.domain.event import EventType
from serve_app.domain.invoice import Extraction, Invoice
from serve_app.domain.packed import ReadDocument
from serve_app.domain.record import PAGES, InvoiceRecord
from serve_app.services.models.choice import PairChoice
from serve_app.services.processing.confidence_policy import ConfidencePolicy
from serve_app.services.processing.interpreting import Interpreting
from serve_app.services.processing.long_runs import LongRuns
from serve_app.services.processing.memory import VendorMemory
from serve_app.services.processing.process import ProcessInvoice
from serve_app.services.processing.reading import PagedReading, ReadingLimits
from serve_app.services.suppliers.guard import SupplierGuard
from serve_app.settings import Settings
from serve_app.store.base import Files, Store
from tests.support import (
    LEASE,
    Clock,
    FakeModel,
    FakeReader,
    FakeReconciler,
    make_record,
    newest_events,
    queue_invoice,
)

FOUND = Extraction(vendor_name="ACME", pages=1)


def failing(*errors: Exception) -> Callable[[], Awaitable[None]]:
    """Raises the errors one after the other, then nothing more."""
    left = list(errors)

    async def before() -> None:
        if left:
            raise left.pop(0)

    return before


class Watching:
    """A RunWatch that writes down what it is told."""

    def __init__(self) -> None:
        self.notified: list[str] = []

    def begins(self) -> None:
        self.notified.append("begins")

    def ended(self) -> None:
        self.notified.append("ended")

    def answered(self, claim: InvoiceRecord, document: ReadDocument, chosen: str, interpreted: Interpreted) -> None:
        section, *_ = interpreted.sections
        self.notified.append(f"{chosen} answered {section.extraction.vendor_name}")

    def failed(self, claim: InvoiceRecord, chosen: str) -> None:
        self.notified.append(f"{chosen} failed")


class Bench:
    """A run with stand-ins around it."""

    def __init__(self, store: Store, files: Files, account: Account, settings: Settings, clock: Clock) -> None:
        self.store, self.files, self.account, self.settings = store, files, account, settings
        self.clock = clock
        self.audit_share = 0.0
        self.watch = Watching()
        self.reader, self.extractor, self.verifier = FakeReader(), FakeModel("layout@1"), FakeModel("second@2")
        self.reconciler = FakeReconciler(lambda document, extractor, verifier: [Section(1, 1, FOUND)])
        self.further: dict[str, tuple[FakeModel, FakeModel]] = {}
        self.pairs: PairChoice | None = None

    def process(self, **settings: float) -> ProcessInvoice:
        chosen = self.settings.model_copy(update=settings)
        models = (self.extractor, self.verifier)
        limits = ReadingLimits(400_000, 900, chosen.retry_seconds)
        long_runs = LongRuns(64)
        reading = PagedReading(self.reader, limits, 16, long_runs)
        return ProcessInvoice(
            self.store.queue,
            self.store.invoices,
            VendorMemory(self.store.memory, self.store.vendors),
            ConfidencePolicy(self.store.accounts, self.store.thresholds, self.audit_share, chosen.target_precision),
            SupplierGuard(self.store, self.clock),
            self.files,
            reading,
            long_runs,
            Interpreting(*models, self.reconciler, chosen.retry_seconds, self.further),
            chosen,
            self.clock,
            pairs=self.pairs,
            watch=self.watch,
        )

    async def submit(self, mime_type: str = "application/pdf") -> None:
        record = make_record(self.account.id, self.clock.now)
        file = record.invoice.file.model_copy(update={"mime_type": mime_type})
        await queue_invoice(self.store, replace(record, invoice=record.invoice.model_copy(update={"file": file})))

    async def claim(self) -> InvoiceRecord | None:
        return await self.store.queue.claim_due_invoice(LEASE)

    async def run(self, **settings: float) -> InvoiceRecord:
        claim = await self.claim()
        assert claim is not None
        await self.process(**settings).run(claim)
        return claim

    async def invoice(self, claim: InvoiceRecord) -> Invoice:
        invoice = await self.store.invoices.get(self.account.id, claim.invoice.id)
        assert invoice is not None
        return invoice

    async def parts(self, claim: InvoiceRecord, count: int) -> list[Invoice]:
        ids = [sibling_id(claim.invoice.id, index) for index in range(1, count + 1)]
        found = [await self.store.invoices.get(self.account.id, invoice_id) for invoice_id in ids]
        return [invoice for invoice in found if invoice is not None]

    async def has_ended(self, claim: InvoiceRecord) -> bool:
        return (await self.invoice(claim)).is_finished

    async def kept(self) -> list[str]:
        return await self.files.keys_in(PAGES)

    async def events(self) -> list[EventType]:
        return [event.type for event in await newest_events(self.store, self.account.id)]
