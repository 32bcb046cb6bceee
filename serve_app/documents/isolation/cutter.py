"""Cutting pages out of PDFs, in a child process that starts at the first cut."""

from serve_app.documents.isolation.reader import IsolatedReader
from serve_app.documents.isolation.supervisor import ReaderUnavailable
from serve_app.documents.options import ReadOptions
from serve_app.domain import errors
from serve_app.domain.errors import DocumentError

_WORKER = "serve_app.documents.isolation.cut_worker"


class IsolatedCutter:
    """The `PageCutter` of a process that cuts now and then."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._reader: IsolatedReader | None = None

    async def cut(self, data: bytes, first: int, last: int) -> bytes:
        """The pages as a PDF; all of the file where it cannot be cut. ServiceError 503 where no process starts."""
        self._reader = self._reader or IsolatedReader(self._options, _WORKER)
        try:
            return await self._reader.cut(data, first, last)
        except DocumentError:
            return data
        except ReaderUnavailable:
            raise errors.service_unavailable() from None
