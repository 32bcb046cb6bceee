"""Read a line of text: the PP-OCR recogniser, a network with connectionist temporal classification (CTC)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.line_networks import Columns, LineNetwork
from serve_app.documents.ocr.networks import Values, values_of

LINE_HEIGHT = 48
"""Pixels: the line height that the network was trained with."""
_LEAST_WIDTH = 96
"""Pixels: shorter lines are padded, because the network reads them worse."""
_STEP = 16
"""Pixels between the widths up to twice the least one; twice as many up to four times as much, and so on."""
_BATCH_WIDTH = 2400
"""Pixels of all lines of a batch: bounds memory."""
_BATCH = 6


@dataclass(frozen=True, slots=True)
class Letter:
    """A recognised character: `position` is its centre as a fraction of the line's width."""

    text: str
    position: float
    confidence: float


class Recogniser:
    """Reads pictures of single lines."""

    def __init__(self, network: LineNetwork) -> None:
        self._network = network
        # The first class is CTC's blank, the last one the space.
        self._alphabet = ["", *network.alphabet.splitlines(), " "]

    def read(self, lines: Sequence[Picture]) -> list[list[Letter]]:
        """The characters of each picture, including spaces, from left to right."""
        batches = list(_batches(lines))
        columns = self._network.read(_inputs([lines[index] for index in batch]) for batch in batches)
        read = dict(zip(chain.from_iterable(batches), columns, strict=True))
        return [self._letters(read[index], _padded_width(line) / _width(line)) for index, line in enumerate(lines)]

    def _letters(self, columns: Columns, stretch: float) -> list[Letter]:
        best = columns.best
        # A character spans several columns; only the first counts.
        starts = np.flatnonzero((best != 0) & (best != np.concatenate(([0], best[:-1]))))
        return [
            Letter(self._alphabet[best[at]], min((at + 0.5) / len(best) * stretch, 1.0), float(columns.chances[at]))
            for at in starts
        ]


def _width(line: Picture) -> int:
    """The width to which a line is stretched, a sixth more than its own at most: wide characters are read better, and
    padding would take as long.

    An engine prepares itself for each width, which takes as long as reading some lines of it, and keeps what it has
    prepared: few widths, of which most pages use the same."""
    height, width = line.shape[:2]
    natural = max(1, int(width * LINE_HEIGHT / height + 0.5))
    if natural <= _LEAST_WIDTH:
        return natural
    step = _STEP << ((natural - 1) // _LEAST_WIDTH).bit_length() - 1
    return -(-natural // step) * step


def _padded_width(line: Picture) -> int:
    """The width at which a line is read."""
    return max(_LEAST_WIDTH, _width(line))


def _batches(lines: Sequence[Picture]) -> Iterator[list[int]]:
    """Indices of lines, batched by the width at which they are read."""
    widths = list(map(_padded_width, lines))
    for width, same in groupby(sorted(range(len(lines)), key=widths.__getitem__), widths.__getitem__):
        indices, size = list(same), max(1, min(_BATCH, _BATCH_WIDTH // width))
        yield from (indices[start : start + size] for start in range(0, len(indices), size))


def _inputs(lines: Sequence[Picture]) -> Values:
    """A batch of lines of one width."""
    return np.stack([_values(line, _padded_width(line)) for line in lines])


def _values(line: Picture, width: int) -> npt.NDArray[np.float32]:
    """Channels, rows, columns; values from -1 to 1; padded on the right."""
    own = _width(line)
    resized = cast(Picture, cv2.resize(line, (own, LINE_HEIGHT), interpolation=cv2.INTER_LINEAR))
    values = np.zeros((3, LINE_HEIGHT, width), np.float32)
    values[:, :, :own] = values_of(resized)
    return values
