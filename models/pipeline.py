"""The whole way of a document in one process: no server, no store."""

from collections.abc import Callable

from models.registry import EXTRACTOR, VERIFIER, ModelConfig, load_model
from serve_app.documents.reader import read_document
from serve_app.domain.document import Document
from serve_app.domain.invoice import Extraction
from serve_app.domain.reading import Reading
from serve_app.extraction.extract import Witnesses, extract_invoice, hear


class Pipeline:
    """Both models, loaded once. Used by the command line and by evaluation; not safe for several threads."""

    def __init__(self, extractor: ModelConfig = EXTRACTOR, verifier: ModelConfig = VERIFIER) -> None:
        self._extractor = load_model(extractor)
        self._verifier = load_model(verifier)

    def extract(self, data: bytes, read: Callable[[bytes], Document] = read_document) -> Extraction:
        """Read one file; raise DocumentError when it cannot be read."""
        return extract_invoice(*self._read(data, read))

    def hear(self, data: bytes, read: Callable[[bytes], Document] = read_document) -> Witnesses:
        """The answers behind an extraction; raise DocumentError as `extract` does."""
        return hear(*self._read(data, read))

    def _read(self, data: bytes, read: Callable[[bytes], Document]) -> tuple[Document, Reading, Reading]:
        document = read(data)
        (first,) = self._extractor.read([document])
        (second,) = self._verifier.read([document])
        return document, first, second
