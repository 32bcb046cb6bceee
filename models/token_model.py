"""Token classification over whole documents: windows, batches, and one probability row per word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from models.encoding import PageEncoder, TokenSequence, Window, windows
from models.label_map import LabelMap
from models.runtime import Runtime
from models.shape import Shape
from models.token_budget import measured_budget
from models.token_inputs import Pixels, TokenInputs
from models.trial_pages import full_page
from serve_app.domain.document import Document, Page
from serve_app.domain.labels import TAGS
from serve_app.domain.reading import PageReading, Reading

Scores = npt.NDArray[np.float32]


class TokenModel(Protocol):
    """A model that the service can read documents with."""

    revision: str
    sha256: str
    """Of its identity; "" until it is loaded (`models.loading`)."""
    needs_pictures: bool
    """Whether every page must come with its picture."""

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """One reading for each document, in order."""
        ...


@dataclass(frozen=True, slots=True)
class _Piece:
    """One window of one page."""

    page: int
    window: Window

    def __len__(self) -> int:
        return self.window.end - self.window.start + 2


class TokenClassifier:
    """A token classifier with the encoder that fits it.

    `token_budget` bounds a padded batch: longest window times the number of windows; None: measured now. Without
    `labels` the model's classes must be tags of the service. `pixels` is for a model that also sees the page.
    """

    def __init__(
        self,
        runtime: Runtime,
        shape: Shape,
        encoder: PageEncoder,
        *,
        revision: str,
        uses_boxes: bool,
        token_budget: int | None,
        labels: LabelMap | None = None,
        pixels: Pixels | None = None,
    ) -> None:
        self.revision = revision
        self.sha256 = ""
        self.needs_pictures = pixels is not None
        self._runtime = runtime
        self._encoder = encoder
        self._inputs = TokenInputs(encoder, shape.kind, uses_boxes=uses_boxes, pixels=pixels)
        self._window = shape.most_tokens - 2
        self._classes = len(shape.classes)
        self._labels = labels or LabelMap(shape.classes)
        self._budget = measured_budget(token_budget, runtime.memory, shape.most_tokens, self._probe, revision)

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """Label every word of every document; the windows of all of them share batches."""
        pages = [page for document in documents for page in document.pages]
        merged = [PageReading(self._labels.apply(scores)) for scores in self._scores(pages)]
        readings, start = [], 0
        for document in documents:
            end = start + len(document.pages)
            readings.append(Reading(self.revision, TAGS, tuple(merged[start:end]), sha256=self.sha256))
            start = end
        return readings

    def _scores(self, pages: Sequence[Page]) -> list[Scores]:
        """Class probabilities of every word, one matrix per page."""
        sequences = [self._encoder.encode(page) for page in pages]
        sums = [np.zeros((len(page.words), self._classes), dtype=np.float32) for page in pages]

        def add(batch: list[_Piece]) -> None:
            parts = [(pages[piece.page], sequences[piece.page], piece.window) for piece in batch]
            logits = self._runtime.run(self._inputs(parts))["logits"]
            for piece, rows in zip(batch, _softmax(logits), strict=True):
                _add_window(sums[piece.page], sequences[piece.page], piece.window, rows[1 : len(piece) - 1])

        self._budget.run(_pieces(sequences, self._window), add)
        return [total / np.maximum(total.sum(axis=1, keepdims=True), 1e-9) for total in sums]

    def _probe(self, count: int) -> None:
        page = full_page()
        sequence = self._encoder.encode(page)
        part = page, sequence, next(windows(len(sequence), self._window))
        self._runtime.run(self._inputs([part] * count))


def _pieces(sequences: Sequence[TokenSequence], size: int) -> list[_Piece]:
    return [
        _Piece(page, window)
        for page, sequence in enumerate(sequences)
        if sequence.first
        for window in windows(len(sequence), size)
    ]


def _softmax(logits: Scores) -> Scores:
    chances: Scores = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chances /= chances.sum(axis=-1, keepdims=True)
    return chances


def _add_window(total: Scores, sequence: TokenSequence, window: Window, rows: Scores) -> None:
    """Add a window's rows, weighted by the distance to its edges: words in its middle have seen both sides."""
    last = len(sequence)
    for word, token in sequence.first:
        if window.start <= token < window.end:
            left = token - window.start if window.start > 0 else window.end - window.start
            right = window.end - 1 - token if window.end < last else window.end - window.start
            total[word] += (1 + min(left, right)) * rows[token - window.start]
