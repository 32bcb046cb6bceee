"""Turn answers that are spans of words into the probability rows of a reading."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from serve_app.domain.document import Document
from serve_app.domain.labels import TAGS, Label
from serve_app.domain.reading import PageReading, Reading

_COLUMN = {tag: index for index, tag in enumerate(TAGS)}


class SpanScores:
    """Collects a model's answers about spans of a document's words."""

    def __init__(self, document: Document) -> None:
        self._pages: list[npt.NDArray[np.float32]] = [
            np.zeros((len(page.words), len(TAGS)), dtype=np.float32) for page in document.pages
        ]

    def add(self, page: int, words: Sequence[int], label: Label, probability: float) -> None:
        """Add a value of the label: its words are indices on the page at index `page`, in reading order."""
        scores = self._pages[page]
        for position, word in enumerate(words):
            column = _COLUMN[f"{'I' if position else 'B'}-{label}"]
            scores[word, column] = max(scores[word, column], probability)

    def reading(self, revision: str) -> Reading:
        """Rows that sum to 1: words without a span are outside, and spans that claim the same word share it."""
        return Reading(revision, TAGS, tuple(PageReading(_completed(scores)) for scores in self._pages))


def _completed(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    claimed = scores.sum(axis=1, keepdims=True)
    rows: npt.NDArray[np.float32] = scores / np.maximum(claimed, 1)
    rows[:, 0] = 1 - rows.sum(axis=1)
    return rows
