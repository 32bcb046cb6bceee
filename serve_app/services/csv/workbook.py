"""Exports any number of invoices as a workbook (XLSX)."""

import asyncio
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from xlsxwriter import Workbook

from serve_app.domain.invoice import Invoice
from serve_app.domain.plain_text import one_line
from serve_app.domain.query import InvoiceQuery
from serve_app.services.csv.cells import Value
from serve_app.services.csv.export import INCOMPLETE, LAYOUTS, CsvExport, CsvLayout

MOST_ROWS = 1_048_575
"""How many a sheet can have below its header; one of them is kept for a note."""
_MOST_CHARACTERS = 32_767
_AT_ONCE = 100
_FULL = f"{INCOMPLETE}: a sheet can have no more rows. Export as CSV, or fewer invoices at a time."
# Nothing that a document says becomes a formula, a link or a number.
_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "default_date_format": "yyyy-mm-dd",
}


class WorkbookExport:
    """Writes workbooks with the columns of the CSV export, row by row to a file: memory does not grow with their
    number."""

    def __init__(self, invoices: CsvExport) -> None:
        self._invoices = invoices

    async def write(
        self, path: Path, account_id: UUID, query: InvoiceQuery, layout: CsvLayout = CsvLayout.INVOICES
    ) -> None:
        """Write the workbook to a new file. Its last row says so if the sheet cannot take all. May raise Unavailable,
        which leaves nothing that could be opened."""
        sheet = await asyncio.to_thread(_Sheet, path, layout)
        try:
            await self._fill(sheet, account_id, query)
        except BaseException:
            await asyncio.to_thread(sheet.discard)
            raise
        await asyncio.to_thread(sheet.finish)

    async def _fill(self, sheet: "_Sheet", account_id: UUID, query: InvoiceQuery) -> None:
        some: list[Invoice] = []
        async for invoice in self._invoices.all(account_id, query):
            some.append(invoice)
            if len(some) == _AT_ONCE:
                await asyncio.to_thread(sheet.add, some)
                some = []
            if sheet.is_full:
                return
        await asyncio.to_thread(sheet.add, some)


class _Sheet:
    def __init__(self, path: Path, layout: CsvLayout) -> None:
        header, self._rows_of = LAYOUTS[layout]
        self._path = path
        # Rows wait in a file beside the workbook, which goes with its folder if the process dies.
        self._book = Workbook(str(path), _OPTIONS | {"tmpdir": str(path.parent)})
        self._sheet = self._book.add_worksheet(layout.value.replace("_", " "))
        self._moment = self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self._sheet.freeze_panes(1, 0)
        self._row = 0
        self.is_full = False
        self._write(list(header()))

    def add(self, invoices: list[Invoice]) -> None:
        for invoice in invoices:
            for values in self._rows_of(invoice):
                if self._row >= MOST_ROWS:
                    self.is_full = True
                    return
                self._write(values)

    def finish(self) -> None:
        if self.is_full:
            self._write([_FULL])
        self._book.close()

    def discard(self) -> None:
        # Closed all the same: only then are its own files closed and removed.
        self._book.close()
        self._path.unlink()

    def _write(self, values: list[Value] | list[str]) -> None:
        for column, value in enumerate(values):
            self._write_cell(column, value)
        self._row += 1

    def _write_cell(self, column: int, value: Value) -> None:
        place: tuple[Any, ...] = (self._row, column)
        match value:
            case None:
                return
            case bool():
                self._sheet.write_boolean(*place, value)
            case Decimal() | int() | float():
                self._sheet.write_number(*place, value)
            case datetime():
                # Without a time zone, as sheets have none: UTC.
                self._sheet.write_datetime(*place, value.astimezone(UTC).replace(tzinfo=None), self._moment)
            case date():
                self._sheet.write_datetime(*place, datetime(value.year, value.month, value.day))  # noqa: DTZ001
            case _:
                self._sheet.write_string(*place, one_line(str(value))[:_MOST_CHARACTERS])
