"""Makes exports, and lets exported invoices be changed again."""

import hashlib
import logging
import zlib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from serve_app.domain.audit import Actor
from serve_app.domain.clock import Clock, utc_now
from serve_app.domain.errors import (
    ExportNotFound,
    InvalidParameter,
    InvoiceContended,
    InvoiceNotFound,
    NothingToExport,
)
from serve_app.domain.export import MAX_FILE_BYTES, MAX_INVOICES, Export, ExportDelivery, ExportFormat, NewExport
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.own_field import OwnField
from serve_app.domain.query import InvoiceQuery, ListPage, issued_between
from serve_app.services.exports.bill import Bill
from serve_app.services.exports.coders import NotReady, coder_of
from serve_app.services.exports.formats.base import Format
from serve_app.services.exports.formats.registry import FORMATS
from serve_app.services.exports.ready import bill_of
from serve_app.services.exports.settings import LedgerSettings, checked, stored
from serve_app.services.exports.text import Notes
from serve_app.services.people.audit import AuditTrail
from serve_app.store.base import Exports, Invoices, OwnFields
from serve_app.system.thread_pools import COMPUTING

_PAGE = 100
_MOST_LOOKED_AT = 20_000
_TOO_MANY = f"More than {_MOST_LOOKED_AT:,} invoices are in no export, and most are not ready. Choose a period."
_MOST_LISTED = 500
_TRIES = 3

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What to export. `settings` are those of the format. Without `ids`, all invoices that were not exported yet,
    issued from `since` to `until` (None: any day). `is_repeated`: also those of the `ids` that were exported before.
    `place`: where the file is delivered to; empty: nowhere."""

    format: ExportFormat
    settings: Mapping[str, Any] = field(default_factory=dict)
    since: date | None = None
    until: date | None = None
    ids: tuple[UUID, ...] = ()
    is_repeated: bool = False
    place: str = ""

    @property
    def query(self) -> InvoiceQuery:
        return replace(issued_between(self.since, self.until), status=Status.COMPLETE, is_exported=False)


@dataclass(frozen=True, slots=True)
class Refused:
    """An invoice that an export leaves out, and why, as the end of a sentence."""

    invoice: Invoice
    reason: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A file that was not stored yet; None if nothing is ready. `refused` are the newest of the invoices that are not
    ready; `has_more` is whether the next export will have more."""

    settings: LedgerSettings
    bills: Sequence[Bill] = ()
    seen: Mapping[UUID, Any] = field(default_factory=dict)
    refused: Sequence[Refused] = ()
    has_more: bool = False
    content: bytes | None = None
    notes: tuple[str, ...] = ()

    @property
    def totals(self) -> Mapping[str, Decimal]:
        """By currency; credit notes are subtracted."""
        sums: dict[str, Decimal] = {}
        for bill in self.bills:
            sums[bill.currency] = sums.get(bill.currency, Decimal(0)) + bill.total * (-1 if bill.is_credit else 1)
        return sums


