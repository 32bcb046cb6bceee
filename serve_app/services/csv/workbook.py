"""Exports any number of invoices as a workbook (XLSX)."""

import logging
import zipfile
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from contextlib import closing
from typing import IO
from uuid import UUID

from serve_app.domain.invoice import Invoice
from serve_app.domain.own_field import OwnField
from serve_app.domain.query import InvoiceQuery
from serve_app.services.csv.cells import Value
from serve_app.services.csv.export import LAYOUTS, CsvExport, CsvLayout, incomplete_because
from serve_app.services.csv.sheet_xml import SHEET_BEGINS, SHEET_ENDS, other_parts, row_xml, sheet_name
from serve_app.system.thread_pools import WRITING_OUT

MOST_ROWS = 1_048_576
"""How many a sheet of the format can have, its header among them."""
_MOST_BYTES = 2_000_000_000
"""Of a sheet: larger ones would need the extension of the ZIP format that some programs do not read."""
_AT_ONCE = 100
_PART_LENGTH = 64 * 1024
# A third of the time of the usual level, and files that are a fifth larger.
_COMPRESSION = 1

log = logging.getLogger(__name__)


class WorkbookExport:
    """Writes workbooks with the columns of the CSV export while they are sent: neither memory nor disk grows with the
    number of invoices (ADR 0088)."""

    def __init__(self, invoices: CsvExport) -> None:
        self._invoices = invoices

    async def export_or_say_so(
        self,
        account_id: UUID,
        query: InvoiceQuery,
        layout: CsvLayout = CsvLayout.INVOICES,
        ids: Collection[UUID] = (),
    ) -> AsyncIterator[bytes]:
        """Parts of a workbook. What one sheet cannot take goes on in the next, which has the same header. If it cannot
        be finished, its last row says so, and so does the comment at the end of the file."""
        with closing(_Book(layout, await self._invoices.own_fields(account_id))) as book:
            try:
                async for some in self._some(account_id, query, ids):
                    part = await WRITING_OUT.run(book.add, some)
                    if part:
                        yield part
            except Exception as error:
                log.error("export broken off: %r", error, exc_info=error, extra={"account_id": str(account_id)})
                book.break_off(incomplete_because(error))
            yield await WRITING_OUT.run(book.finish)

    async def _some(self, account_id: UUID, query: InvoiceQuery, ids: Collection[UUID]) -> AsyncIterator[list[Invoice]]:
        some: list[Invoice] = []
        async for invoice in self._invoices.all(account_id, query, ids):
            some.append(invoice)
            if len(some) == _AT_ONCE:
                yield some
                some = []
        yield some


class _Outgoing:
    """A file that is only written to, from which what was written is taken."""

    def __init__(self) -> None:
        self._data = bytearray()

    def write(self, data: bytes) -> int:
        self._data += data
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Nothing is held open."""

    def take(self, at_least: int = 0) -> bytes:
        """What was written since the last time, if it is that much."""
        if len(self._data) < at_least:
            return b""
        taken = bytes(self._data)
        self._data.clear()
        return taken


class _Book:
    def __init__(self, layout: CsvLayout, own: Sequence[OwnField]) -> None:
        self._header, self._rows_of = LAYOUTS[layout]
        self._own = own
        self._title = layout.value.replace("_", " ")
        self._out = _Outgoing()
        self._zip = zipfile.ZipFile(self._out, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSION)
        self._titles: list[str] = []
        self._begin_sheet()

    def add(self, invoices: Iterable[Invoice]) -> bytes:
        """The next part of the file, perhaps empty."""
        for invoice in invoices:
            for values in self._rows_of(invoice, self._own):
                self._write(values)
        return self._out.take(_PART_LENGTH)

    def break_off(self, reason: str) -> None:
        self._write([reason])
        self._zip.comment = reason.encode()

    def finish(self) -> bytes:
        """The end of the file."""
        self._end_sheet()
        for name, text in other_parts(self._titles).items():
            self._zip.writestr(name, text)
        self._zip.close()
        return self._out.take()

    def close(self) -> None:
        """Let go of a file that nobody takes any more."""
        self._sheet.close()
        self._zip.close()

    def _begin_sheet(self) -> None:
        number = len(self._titles) + 1
        self._titles.append(self._title if number == 1 else f"{self._title} {number}")
        self._sheet: IO[bytes] = self._zip.open(sheet_name(number), "w")
        self._rows, self._bytes = 0, 0
        self._send(SHEET_BEGINS)
        self._write(self._header(self._own))

    def _end_sheet(self) -> None:
        self._send(SHEET_ENDS)
        self._sheet.close()

    def _write(self, values: list[Value] | list[str]) -> None:
        if self._rows == MOST_ROWS or self._bytes >= _MOST_BYTES:
            self._end_sheet()
            self._begin_sheet()
        self._rows += 1
        self._send(row_xml(self._rows, values))

    def _send(self, text: str) -> None:
        data = text.encode()
        self._bytes += len(data)
        self._sheet.write(data)
