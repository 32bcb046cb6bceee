"""Turns two readings into invoices, with confidence calibrated for the models that made the readings."""

import logging
from collections.abc import Callable, Sequence

from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.reading import Reading
from serve_app.extraction.calibration import Calibration
from serve_app.extraction.sections import extract_one, extract_sections

log = logging.getLogger(__name__)


class CalibratedExtract:
    """Extracts invoices from readings, with confidence from one calibration.

    A calibration fitted on other models than those of the readings still ranks values, but its probabilities may be
    off: this is logged once.
    """

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self._is_warned = False

    def every(self, document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
        """Every invoice of a file, at least one."""
        return self._run(extract_sections, document, extractor, verifier)

    def one(self, document: Document, extractor: Reading, verifier: Reading) -> list[Section]:
        """The one invoice of pages that are known to belong together."""
        return self._run(extract_one, document, extractor, verifier)

    def _run(
        self,
        extract: Callable[[Document, Reading, Reading, Calibration], Sequence[Section]],
        document: Document,
        extractor: Reading,
        verifier: Reading,
    ) -> list[Section]:
        self.check(extractor.revision, verifier.revision)
        return list(extract(document, extractor, verifier, self.calibration))

    def check(self, extractor: str, verifier: str) -> None:
        """Warn, once, if the calibration was fitted on other models than these revisions."""
        if self._is_warned or self.calibration.is_for(extractor, verifier):
            return
        self._is_warned = True
        log.warning(
            "confidence was calibrated for other models (%s and %s) than read this document (%s and %s)",
            self.calibration.extractor,
            self.calibration.verifier,
            extractor,
            verifier,
        )
