"""Check and write electronic invoices in a child process that starts on first use."""

import logging
from dataclasses import replace

from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.documents.isolation.supervisor import ReaderUnavailable
from serve_app.documents.limits import MIB
from serve_app.documents.options import ReadOptions
from serve_app.domain.einvoice import EInvoice
from serve_app.domain.einvoice_order import EInvoiceMade, EInvoiceOrder
from serve_app.domain.einvoice_validation import Finding, FindingSeverity, Validation
from serve_app.domain.errors import DocumentError, Unavailable

log = logging.getLogger(__name__)

WORKER = "serve_app.documents.isolation.einvoice_worker"
SECONDS = 20.0
"""For an invoice: one of ordinary length takes a second in a new process, and some milliseconds later."""
MEMORY_BYTES = 1024 * MIB
"""Of what it writes to: a new process takes some 150 MiB."""
_NOT_CHECKED = Finding(
    "NOT-CHECKED",
    FindingSeverity.WARNING,
    "Checking this electronic invoice took too long, too much memory, or failed. Its values do not depend on it.",
)


class IsolatedValidator:
    """Checks and writes one electronic invoice after the other. What goes wrong with an invoice becomes a finding."""

    def __init__(self, options: ReadOptions, seconds: float = SECONDS) -> None:
        limits = replace(options.limits, page_seconds=seconds, max_seconds=seconds, max_memory_bytes=MEMORY_BYTES)
        self._options = replace(options, limits=limits)
        self._reader: IsolatedReader | None = None

    async def check(self, data: bytes) -> Validation | None:
        """What the published rules say of the electronic invoice in a file; None if it has none."""
        try:
            return await self._child().check_einvoice(data)
        except DocumentError:
            return Validation(None, findings=(_NOT_CHECKED,))
        except (ReaderUnavailable, ValueError) as error:
            log.warning("no process checks electronic invoices: %s", error)
            return Validation(None, findings=(_NOT_CHECKED,))

    async def write(self, data: bytes, record: EInvoice | None, order: EInvoiceOrder) -> EInvoiceMade:
        """The record, or without one the electronic invoice in the file, as the order says. Raises Unavailable if no
        process starts."""
        try:
            return await self._child().write_einvoice(data, record, order)
        except DocumentError as error:
            log.info("electronic invoice not written: %s", error.message)
            return EInvoiceMade(validation=Validation(None, findings=(_NOT_CHECKED,)))
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    def _child(self) -> IsolatedReader:
        self._reader = self._reader or IsolatedReader(self._options, WORKER)
        return self._reader

    def close(self) -> None:
        """Kill the process, if one was started; calls in progress answer that nothing was checked."""
        if self._reader is not None:
            self._reader.close()
