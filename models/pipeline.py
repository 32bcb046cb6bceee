"""The whole way of a document in one process: no server, no store."""

from collections.abc import Callable

from models.registry import EXTRACTOR, VERIFIER, ModelConfig, load_model
from serve_app.documents.reader import read_document
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.reading import Reading
from serve_app.extraction.extract import Witnesses, hear
from serve_app.extraction.sections import extract_sections

Read = Callable[[bytes], Document]


class Pipeline:
    """Both models, loaded once. Used by the command line and by evaluation; not safe for several threads."""

    def __init__(self, extractor: ModelConfig = EXTRACTOR, verifier: ModelConfig = VERIFIER) -> None:
        self._extractor = load_model(extractor)
        self._verifier = load_model(verifier)

    def extract(self, data: bytes, read: Read = read_document) -> list[Section]:
        """Read every invoice of one file; raise DocumentError when it cannot be read."""
        return self.extract_document(read(data))

    def extract_document(self, document: Document) -> list[Section]:
        """The invoices of a document that was read already."""
        return extract_sections(document, *self.read_models(document))

    def hear(self, data: bytes, read: Read = read_document) -> Witnesses:
        """The answers behind an extraction, where the file is one invoice; raise DocumentError as `extract` does."""
        document = read(data)
        return hear(document, *self.read_models(document))

    def read_models(self, document: Document) -> tuple[Reading, Reading]:
        """What each model says about the document."""
        (first,) = self._extractor.read([document])
        (second,) = self._verifier.read([document])
        return first, second
