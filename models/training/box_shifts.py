"""Measure how a reader's boxes differ from those of the print."""

from dataclasses import dataclass, field
from math import log
from statistics import linear_regression, median

from serve_app.domain.document import Word

_QUANTILES = 20
# Documents with fewer words say nothing about their boxes.
_FEWEST = 15
# The ends of shorter words lie too close together.
_SHORTEST = 3


@dataclass
class Shifts:
    """Measured over documents.

    `heights`: logarithms of a word's height over the print's, less the document's median, which is in `documents`.
    `down`: how far a word stands too low, in heights; `left`, `right`: how far its ends stand to the right, in letters.
    """

    heights: list[float] = field(default_factory=list)
    documents: list[float] = field(default_factory=list)
    down: list[float] = field(default_factory=list)
    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)

    def add(self, pairs: list[tuple[Word, Word]]) -> None:
        """Adds one document's words as they are printed and as they were read."""
        pairs = [pair for pair in pairs if len(pair[0].text) >= _SHORTEST]
        if len(pairs) < _FEWEST:
            return
        heights = [log(read.box.height / printed.box.height) for printed, read in pairs]
        usual = median(heights)
        self.documents.append(usual)
        self.heights += [height - usual for height in heights]
        letter = median(read.box.width / len(read.text) for _, read in pairs)
        self.left += [(read.box.x0 - printed.box.x0) / letter for printed, read in pairs]
        self.right += [(read.box.x1 - printed.box.x1) / letter for printed, read in pairs]
        # The pages need not match exactly: a shift or stretch of the whole page is not an error.
        where = [(printed.box.y_center, read.box.y_center) for printed, read in pairs]
        line = linear_regression(*zip(*where, strict=True))
        high = median(read.box.height for _, read in pairs)
        self.down += [(read - line.intercept - line.slope * printed) / high for printed, read in where]

    def parts(self) -> dict[str, list[float]]:
        return {
            "height": self.heights,
            "document height": self.documents,
            "down": self.down,
            "left": self.left,
            "right": self.right,
        }


def quantiles(values: list[float]) -> list[float]:
    """The median of each of twenty equal parts; empty for no values."""
    if not values:
        return []
    ordered = sorted(values)
    return [ordered[int((part + 0.5) / _QUANTILES * len(ordered))] for part in range(_QUANTILES)]
