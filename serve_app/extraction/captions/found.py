"""A caption that was found on a line."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from serve_app.domain.document import Word
from serve_app.extraction.captions.lexicon import Meanings

# Words further apart than this many times their height do not form one caption.
APART = 2.5


@dataclass(frozen=True, slots=True)
class FoundCaption:
    """A caption and its words: their positions in the line, first and last."""

    meanings: Meanings
    first: int
    last: int


def stand_together(line: Sequence[Word], first: int, last: int) -> bool:
    """Whether no gap separates the words of a line, in reading order, from the first position to the last."""
    words = line[first : last + 1]
    return all(
        max(one.box.x0, other.box.x0) - min(one.box.x1, other.box.x1) <= APART * max(one.box.height, other.box.height)
        for one, other in pairwise(words)
    )