class ExportService:
    """Writes files for other programs, each invoice into one of them."""

    def __init__(
        self, exports: Exports, invoices: Invoices, own_fields: OwnFields, audit: AuditTrail, clock: Clock = utc_now
    ) -> None:
        self._exports = exports
        self._invoices = invoices
        self._own_fields = own_fields
        self._audit = audit
        self._clock = clock

    async def preview(self, account_id: UUID, request: ExportRequest) -> Draft:
        """What an export would contain; nothing is changed. Raises InvalidParameter for wrong settings."""
        format = FORMATS[request.format]
        settings = checked(format.settings, request.settings)
        own = await self._own_fields.of_account(account_id)
        bills: list[tuple[Bill, Invoice]] = []
        refused: list[Refused] = []
        has_more = False
        async for invoice in self._candidates(account_id, request):
            if len(bills) == MAX_INVOICES:
                has_more = True
                break
            try:
                bills.append((_bill(format, invoice, settings, request, own), invoice))
            except NotReady as reason:
                refused.append(Refused(invoice, str(reason)))
        bills.sort(key=lambda pair: (pair[0].issued_at, pair[0].number))
        draft = Draft(
            settings,
            [bill for bill, _ in bills],
            {invoice.id: invoice.updated_at for _, invoice in bills},
            refused[:_MOST_LISTED],
            has_more,
        )
        return await COMPUTING.run(self._written, format, draft) if bills else draft

    async def create(self, account_id: UUID, request: ExportRequest, actor: Actor) -> tuple[Export, Draft]:
        """The new export, whose invoices are locked from now on. Raises InvalidParameter for wrong settings,
        NothingToExport if no invoice is ready, InvoiceContended if the invoices keep changing."""
        for _ in range(_TRIES):
            draft = await self.preview(account_id, request)
            if draft.content is None:
                raise NothingToExport([refused.reason for refused in draft.refused])
            export = self._export(account_id, request, draft, draft.content, actor)
            content = await COMPUTING.run(zlib.compress, draft.content)
            if len(content) > MAX_FILE_BYTES:
                raise InvalidParameter("The file would be too large. Choose a shorter period.")
            if await self._exports.add(NewExport(export, content, draft.seen, request.is_repeated)):
                await self._note(export, actor)
                return export, draft
        raise InvoiceContended

    async def get(self, account_id: UUID, export_id: UUID) -> Export:
        """Raises ExportNotFound."""
        export = await self._exports.get(account_id, export_id)
        if export is None:
            raise ExportNotFound
        return export

    async def content(self, account_id: UUID, export_id: UUID) -> tuple[Export, bytes]:
        """The export with its file. Raises ExportNotFound, also if the file went with a deleted invoice."""
        export, packed = await self.get(account_id, export_id), await self._exports.content(account_id, export_id)
        if packed is None:
            raise ExportNotFound
        return export, await COMPUTING.run(zlib.decompress, packed)

    async def list(self, account_id: UUID, limit: int, after: UUID | None = None) -> ListPage[Export]:
        """The newest first. Raises InvalidParameter if the account has no export `after`."""
        if after is not None and await self._exports.get(account_id, after) is None:
            raise InvalidParameter("starting_after: there is no export with this id.", "starting_after")
        return await self._exports.page(account_id, limit, after)

    async def last_settings(self, account_id: UUID, format: ExportFormat) -> Mapping[str, Any]:
        """Those of the newest export in the format, which the next one begins with; empty if there is none lately."""
        newest = await self._exports.page(account_id, _PAGE)
        return next((export.settings for export in newest.items if export.format is format), {})

    async def deliver_again(self, account_id: UUID, export_id: UUID, actor: Actor) -> None:
        """Try the delivery of an export again at once. Raises ExportNotFound if it has none, or no file."""
        if not await self._exports.deliver_again(account_id, export_id, self._clock()):
            raise ExportNotFound
        await self._audit.record(actor, account_id, "export.delivery_requested", str(export_id))

    async def unlock(self, account_id: UUID, invoice_id: UUID, actor: Actor) -> Invoice:
        """Let the invoice's values be changed; the next export contains it again. Raises InvoiceNotFound."""
        before = await self._invoices.get(account_id, invoice_id)
        invoice = await self._exports.unlock(account_id, invoice_id, self._clock())
        if before is None or invoice is None:
            raise InvoiceNotFound
        if before.export_id is not None:
            await self._audit.record(
                actor, account_id, "invoice.unlocked", str(invoice_id), export=str(before.export_id)
            )
        return invoice

    async def _candidates(self, account_id: UUID, request: ExportRequest) -> AsyncIterator[Invoice]:
        """Those that were asked for, or the newest that are in no export. Raises InvoiceNotFound for an unknown one,
        InvalidParameter if there are too many to look at."""
        for id in dict.fromkeys(request.ids):
            invoice = await self._invoices.get(account_id, id)
            if invoice is None:
                raise InvoiceNotFound
            yield invoice
        after, looked_at, has_more = None, 0, not request.ids
        while has_more:
            if looked_at >= _MOST_LOOKED_AT:
                raise InvalidParameter(_TOO_MANY)
            page = await self._invoices.page(account_id, request.query, _PAGE, after)
            for invoice in page.items:
                yield invoice
                after = invoice.id
            looked_at, has_more = looked_at + len(page.items), page.has_more

    def _written(self, format: Format[Any], draft: Draft) -> Draft:
        notes = Notes()
        try:
            content = format.write(draft.bills, draft.settings, self._clock(), notes)
        except ValueError as error:
            raise InvalidParameter(str(error)) from None
        return Draft(
            draft.settings, draft.bills, draft.seen, draft.refused, draft.has_more, content, notes.all()[:_MOST_LISTED]
        )

    def _export(self, account_id: UUID, request: ExportRequest, draft: Draft, content: bytes, actor: Actor) -> Export:
        now = self._clock()
        return Export(
            id=new_id(),
            account_id=account_id,
            format=request.format,
            created_at=now,
            created_by=actor.name,
            file_name=FORMATS[request.format].file_name(now),
            sha256=hashlib.sha256(content).hexdigest(),
            size_bytes=len(content),
            invoices=tuple(bill.invoice_id for bill in draft.bills),
            settings=stored(draft.settings),
            notes=draft.notes,
            delivery=ExportDelivery(request.place, due_at=now) if request.place else None,
        )

    async def _note(self, export: Export, actor: Actor) -> None:
        details = {"format": str(export.format), "invoices": str(len(export.invoices)), "sha256": export.sha256}
        await self._audit.record(actor, export.account_id, "export.made", str(export.id), **details)
        about = {"account_id": str(export.account_id), "export_id": str(export.id)}
        log.info("export made: %d invoices as %s", len(export.invoices), export.format, extra=about)


def _bill(
    format: Format[Any],
    invoice: Invoice,
    settings: LedgerSettings,
    request: ExportRequest,
    own: Sequence[OwnField],
) -> Bill:
    """Raises NotReady."""
    if invoice.export_id is not None and not request.is_repeated:
        raise NotReady("it was exported already")
    bill = bill_of(invoice, settings, coder_of(settings), own)
    problem = format.check(bill, settings)
    if problem is not None:
        raise NotReady(problem)
    return bill
