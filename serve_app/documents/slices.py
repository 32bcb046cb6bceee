"""Reading a document a few pages at a time."""

import math
from dataclasses import dataclass

from serve_app.domain.document import Document


@dataclass(frozen=True, slots=True)
class Slice:
    """What to read in one go: pages by number (1-based, ascending), or None for all from the first. After `seconds`,
    the page in progress is the last; at least one is read. Only PDFs are read in several goes; everything else is read
    as a whole."""

    numbers: tuple[int, ...] | None = None
    seconds: float = math.inf


WHOLE = Slice()


@dataclass(frozen=True, slots=True)
class SliceRead:
    """Some pages, with their numbers, of a document of `count` pages. The e-invoice comes with the first ones. OCR took
    `ocr_seconds` of the time; all of it took `cpu_seconds` of processor time."""

    document: Document
    count: int
    ocr_seconds: float = 0.0
    cpu_seconds: float = 0.0
