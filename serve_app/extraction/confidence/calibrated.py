"""Extraction with the confidence of calibrated models."""

from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.reading import Reading
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibration import Calibration
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.extraction.sections import extract_one, extract_sections


class CalibratedExtract:
    """Extracts invoices from readings, with confidence from the calibration of their models."""

    def __init__(self, calibrations: Calibrations, target: TargetPrecision = TargetPrecision.STANDARD) -> None:
        self.calibrations = calibrations
        self.target = target

    def every(self, document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
        """Every invoice of a file, at least one."""
        return extract_sections(document, extractor, verifier, self._calibration(extractor, verifier))

    def one(self, document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
        """The one invoice of pages that are known to belong together."""
        return extract_one(document, extractor, verifier, self._calibration(extractor, verifier))

    def _calibration(self, extractor: Reading, verifier: Reading) -> Calibration:
        self.calibrations.warn(extractor.model, verifier.model, self.target)
        return self.calibrations.of(extractor.model, verifier.model).at(self.target)
