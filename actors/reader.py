"""Files to pages of words."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from ray import serve

from serve_app.documents.reader import read_document
from serve_app.domain.document import Document
from serve_app.logs import configure_logging
from serve_app.settings import Settings
from serve_app.store.factory import open_files


@serve.deployment(max_ongoing_requests=4)
class Reader:
    """Reads one document at a time: PDFium must not run in two threads of a process. More replicas read more."""

    def __init__(self, settings: Settings) -> None:
        configure_logging()
        self._files = open_files(settings)
        # A thread of its own, not a lock: a call that was cancelled still holds PDFium until it returns.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reader")

    async def read(self, file_key: str) -> Document:
        """Raise DocumentError for a document that cannot be read."""
        data = await self._files.read(file_key)
        return await asyncio.get_running_loop().run_in_executor(self._thread, read_document, data)
