"""What a token classifier is shown of some windows, in use and in training."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from models.encoding import PageEncoder, TokenSequence, Window
from models.runtime import Inputs
from serve_app.domain.document import Page

# The picture of a page as the network expects it, shape (channels, height, width).
Pixels = Callable[[Page], npt.NDArray[np.float32]]
Part = tuple[Page, TokenSequence, Window]


class TokenInputs:
    """Windows of pages as the inputs of a network of this `kind` (transformers' `model_type`).

    `pixels` is for a network that also sees the page.
    """

    def __init__(self, encoder: PageEncoder, kind: str, *, uses_boxes: bool, pixels: Pixels | None = None) -> None:
        self.encoder = encoder
        self.pixels = pixels
        self._uses_boxes = uses_boxes
        # BROS takes positions as fractions of the page, all others as thousandths.
        self._takes_fractions = kind == "bros"

    def __call__(self, parts: Sequence[Part]) -> Inputs:
        """Padded inputs of some windows. Raise ValueError for a page without a picture, if the network needs one."""
        sequences, windows = [sequence for _, sequence, _ in parts], [window for _, _, window in parts]
        inputs = collate(sequences, windows, self.encoder, uses_boxes=self._uses_boxes)
        if self._takes_fractions:
            inputs["bbox"] = (inputs["bbox"] / 1000).astype(np.float32)
        if self.pixels is not None:
            inputs["pixel_values"] = stacked(self.pixels, [page for page, _, _ in parts])
        return inputs


def stacked(pixels: Pixels, pages: Sequence[Page]) -> npt.NDArray[np.float32]:
    """The pictures of some pages as one batch; each is prepared once, however often its page occurs."""
    ready = {id(page): pixels(page) for page in {id(page): page for page in pages}.values()}
    return np.stack([ready[id(page)] for page in pages])


def collate(
    sequences: Sequence[TokenSequence],
    spans: Sequence[Window],
    encoder: PageEncoder,
    *,
    uses_boxes: bool,
) -> Inputs:
    """Padded inputs: `input_ids` and `attention_mask` of shape (windows, tokens), `bbox` with a last axis of 4."""
    pieces = encoder.pieces
    width = max(span.end - span.start for span in spans) + 2
    ids = np.full((len(spans), width), pieces.pad, np.int64)
    mask = np.zeros((len(spans), width), np.int64)
    boxes = np.zeros((len(spans), width, 4), np.int64)
    for row, (sequence, span) in enumerate(zip(sequences, spans, strict=True)):
        tokens = [pieces.start, *sequence.ids[span.start : span.end], pieces.end]
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
        if uses_boxes and span.end > span.start:
            boxes[row, 1 : len(tokens)] = [*sequence.boxes[span.start : span.end], pieces.end_box]
    inputs: Inputs = {"input_ids": ids, "attention_mask": mask}
    if uses_boxes:
        inputs["bbox"] = boxes
    return inputs
