"""The work itself: from packed pages and readings to invoices."""

from collections.abc import Sequence
from dataclasses import replace

from serve_app.documents.packing import unpack
from serve_app.domain.batch import Section
from serve_app.domain.document import Document, TextSource
from serve_app.domain.packed import LabelledPages
from serve_app.domain.reading import Reading
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.extraction.sections import extract_one, extract_sections


def reconcile(labelled: LabelledPages, calibrations: Calibrations) -> list[Section]:
    """The invoices of a document, at least one. Raises ValueError if a reading is of another document."""
    extract = extract_one if labelled.is_part else extract_sections
    document, extractor, verifier = unpacked(labelled)
    calibration = calibrations.of(extractor.model, verifier.model)
    sections = extract(document, extractor, verifier, calibration.at(labelled.target))
    return [replace(section, ocr_pages=_ocr_pages(document, section)) for section in sections]


def _ocr_pages(document: Document, section: Section) -> int:
    pages = range(section.first_page, section.last_page + 1)
    return sum(page.source is TextSource.OCR for page in document.pages if page.number in pages)


def unpacked(labelled: LabelledPages) -> tuple[Document, Reading, Reading]:
    """The document with both readings of it. Raises ValueError if one is of another document."""
    document = unpack(labelled.pages)
    extractor, verifier = _joined(labelled.extractor), _joined(labelled.verifier)
    for reading in (extractor, verifier):
        reading.check_against(document)
    return document, extractor, verifier


def _joined(readings: Sequence[Reading]) -> Reading:
    """Readings of one model, of consecutive pages, as one."""
    first = readings[0]
    if any((reading.model, reading.tags) != (first.model, first.tags) for reading in readings):
        raise ValueError("the readings are of different models")
    return replace(first, pages=tuple(page for reading in readings for page in reading.pages))
