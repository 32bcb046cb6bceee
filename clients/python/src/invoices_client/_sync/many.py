"""Many documents, each sent once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from invoices_client._sync.concurrency import map_concurrently, run_blocking
from invoices_client.documents import PathText
from invoices_client.errors import APIError, InvoicesError, UnconfirmedError
from invoices_client.journal import Entry, Journal
from invoices_client.models import Invoice
from invoices_client.results import CreateResult, is_finished

if TYPE_CHECKING:
    from invoices_client._sync.invoices import Invoices


class ManyDocuments:
    """Sends files; a journal knows which of them the service has."""

    def __init__(self, invoices: Invoices, *, wait: bool, timeout: float) -> None:
        self._invoices = invoices
        self._wait = wait
        self._timeout = timeout

    def send(
        self,
        paths: Iterable[PathText],
        *,
        concurrency: int,
        journal: PathText | None,
        progress: Callable[[CreateResult], None] | None,
    ) -> Generator[CreateResult, None, None]:
        """The result of each file, in the order in which they finish."""
        opened = run_blocking(Journal, journal)

        def send_one(path: PathText) -> CreateResult:
            return self._result(Path(path), opened)

        try:
            with closing(map_concurrently(send_one, paths, concurrency)) as results:
                for result in results:
                    if progress is not None:
                        progress(result)
                    yield result
        finally:
            run_blocking(opened.close)

    def _result(self, path: Path, journal: Journal) -> CreateResult:
        try:
            return CreateResult(path, invoice=self._invoice(path, journal))
        except (InvoicesError, OSError) as error:
            return CreateResult(path, error=error)

    def _invoice(self, path: Path, journal: Journal) -> Invoice:
        data = run_blocking(path.read_bytes)
        name, entry = run_blocking(journal.find, path, data)
        if entry.is_unconfirmed:
            raise UnconfirmedError(f"{path} was sent at {entry.sent_at} without an answer")
        invoice = entry.invoice
        if invoice is None:
            invoice = self._create(path, data, name, entry, journal)
        if self._wait and not is_finished(invoice):
            invoice = self._invoices.wait(invoice.id, timeout=self._timeout)
            run_blocking(journal.answered, name, invoice)
        return invoice

    def _create(self, path: Path, data: bytes, name: str, entry: Entry, journal: Journal) -> Invoice:
        was_sent = entry.sent_at is not None
        run_blocking(journal.sent, name)
        try:
            invoice = self._invoices.create(file=data, file_name=path.name, wait=self._wait, idempotency_key=entry.key)
        except APIError as error:
            # After a lost answer, the invoice may exist although this call was refused.
            if not error.is_uncertain and not was_sent:
                run_blocking(journal.refused, name, error.code)
            raise
        run_blocking(journal.answered, name, invoice)
        return invoice
