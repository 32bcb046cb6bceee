"""The whole extraction in one process: no server, no store."""

from collections.abc import Callable
from dataclasses import replace

from models.registry import EXTRACTOR, VERIFIER, ModelConfig, load_model
from serve_app.calibration_file import load_calibration
from serve_app.documents.options import ReadOptions
from serve_app.documents.pictures import draw_page
from serve_app.documents.reader import read_document
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.invoice import ModelRevisions
from serve_app.domain.reading import Reading
from serve_app.extraction.calibrated import CalibratedExtract
from serve_app.extraction.calibration import Calibration

Read = Callable[[bytes], Document]


class Pipeline:
    """Both models, loaded once. Used by the command line and by evaluation; not safe for several threads."""

    def __init__(
        self,
        extractor: ModelConfig = EXTRACTOR,
        verifier: ModelConfig = VERIFIER,
        calibration: Calibration | None = None,
    ) -> None:
        self._extractor = load_model(extractor)
        self._verifier = load_model(verifier)
        self._extract = CalibratedExtract(calibration or load_calibration())

    @property
    def calibration(self) -> Calibration:
        """The calibration of confidence."""
        return self._extract.calibration

    @property
    def revisions(self) -> ModelRevisions:
        """The revisions of both models."""
        return ModelRevisions(extractor=self._extractor.revision, verifier=self._verifier.revision)

    def extract(self, data: bytes, read: Read = read_document) -> list[Section]:
        """Read every invoice of one file; raise DocumentError if it cannot be read."""
        return self.extract_document(self.with_pictures(read(data), data))

    def with_pictures(self, document: Document, data: bytes) -> Document:
        """The document read from `data`, with pictures of its pages if one of the models needs them."""
        if not (self._extractor.needs_pictures or self._verifier.needs_pictures):
            return document
        options = ReadOptions()
        pages = (replace(page, picture=draw_page(data, page, options)) for page in document.pages)
        return replace(document, pages=tuple(pages))

    def extract_document(self, document: Document) -> list[Section]:
        """The invoices of a document that has already been read."""
        return self.decide(document, self.read_models(document))

    def decide(self, document: Document, readings: tuple[Reading, Reading]) -> list[Section]:
        """The invoices of a document that both models have already read."""
        return self._extract.every(document, *readings)

    def read_models(self, document: Document) -> tuple[Reading, Reading]:
        """The reading of each model."""
        (first,) = self._extractor.read([document])
        (second,) = self._verifier.read([document])
        return first, second
