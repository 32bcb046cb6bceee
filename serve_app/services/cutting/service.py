"""What a person decides about the pages of a file."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.clock import Clock, month_start, utc_now
from serve_app.domain.cutting import CutPlan, Part, pages_of, plan_of
from serve_app.domain.errors import (
    CutChanged,
    DocumentError,
    DocumentGone,
    InvalidParameter,
    InvoiceExported,
    InvoiceNotFound,
    QuotaReached,
)
from serve_app.domain.invoice import FailureCode, Invoice
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.record import InvoiceRecord, cuts_folder_of
from serve_app.services.accounts.monthly_limits import MonthlyLimits
from serve_app.services.cutting.plan_execution import PlanExecution, plan_key_of, record_for
from serve_app.services.invoices.service import InvoiceService
from serve_app.services.ports import PageBinder
from serve_app.services.review.evidence import evidence_of
from serve_app.services.tasks.background import Background
from serve_app.services.tasks.wake import Wake
from serve_app.store.base import Files, Store

_PDF = "application/pdf"
_MOST = 100
"""Invoices of one file that can be cut anew."""

_COUNTS = 1000
"""Files whose number of pages is remembered."""

log = logging.getLogger(__name__)

Seen = Mapping[UUID, tuple[int, int]]
"""The invoices of a file with their first and last pages, as somebody saw them."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file with its invoices, in the order of their pages. `chances` are how likely it is that an invoice begins on a
    page of the file, in percent, for those of which that is known."""

    records: Sequence[InvoiceRecord]
    pages: int
    chances: Mapping[int, int] = field(default_factory=dict)

    @property
    def seen(self) -> dict[UUID, tuple[int, int]]:
        return {record.invoice.id: pages_of(record.invoice) for record in self.records}


class CuttingService:
    """Cuts files into other invoices, and opens those that are protected with a password.

    Every method raises InvoiceNotFound for an invoice that is unknown or another account's, DocumentGone if its file
    was removed before its values.
    """

    def __init__(
        self,
        store: Store,
        files: Files,
        limits: MonthlyLimits,
        binder: PageBinder,
        invoices: InvoiceService,
        wake: Wake,
        clock: Clock = utc_now,
    ) -> None:
        self._store = store
        self._files = files
        self._limits = limits
        self._binder = binder
        self._invoices = invoices
        self._wake = wake
        self._clock = clock
        self._execution = PlanExecution(store, files, clock)
        self._background = Background()
        self._counts: dict[str, int] = {}

    async def open(self, account_id: UUID, invoice_id: UUID) -> OpenFile:
        """The file that an invoice came in. Raises InvalidParameter if it is no PDF, which is all that can be cut."""
        record = await self._record(account_id, invoice_id)
        if record.invoice.file.mime_type != _PDF:
            raise InvalidParameter("Only PDF files can be cut.")
        records = [record]
        if record.invoice.batch is not None:
            query = InvoiceQuery(batch=record.invoice.batch.id)
            found = await self._store.invoices.page(account_id, query, _MOST)
            if found.has_more:
                raise InvalidParameter(f"A file with more than {_MOST} invoices cannot be cut.")
            records = [await self._record(account_id, invoice.id) for invoice in found.items]
        records.sort(key=lambda each: pages_of(each.invoice))
        return OpenFile(records, await self._count(record))

    async def look(self, account_id: UUID, invoice_id: UUID) -> OpenFile:
        """The same, with the chances. Raises as `open` does."""
        file = await self.open(account_id, invoice_id)
        chances: dict[int, int] = {}
        for record in file.records:
            first, _ = pages_of(record.invoice)
            evidence = await evidence_of(self._files, record)
            chances |= {first + page.page - 1: page.begins for page in evidence.pages if page.begins is not None}
        return replace(file, chances=chances)

    async def price(self, account_id: UUID, invoice_id: UUID, parts: Sequence[Part]) -> CutPlan:
        """What cutting the file into these parts would do; nothing is changed. Raises InvalidParameter."""
        file = await self.open(account_id, invoice_id)
        return plan_of(file.records, file.pages, parts, self._clock())

    async def cut(self, account: Account, invoice_id: UUID, parts: Sequence[Part], seen: Seen) -> CutPlan:
        """Cut the file into these parts: invoices whose pages change are removed, with what people said about them, and
        new ones are read. What was done.

        Raises InvalidParameter, CutChanged if the invoices are others than were `seen`, InvoiceExported,
        MonthlyLimitReached.
        """
        file = await self.open(account.id, invoice_id)
        if file.seen != seen or not all(record.invoice.is_finished for record in file.records):
            raise CutChanged
        if any(record.invoice.export_id is not None for record in file.records):
            raise InvoiceExported
        plan = plan_of(file.records, file.pages, parts, self._clock())
        if not plan.is_empty:
            await self._check_quota(account, plan)
            # A browser that goes away must not leave a plan for housekeeping.
            await self._background.finish(self._cut(file, plan))
            self._wake.request()
        return plan

    async def _cut(self, file: OpenFile, plan: CutPlan) -> None:
        if plan.sheets:
            await self._write_new_file(file, plan)
        await self._files.write(plan_key_of(plan), plan.model_dump_json().encode())
        # Of two people who cut the same file at the same moment, each sees at least the plan of the other.
        if min(await self._files.keys_in(cuts_folder_of(plan.old_file_key))) != plan_key_of(plan):
            await self._files.delete(plan_key_of(plan))
            raise CutChanged
        await self._execution.run(plan)

    async def _write_new_file(self, file: OpenFile, plan: CutPlan) -> None:
        """Reserved first, so that a crash leaves no file without an invoice."""
        first = record_for(plan, plan.pieces[0], file.records[0].invoice)
        sheets = [(sheet.page, sheet.turn) for sheet in plan.sheets]
        bound = await self._bind(await self._files.read(plan.old_file_key), sheets)
        await self._store.intake.reserve(first, month_start(plan.made_at), None)
        await self._files.write(plan.file_key, bound)

    async def _bind(self, data: bytes, sheets: Sequence[tuple[int, int]]) -> bytes:
        try:
            return await self._binder.bind(data, sheets)
        except DocumentError as error:
            raise InvalidParameter(error.message) from None

    async def _check_quota(self, account: Account, plan: CutPlan) -> None:
        if plan.cost <= 0:
            return
        limit = await self._limits.documents(account)
        if (
            limit is not None
            and await self._store.quotas.used(account.id, month_start(self._clock())) + plan.cost > limit
        ):
            raise QuotaReached(limit)

    async def unlock(self, account: Account, invoice_id: UUID, password: str, change_id: UUID | None = None) -> Invoice:
        """Read a document that failed because of its password; from now on it is kept without one. The password is used
        here, and nowhere kept. The queued invoice. Raises InvalidParameter if it is wrong,
        MonthlyLimitReached."""
        record = await self._record(account.id, invoice_id)
        failure = record.invoice.failure
        if failure is None or failure.code is not FailureCode.DOCUMENT_ENCRYPTED:
            raise InvalidParameter("This document needs no password.")
        try:
            opened = await self._binder.bind(await self._files.read(record.file_key), None, password)
        except DocumentError as error:
            wrong = error.code is FailureCode.DOCUMENT_ENCRYPTED
            raise InvalidParameter("The password is wrong." if wrong else error.message) from None
        await self._files.write(record.file_key, opened)
        return await self._invoices.read_again(account, invoice_id, force=False, change_id=change_id)

    async def _record(self, account_id: UUID, invoice_id: UUID) -> InvoiceRecord:
        record = await self._store.invoices.find_record(account_id, invoice_id)
        if record is None:
            raise InvoiceNotFound
        if record.document_gone_at is not None:
            raise DocumentGone
        return record

    async def _count(self, record: InvoiceRecord) -> int:
        """The pages of a file; that of a key stays the same, and people ask with every step."""
        if record.file_key not in self._counts:
            if len(self._counts) >= _COUNTS:
                self._counts.clear()
            self._counts[record.file_key] = await self._counted(record)
        return self._counts[record.file_key]

    async def _counted(self, record: InvoiceRecord) -> int:
        try:
            return await self._binder.count(await self._files.read(record.file_key))
        except FileNotFoundError:
            raise InvoiceNotFound from None
        except DocumentError as error:
            raise InvalidParameter(error.message) from None
