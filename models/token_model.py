"""Token classification over whole documents: windows, batches, and one probability row a word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from transformers import PreTrainedModel

from models.encoding import PageEncoder, TokenSequence, Window, windows
from serve_app.domain.document import Document
from serve_app.domain.reading import PageReading, Reading

Scores = npt.NDArray[np.float32]


class TokenModel(Protocol):
    """A model that the service can read documents with."""

    revision: str

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
    """A transformers token classifier with the encoder that fits it.

    `token_budget` bounds a padded batch: longest window times the number of windows.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        encoder: PageEncoder,
        *,
        revision: str,
        uses_boxes: bool,
        token_budget: int,
    ) -> None:
        self.revision = revision
        self._model = model
        self._model.train(False)
        self._encoder = encoder
        self._uses_boxes = uses_boxes
        self._token_budget = token_budget
        self._window = 510
        self._tags = tags_of(model)

    def read(self, documents: Sequence[Document]) -> list[Reading]:
        """Label every word of every document; the windows of all of them share batches."""
        pages = [page for document in documents for page in document.pages]
        sequences = [self._encoder.encode(page) for page in pages]
        merged = self._scores(sequences, [len(page.words) for page in pages])
        readings, start = [], 0
        for document in documents:
            end = start + len(document.pages)
            readings.append(Reading(self.revision, self._tags, tuple(PageReading(s) for s in merged[start:end])))
            start = end
        return readings

    def _scores(self, sequences: list[TokenSequence], counts: list[int]) -> list[Scores]:
        sums = [np.zeros((count, len(self._tags)), dtype=np.float32) for count in counts]
        for batch in self._batches(sequences):
            probabilities = self._forward(sequences, batch)
            for piece, rows in zip(batch, probabilities, strict=True):
                _add_window(sums[piece.page], sequences[piece.page], piece.window, rows)
        return [total / np.maximum(total.sum(axis=1, keepdims=True), 1e-9) for total in sums]

    def _batches(self, sequences: list[TokenSequence]) -> Iterator[list[_Piece]]:
        pieces = [
            _Piece(page, window)
            for page, sequence in enumerate(sequences)
            if sequence.first
            for window in windows(len(sequence), self._window)
        ]
        batch: list[_Piece] = []
        for piece in sorted(pieces, key=len, reverse=True):
            if batch and len(batch[0]) * (len(batch) + 1) > self._token_budget:
                yield batch
                batch = []
            batch.append(piece)
        if batch:
            yield batch

    @torch.inference_mode()
    def _forward(self, sequences: list[TokenSequence], batch: list[_Piece]) -> list[Scores]:
        inputs = collate(
            [sequences[piece.page] for piece in batch],
            [piece.window for piece in batch],
            self._encoder,
            uses_boxes=self._uses_boxes,
        )
        logits = self._model(**{name: tensor.to(self._model.device) for name, tensor in inputs.items()}).logits
        probabilities: Scores = torch.softmax(logits.float(), dim=-1).cpu().numpy()
        return [rows[1 : len(piece) - 1] for piece, rows in zip(batch, probabilities, strict=True)]


def tags_of(model: PreTrainedModel) -> tuple[str, ...]:
    """The names of the model's classes, in the order of its output."""
    names = model.config.id2label or {}
    return tuple(name for _, name in sorted((int(index), str(name)) for index, name in names.items()))


def collate(
    sequences: Sequence[TokenSequence],
    spans: Sequence[Window],
    encoder: PageEncoder,
    *,
    uses_boxes: bool,
) -> dict[str, torch.Tensor]:
    """Padded inputs: `input_ids` and `attention_mask` of shape (windows, tokens), `bbox` with a last axis of 4."""
    pieces = encoder.pieces
    width = max(span.end - span.start for span in spans) + 2
    ids = torch.full((len(spans), width), pieces.pad, dtype=torch.long)
    mask = torch.zeros((len(spans), width), dtype=torch.long)
    boxes = torch.zeros((len(spans), width, 4), dtype=torch.long)
    for row, (sequence, span) in enumerate(zip(sequences, spans, strict=True)):
        tokens = [pieces.start, *sequence.ids[span.start : span.end], pieces.end]
        ids[row, : len(tokens)] = torch.tensor(tokens)
        mask[row, : len(tokens)] = 1
        if uses_boxes and span.end > span.start:
            boxes[row, 1 : len(tokens) - 1] = torch.tensor(sequence.boxes[span.start : span.end])
    inputs = {"input_ids": ids, "attention_mask": mask}
    if uses_boxes:
        inputs["bbox"] = boxes
    return inputs


def _add_window(total: Scores, sequence: TokenSequence, window: Window, rows: Scores) -> None:
    """Add a window's rows, weighted by the distance to its edges: words in its middle have seen both sides."""
    last = len(sequence)
    for word, token in sequence.first:
        if window.start <= token < window.end:
            left = token - window.start if window.start > 0 else window.end - window.start
            right = window.end - 1 - token if window.end < last else window.end - window.start
            total[word] += (1 + min(left, right)) * rows[token - window.start]
