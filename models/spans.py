"""Turn answers of a model, which are values of a document, into a reading."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS, Label
from serve_app.domain.reading import PageReading, Reading, StatedValue

_COLUMN = {tag: index for index, tag in enumerate(TAGS)}


class SpanScores:
    """Collects the values that a model answers. Only words that print a value get its probability; what the pages print
    otherwise, or not at all, is kept as stated."""

    def __init__(self, document: Document) -> None:
        self._pages: list[npt.NDArray[np.float32]] = [
            np.zeros((len(page.words), len(TAGS)), dtype=np.float32) for page in document.pages
        ]
        self._stated: list[list[StatedValue]] = [[] for _ in document.pages]

    def add(self, page: int, value: StatedValue) -> None:
        """Add a value of the page at index `page`."""
        self._stated[page].append(value)
        if value.is_printed:
            self._score(self._pages[page], value.words, value.label, value.probability)

    @staticmethod
    def _score(scores: npt.NDArray[np.float32], words: Sequence[int], label: Label, probability: float) -> None:
        for position, word in enumerate(words):
            column = _COLUMN[f"{'I' if position else 'B'}-{label}"]
            scores[word, column] = max(scores[word, column], probability)

    def reading(self, revision: str, sha256: str) -> Reading:
        """Rows that sum to 1: words without a span are outside, and spans that claim the same word share it."""
        pages = zip(map(_completed, self._pages), map(tuple, self._stated), strict=True)
        read = tuple(PageReading(scores, stated) for scores, stated in pages)
        return Reading(revision, TAGS, read, sha256=sha256)


def _completed(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    claimed = scores.sum(axis=1, keepdims=True)
    rows: npt.NDArray[np.float32] = scores / np.maximum(claimed, 1)
    rows[:, 0] = 1 - rows.sum(axis=1)
    return rows
