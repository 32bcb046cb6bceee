"""Many documents, each sent once."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from invoices_client._async.concurrency import map_concurrently, run_blocking
from invoices_client.documents import PathText
from invoices_client.errors import APIError, InvoicesError, UnconfirmedError
from invoices_client.journal import Entry, Journal
from invoices_client.models import Invoice
from invoices_client.results import CreateResult, is_finished

if TYPE_CHECKING:
    from invoices_client._async.invoices import AsyncInvoices


class AsyncManyDocuments:
    """Sends files; a journal knows which of them the service has."""

    def __init__(self, invoices: AsyncInvoices, *, wait: bool, timeout: float) -> None:
        self._invoices = invoices
        self._wait = wait
        self._timeout = timeout

    async def send(
        self,
        paths: Iterable[PathText],
        *,
        concurrency: int,
        journal: PathText | None,
        progress: Callable[[CreateResult], None] | None,
    ) -> AsyncGenerator[CreateResult, None]:
        """The result of each file, in the order in which they finish."""
        opened = await run_blocking(Journal, journal)

        async def send_one(path: PathText) -> CreateResult:
            return await self._result(Path(path), opened)

        try:
            async with aclosing(map_concurrently(send_one, paths, concurrency)) as results:
                async for result in results:
                    if progress is not None:
                        progress(result)
                    yield result
        finally:
            await run_blocking(opened.close)

    async def _result(self, path: Path, journal: Journal) -> CreateResult:
        try:
            return CreateResult(path, invoice=await self._invoice(path, journal))
        except (InvoicesError, OSError) as error:
            return CreateResult(path, error=error)

    async def _invoice(self, path: Path, journal: Journal) -> Invoice:
        data = await run_blocking(path.read_bytes)
        name, entry = await run_blocking(journal.find, path, data)
        if entry.is_unconfirmed:
            raise UnconfirmedError(f"{path} was sent at {entry.sent_at} without an answer")
        invoice = entry.invoice
        if invoice is None:
            invoice = await self._create(path, data, name, entry, journal)
        if self._wait and not is_finished(invoice):
            invoice = await self._invoices.wait(invoice.id, timeout=self._timeout)
            await run_blocking(journal.answered, name, invoice)
        return invoice

    async def _create(self, path: Path, data: bytes, name: str, entry: Entry, journal: Journal) -> Invoice:
        was_sent = entry.sent_at is not None
        await run_blocking(journal.sent, name)
        try:
            invoice = await self._invoices.create(
                file=data, file_name=path.name, wait=self._wait, idempotency_key=entry.key
            )
        except APIError as error:
            # After a lost answer, the invoice may exist although this call was refused.
            if not error.is_uncertain and not was_sent:
                await run_blocking(journal.refused, name, error.code)
            raise
        await run_blocking(journal.answered, name, invoice)
        return invoice
