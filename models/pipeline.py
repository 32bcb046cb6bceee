"""The whole extraction in one process: no server, no store."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256

from models.gate.digest import digest_of
from models.loading import EXTRACTOR, VERIFIER, ModelConfig, load_model
from serve_app.documents.einvoice.validation import validated
from serve_app.documents.options import ReadOptions
from serve_app.documents.pictures import draw_page
from serve_app.documents.reader import read_document
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.invoice import ModelRevisions
from serve_app.domain.model_identity import ModelIdentity
from serve_app.domain.reading import Reading
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibrated import CalibratedExtract
from serve_app.extraction.confidence.calibration import Calibration
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.reconciling.calibrations import load_calibrations

Read = Callable[[bytes], Document]


class Pipeline:
    """Both models, loaded once. Used by the command line and by evaluation; not safe for several threads."""

    def __init__(
        self,
        extractor: ModelConfig = EXTRACTOR,
        verifier: ModelConfig = VERIFIER,
        calibrations: Calibrations | None = None,
        target: TargetPrecision = TargetPrecision.STANDARD,
    ) -> None:
        self._configs = extractor, verifier
        self._extractor = load_model(extractor)
        self._verifier = load_model(verifier)
        self._extract = CalibratedExtract(calibrations or load_calibrations(), target)

    @property
    def models(self) -> tuple[ModelIdentity, ModelIdentity]:
        """Extractor and verifier."""
        pair = self._extractor, self._verifier
        return ModelIdentity(pair[0].revision, pair[0].sha256), ModelIdentity(pair[1].revision, pair[1].sha256)

    @property
    def calibration(self) -> Calibration:
        """The calibration of confidence for these models."""
        return self._extract.calibrations.of(*self.models).at(self._extract.target)

    @property
    def calibration_problem(self) -> str | None:
        """Why no value of this pair is high; None if a calibration was fitted on it for the target precision."""
        return self._extract.calibrations.problem(*self.models, self._extract.target)

    @property
    def revisions(self) -> ModelRevisions:
        """The revisions of both models."""
        return ModelRevisions(extractor=self._extractor.revision, verifier=self._verifier.revision)

    @property
    def digest(self) -> str:
        """The SHA-256 of all that decides what the models answer, but for the program: their files, their settings,
        and what runs them."""
        return sha256("".join(self.digests).encode()).hexdigest()

    @property
    def digests(self) -> tuple[str, str]:
        """The same of each model."""
        one, other = (f"{digest_of(config)} {config.runtime} {config.device}" for config in self._configs)
        return one, other

    @property
    def needs_pictures(self) -> bool:
        """Whether one of the models has to see pages."""
        return self._extractor.needs_pictures or self._verifier.needs_pictures

    def extract(self, data: bytes, read: Read = read_document) -> list[Section]:
        """Read every invoice of one file; raise DocumentError if it cannot be read."""
        return self.extract_document(self.with_pictures(validated(read(data), data), data))

    def with_pictures(self, document: Document, data: bytes) -> Document:
        """The document read from `data`, with pictures of its pages if one of the models needs them."""
        if not self.needs_pictures:
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

    def label_with_extractor(self, documents: Sequence[Document]) -> list[Reading]:
        """The extractor's readings, in batches over all documents."""
        return self._extractor.read(documents)

    def label_with_verifier(self, documents: Sequence[Document]) -> list[Reading]:
        """The verifier's readings."""
        return self._verifier.read(documents)

    def read_models(self, document: Document) -> tuple[Reading, Reading]:
        """The reading of each model."""
        (first,) = self._extractor.read([document])
        (second,) = self._verifier.read([document])
        return first, second
