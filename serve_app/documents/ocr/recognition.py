"""Read a line of text: the PP-OCR recogniser, a network with connectionist temporal classification (CTC)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import cv2
import numpy as np
import numpy.typing as npt

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.networks import Network

_HEIGHT = 48
"""Pixels: the line height that the network was trained with."""
_LEAST_WIDTH = 160
"""Pixels: shorter lines are padded, because the network reads them worse."""
_BATCH_WIDTH = 2400
"""Pixels of all lines of a batch: bounds memory."""
_BATCH = 6
_WIDTHS = 4
"""Widths from one power of two to the next. An engine prepares itself for each width, which takes as long as reading
some lines of it, and keeps what it has prepared: few widths, of which most pages use the same."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A recognised character: `position` is its centre as a fraction of the line's width."""

    text: str
    position: float
    confidence: float


class Recogniser:
    """Reads pictures of single lines."""

    def __init__(self, network: Network) -> None:
        self._network = network
        # The first class is CTC's blank, the last one the space.
        self._alphabet = ["", *network.alphabet.splitlines(), " "]

    def read(self, lines: Sequence[Picture]) -> list[list[Letter]]:
        """The characters of each RGB picture, including spaces, from left to right."""
        answers: list[list[Letter]] = [[] for _ in lines]
        for batch in _batches(lines):
            width = _padded_width(lines[batch[0]])
            values = np.stack([_values(lines[index], width) for index in batch])
            for index, chances in zip(batch, self._network.run(values), strict=True):
                answers[index] = self._letters(chances, width / _width(lines[index]))
        self._network.release()
        return answers

    def _letters(self, chances: npt.NDArray[np.float32], stretch: float) -> list[Letter]:
        best = chances.argmax(axis=1)
        # A character spans several columns; only the first counts.
        starts = np.flatnonzero((best != 0) & (best != np.concatenate(([0], best[:-1]))))
        return [
            Letter(self._alphabet[best[at]], min((at + 0.5) / len(best) * stretch, 1.0), float(chances[at, best[at]]))
            for at in starts
        ]


def _width(line: Picture) -> int:
    height, width = line.shape[:2]
    return max(1, int(width * _HEIGHT / height + 0.5))


def _padded_width(line: Picture) -> int:
    """The width at which a line is read."""
    width = max(_LEAST_WIDTH, _width(line))
    step = (1 << (width - 1).bit_length()) // (2 * _WIDTHS)
    return -(-width // step) * step


def _batches(lines: Sequence[Picture]) -> Iterator[list[int]]:
    """Indices of lines, batched by the width at which they are read."""
    widths = list(map(_padded_width, lines))
    for width, same in groupby(sorted(range(len(lines)), key=widths.__getitem__), widths.__getitem__):
        indices, size = list(same), max(1, min(_BATCH, _BATCH_WIDTH // width))
        yield from (indices[start : start + size] for start in range(0, len(indices), size))


def _values(line: Picture, width: int) -> npt.NDArray[np.float32]:
    """Channels, rows, columns; values from -1 to 1; padded on the right."""
    own = _width(line)
    resized = cv2.resize(line, (own, _HEIGHT), interpolation=cv2.INTER_LINEAR)
    values = np.zeros((3, _HEIGHT, width), np.float32)
    values[:, :, :own] = (resized[:, :, ::-1].astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)
    return values
