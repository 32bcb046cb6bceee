"""A printed line of a table as its cells: the words that describe, and the words that count and cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from serve_app.domain.document import Box
from serve_app.domain.labels import Label
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.tables.captions import captions_sum
from serve_app.extraction.tables.columns import MONEY
from serve_app.extraction.tables.numbers import NUMBERS, is_beside
from serve_app.extraction.tables.regions import Region

_CELLS = (Label.LINE_DESCRIPTION, *NUMBERS)
# Next to a word of a description, a word that is this likely to belong to it does.
CONTINUES = 0.15


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line with at least one cell. `description` are the words of its description, `labelled` those of all
    its cells; `begins` tells whether a description begins on it."""

    words: tuple[int, ...]
    labelled: tuple[int, ...]
    description: tuple[int, ...]
    numbers: frozenset[Label]
    begins: bool
    box: Box

    @property
    def has_money(self) -> bool:
        return bool(self.numbers & MONEY)

    def is_near(self, other: "Line", heights: float) -> bool:
        """Whether the other line is at most so many line heights away."""
        return abs(self.box.y_center - other.box.y_center) <= heights * max(self.box.height, other.box.height)


def table_lines(page: PageEvidence, region: Region) -> Iterator[Line]:
    """The lines of the region that have cells, without sums of several rows."""
    for words in page.lines[region.start : region.stop]:
        labels = {word: page.best_label(word) for word in words}
        if any(label in _CELLS for label in labels.values()) and not captions_sum(page.text(words)):
            numbers = frozenset(label for label in labels.values() if label in NUMBERS)
            described = [word for word in words if labels[word] is Label.LINE_DESCRIPTION]
            description = _continued(page, words, described)
            labelled = sorted({*description, *(word for word in words if labels[word] in NUMBERS)})
            begins = bool(described) and page.begins_span(described[0], Label.LINE_DESCRIPTION)
            yield Line(words, tuple(labelled), description, numbers, begins, _box(page, labelled))


def _continued(page: PageEvidence, words: Sequence[int], described: Sequence[int]) -> tuple[int, ...]:
    """The description with the likely words to its left and right."""
    found = set(described)
    for run in (words, words[::-1]):
        for one, other in pairwise(run):
            likely = page.probability(other, Label.LINE_DESCRIPTION) > CONTINUES and page.best_label(other) is None
            if one in found and likely and is_beside(page, *sorted((one, other))):
                found.add(other)
    return tuple(word for word in words if word in found)


def _box(page: PageEvidence, words: Sequence[int]) -> Box:
    """The box around the words, with the height of the highest one: a slanted line is no higher."""
    box = page.box(words)
    height = max(page.page.words[word].box.height for word in words)
    return Box(box.x0, box.y_center - height / 2, box.x1, box.y_center + height / 2)
