"""Exports any number of invoices as CSV."""

import csv
import io
import logging
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from enum import Enum
from uuid import UUID

from serve_app.domain.errors import ServiceError
from serve_app.domain.invoice import Invoice
from serve_app.domain.own_field import OwnField
from serve_app.domain.query import InvoiceQuery
from serve_app.services.csv.cells import Value, cell
from serve_app.services.csv.columns import Row, invoice_header, invoice_values, line_item_header, line_item_values
from serve_app.store.base import Invoices, OwnFields

BYTE_ORDER_MARK = "\ufeff"
_PAGE = 100

log = logging.getLogger(__name__)
_PART_LENGTH = 64 * 1024


class CsvLayout(Enum):
    """What each row stands for."""

    INVOICES = "invoices"
    LINE_ITEMS = "line_items"


_Header = Callable[[Sequence[OwnField]], Row]
_Rows = Callable[[Invoice, Sequence[OwnField]], Iterator[list[Value]]]
LAYOUTS: dict[CsvLayout, tuple[_Header, _Rows]] = {
    CsvLayout.INVOICES: (invoice_header, invoice_values),
    CsvLayout.LINE_ITEMS: (line_item_header, line_item_values),
}
INCOMPLETE = "EXPORT INCOMPLETE"
"""How the last line of a file begins from which something is missing."""


class CsvExport:
    """Writes an account's invoices as CSV (RFC 4180), newest first, page by page: memory does not grow with their
    number. An invoice that is added or changed meanwhile may or may not be included; none appears twice."""

    def __init__(self, invoices: Invoices, own_fields: OwnFields | None = None) -> None:
        self._invoices = invoices
        self._own_fields = own_fields

    async def export(
        self,
        account_id: UUID,
        query: InvoiceQuery,
        layout: CsvLayout = CsvLayout.INVOICES,
        *,
        byte_order_mark: bool = True,
        ids: Collection[UUID] = (),
    ) -> AsyncIterator[str]:
        """Parts of about 64 kB, to be encoded as UTF-8; the first is the header, yielded before any invoice is read.
        Spreadsheets want the byte order mark, most programs do not. May raise Unavailable between parts."""
        header, rows = LAYOUTS[layout]
        own = await self.own_fields(account_id)
        part = io.StringIO(newline="")
        write = csv.writer(part, lineterminator="\r\n")
        yield (BYTE_ORDER_MARK if byte_order_mark else "") + _line(header(own))
        async for invoice in self.all(account_id, query, ids):
            for row in rows(invoice, own):
                write.writerow([cell(value) for value in row])
                if part.tell() >= _PART_LENGTH:
                    yield _taken(part)
        if part.tell():
            yield _taken(part)

    async def export_or_say_so(
        self,
        account_id: UUID,
        query: InvoiceQuery,
        layout: CsvLayout = CsvLayout.INVOICES,
        ids: Collection[UUID] = (),
    ) -> AsyncIterator[str]:
        """The same for a download whose beginning is on its way before its end is read: if it cannot be finished, its
        last line says so."""
        try:
            async for part in self.export(account_id, query, layout, ids=ids):
                yield part
        except Exception as error:
            log.error("export broken off: %r", error, exc_info=error, extra={"account_id": str(account_id)})
            yield _line([incomplete_because(error)])

    async def own_fields(self, account_id: UUID) -> Sequence[OwnField]:
        """Those that have columns."""
        return () if self._own_fields is None else await self._own_fields.of_account(account_id)

    async def all(self, account_id: UUID, query: InvoiceQuery, ids: Collection[UUID] = ()) -> AsyncIterator[Invoice]:
        """All matching invoices, or those with these ids, whatever they match; newest first, read page by page. May
        raise Unavailable between two."""
        for id in sorted(ids, reverse=True):
            invoice = await self._invoices.get(account_id, id)
            if invoice is not None:
                yield invoice
        if ids:
            return
        after: UUID | None = None
        more = True
        while more:
            page = await self._invoices.page(account_id, query, _PAGE, after)
            for invoice in page.items:
                yield invoice
                after = invoice.id
            more = page.has_more


def incomplete_because(error: Exception) -> str:
    """The last line of a file that could not be finished."""
    reason = error.message if isinstance(error, ServiceError) else "The service had an error, which was logged."
    return f"{INCOMPLETE}: {reason} Export again."


def _line(row: Row) -> str:
    part = io.StringIO(newline="")
    csv.writer(part, lineterminator="\r\n").writerow(row)
    return part.getvalue()


def _taken(part: io.StringIO) -> str:
    """Return what was written so far, and empty the buffer."""
    text = part.getvalue()
    part.seek(0)
    part.truncate()
    return text
