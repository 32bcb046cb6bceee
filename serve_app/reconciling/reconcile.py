"""The work itself: from packed pages and readings to invoices."""

from collections.abc import Sequence
from dataclasses import replace

from serve_app.documents.packing import unpack
from serve_app.domain.batch import Section
from serve_app.domain.document import Document
from serve_app.domain.evidence import Evidence, pack
from serve_app.domain.packed import LabelledPages
from serve_app.domain.reading import Reading
from serve_app.extraction.confidence.calibrations import Calibrations
from serve_app.extraction.memory.keys import keys_of_document
from serve_app.extraction.sections import extract_one, extract_sections


def reconcile(labelled: LabelledPages, calibrations: Calibrations) -> list[Section]:
    """The invoices of a document, at least one. Raises ValueError if a reading is of another document."""
    extract = extract_one if labelled.is_part else extract_sections
    document, extractor, verifier = unpacked(labelled)
    calibration = calibrations.of(extractor.revision, verifier.revision)
    return [_packed(section) for section in extract(document, extractor, verifier, calibration)]


def _packed(section: Section) -> Section:
    """Packed here, where it was made: whoever passes it on never decodes it."""
    if section.seen is None:
        return section
    agreed = agreed_on(section.seen)
    return replace(section, seen=None, packed=pack(section.seen), keys=keys_of_document(section.seen), agreed=agreed)


def agreed_on(seen: Evidence) -> frozenset[str]:
    """The fields on whose value both models agree."""
    return frozenset(name for name, field in seen.fields.items() if field.models_agree)


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
    if any((reading.revision, reading.tags) != (first.revision, first.tags) for reading in readings):
        raise ValueError("the readings are of different models")
    return Reading(first.revision, first.tags, tuple(page for reading in readings for page in reading.pages))
