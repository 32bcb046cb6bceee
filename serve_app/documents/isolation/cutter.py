"""Cut pages out of PDFs, draw pages and find electronic invoices, in a child process that starts on first use."""

import logging
from collections.abc import Sequence

from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.documents.isolation.supervisor import ReaderUnavailable
from serve_app.documents.options import ReadOptions
from serve_app.domain.errors import DocumentError, PartNotFound, Unavailable

log = logging.getLogger(__name__)

Sheet = tuple[int, int]
WORKER = "serve_app.documents.isolation.cut_worker"


class IsolatedCutter:
    """The `PageTools` for a process that needs them only now and then."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._reader: IsolatedReader | None = None

    async def cut(self, data: bytes, first: int, last: int) -> bytes:
        """The pages as a PDF, never more than these. Raises PartNotFound if the file cannot be cut and Unavailable if
        no process starts."""
        try:
            return await self._child().cut(data, first, last)
        except DocumentError as error:
            log.warning("pages not cut: %s", error.message)
            raise PartNotFound from None
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    async def bind(self, data: bytes, sheets: Sequence[Sheet] | None = None, password: str | None = None) -> bytes:
        """Pages in this order, each with its turn, as a PDF; None for all as they are. Raises DocumentError if the file
        cannot be read with this password or has no such pages, Unavailable."""
        try:
            return await self._child().bind(data, None if sheets is None else tuple(sheets), password)
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    async def count(self, data: bytes) -> int:
        """How many pages a PDF has. Raises DocumentError if it cannot be read, Unavailable."""
        try:
            return await self._child().count(data)
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    async def show(self, data: bytes, page: int) -> bytes:
        """The page (1-based) as people see it, as a JPEG. Raises PartNotFound if it cannot be drawn and Unavailable if
        no process starts."""
        try:
            return await self._child().show(data, page)
        except DocumentError as error:
            log.info("page not drawn: %s", error.message)
            raise PartNotFound from None
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    async def find_xml(self, data: bytes) -> bytes:
        """The electronic invoice in a PDF; empty if there is none. Raises Unavailable if no process starts."""
        try:
            return await self._child().find_xml(data)
        except DocumentError as error:
            log.info("no electronic invoice found: %s", error.message)
            return b""
        except (ReaderUnavailable, ValueError):
            raise Unavailable from None

    def _child(self) -> IsolatedReader:
        self._reader = self._reader or IsolatedReader(self._options, WORKER)
        return self._reader

    def close(self) -> None:
        """Kill the process, if one was started; calls in progress raise Unavailable."""
        if self._reader is not None:
            self._reader.close()
