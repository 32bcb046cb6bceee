"""What a list costs as CSV and as XLSX, seconds and memory: `python -m benchmarks.web.exports [INVOICES ...]`.

Each size is exported whole, in a process that does nothing else; the pages of the list are made up, so the time that a
store takes for them comes on top. Memory is by how much the process grew while the file was made (its highest resident
size, looked at every 50 ms).
"""

import asyncio
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast
from uuid import UUID

import psutil

from benchmarks.web.account import ACCOUNT, invoice_of
from serve_app.domain.invoice import Invoice
from serve_app.domain.query import InvoiceQuery, ListPage
from serve_app.services.csv.export import CsvExport
from serve_app.services.csv.workbook import WorkbookExport
from serve_app.store.base import Invoices

MB = 2**20


class MadeUp:
    """So many invoices, in pages as a store answers them."""

    def __init__(self, count: int) -> None:
        self._left = count

    async def page(self, _: UUID, __: InvoiceQuery, limit: int, after: UUID | None) -> ListPage[Invoice]:
        found = tuple(invoice_of(self._left - number) for number in range(min(limit, self._left)))
        self._left -= len(found)
        return ListPage(found, self._left > 0)


async def main() -> None:
    sizes = sorted(int(each) for each in sys.argv[1:]) or [20_000, 200_000]
    print(f"{'invoices':>10} {'form':>5} {'seconds':>8} {'MB file':>8} {'MB memory':>10}    load")
    for size in sizes:
        await export(size)


async def export(size: int) -> None:
    with grown() as grown_by:
        started, written = time.perf_counter(), 0
        async for text in exporter(size).export(ACCOUNT.id, InvoiceQuery()):
            written += len(text.encode())
    report(size, "csv", time.perf_counter() - started, written, grown_by)
    with grown() as grown_by:
        started, written = time.perf_counter(), 0
        async for part in WorkbookExport(exporter(size)).export_or_say_so(ACCOUNT.id, InvoiceQuery()):
            written += len(part)
    report(size, "xlsx", time.perf_counter() - started, written, grown_by)


def exporter(size: int) -> CsvExport:
    return CsvExport(cast(Invoices, MadeUp(size)))


@contextmanager
def grown() -> Iterator[list[float]]:
    """By how many MB the process grew while the block ran, looked at every 50 ms."""
    process, sizes, done = psutil.Process(), [0.0], threading.Event()
    before = process.memory_info().rss

    def watch() -> None:
        while not done.wait(0.05):
            sizes.append((process.memory_info().rss - before) / MB)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield sizes
    finally:
        done.set()
        watcher.join()


def report(size: int, form: str, seconds: float, written: int, grown_by: list[float]) -> None:
    figures = f"{seconds:>8.1f} {written / MB:>8.1f} {max(grown_by):>10.1f}"
    print(f"{size:>10,} {form:>5} {figures}    {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    asyncio.run(main())
