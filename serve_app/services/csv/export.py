"""Exports any number of invoices as CSV."""

import csv
import io
from collections.abc import AsyncIterator, Callable, Iterator
from enum import Enum
from uuid import UUID

from serve_app.domain.invoice import Invoice
from serve_app.domain.query import InvoiceQuery
from serve_app.services.csv.columns import Row, invoice_header, invoice_rows, line_item_header, line_item_rows
from serve_app.store.base import Invoices

BYTE_ORDER_MARK = "\ufeff"
_PAGE = 100
_PART_LENGTH = 64 * 1024


class CsvLayout(Enum):
    """What each row stands for."""

    INVOICES = "invoices"
    LINE_ITEMS = "line_items"


_LAYOUTS: dict[CsvLayout, tuple[Callable[[], Row], Callable[[Invoice], Iterator[Row]]]] = {
    CsvLayout.INVOICES: (invoice_header, invoice_rows),
    CsvLayout.LINE_ITEMS: (line_item_header, line_item_rows),
}


class CsvExport:
    """Writes an account's invoices as CSV (RFC 4180), newest first, page by page: memory does not grow with their
    number. An invoice that is added or changed meanwhile may or may not be included; none appears twice."""

    def __init__(self, invoices: Invoices) -> None:
        self._invoices = invoices

    async def export(
        self,
        account_id: UUID,
        query: InvoiceQuery,
        layout: CsvLayout = CsvLayout.INVOICES,
        *,
        byte_order_mark: bool = True,
    ) -> AsyncIterator[str]:
        """Parts of about 64 kB, to be encoded as UTF-8; the first is the header, yielded before any invoice is read.
        Spreadsheets want the byte order mark, most programs do not. May raise Unavailable between parts."""
        header, rows = _LAYOUTS[layout]
        part = io.StringIO(newline="")
        write = csv.writer(part, lineterminator="\r\n")
        yield (BYTE_ORDER_MARK if byte_order_mark else "") + _line(header())
        async for invoice in self._all(account_id, query):
            for row in rows(invoice):
                write.writerow(row)
                if part.tell() >= _PART_LENGTH:
                    yield _taken(part)
        if part.tell():
            yield _taken(part)

    async def _all(self, account_id: UUID, query: InvoiceQuery) -> AsyncIterator[Invoice]:
        after: UUID | None = None
        more = True
        while more:
            page = await self._invoices.page(account_id, query, _PAGE, after)
            for invoice in page.items:
                yield invoice
                after = invoice.id
            more = page.has_more


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
