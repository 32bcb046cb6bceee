"""Small documents with readings, written down as lines of labelled words."""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.invoice import Extraction
from serve_app.domain.labels import OUTSIDE, TAGS
from serve_app.domain.model_identity import ModelIdentity
from serve_app.domain.reading import PageReading, Reading
from serve_app.extraction.confidence.calibration import UNFITTED, Calibration
from serve_app.extraction.extract import extract_with_evidence

# A line is written "text|LABEL text text|LABEL": words without a label are outside.
Lines = Sequence[str]
GAP = "~"


def document_of(*pages: Lines) -> Document:
    """Pages of lines from top to bottom, with words side by side; `GAP` instead of a word leaves a space for one."""
    return Document(tuple(_page(number, lines) for number, lines in enumerate(pages, start=1)))


def _page(number: int, lines: Lines) -> Page:
    words = []
    for row, line in enumerate(lines):
        for column, written in enumerate(line.split()):
            text = written.partition("|")[0]
            if text == GAP:
                continue
            box = Box(0.04 + 0.08 * column, 0.02 + 0.03 * row, 0.11 + 0.08 * column, 0.035 + 0.03 * row)
            words.append(Word(text, box))
    return Page(number, 595.0, 842.0, tuple(words))


def model_named(revision: str, content: str | None = None) -> ModelIdentity:
    """A made-up model, with this content or one of its own."""
    return ModelIdentity(revision, sha256((content or revision).encode()).hexdigest())


def reading_of(*pages: Lines, sure: float = 0.97, revision: str = "test") -> Reading:
    """A reading that gives every word its label with probability `sure`, the rest to `O`."""
    pages_read = tuple(_scores(lines, sure) for lines in pages)
    return Reading(revision, TAGS, pages_read, sha256=model_named(revision).sha256)


def _scores(lines: Lines, sure: float) -> PageReading:
    tags: list[str] = []
    for line in lines:
        before = ""
        for written in line.split():
            if written == GAP:
                continue
            label = written.partition("|")[2]
            tags.append(f"{'I' if label == before else 'B'}-{label}" if label else OUTSIDE)
            before = label
    scores = np.zeros((len(tags), len(TAGS)), dtype=np.float32)
    scores[:, TAGS.index(OUTSIDE)] = 1 - sure
    for row, tag in enumerate(tags):
        scores[row, TAGS.index(tag)] += sure
    return PageReading(scores)


def extract_invoice(
    document: Document,
    extractor: Reading,
    verifier: Reading,
    calibration: Calibration = UNFITTED,
    *,
    is_foreign: bool = False,
) -> Extraction:
    """The values of an invoice."""
    return extract_with_evidence(document, extractor, verifier, calibration, is_foreign=is_foreign).extraction
