"""A printed line of a table as its cells: the words that describe, and the words that count and cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from serve_app.domain.document import Box
from serve_app.domain.labels import Label
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts.numbers import is_beside
from serve_app.extraction.tables.captions import captions_sum
from serve_app.extraction.tables.columns import MONEY
from serve_app.extraction.tables.numbers import NUMBERS
from serve_app.extraction.tables.regions import Region

_CELLS = (Label.LINE_DESCRIPTION, *NUMBERS)
# Next to a word of a description, a word that is this likely to belong to it does.
CONTINUES = 0.15
# Descriptions of at least so many rows, of which this share begins within so much of the page's width, are aligned.
_FEW = 3
_MOST = 0.6
_ALIGNED = 0.01


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


def with_aligned_descriptions(page: PageEvidence, lines: Sequence[Line]) -> list[Line]:
    """The lines, where a description that begins farther to the right than most takes the words on its left that begin
    where the others do: "Linen" of "Linen | washed and ironed", which the models see in the other rows."""
    starts = [page.box(line.description).x0 for line in lines if line.description and line.has_money]
    edge = median(starts) if len(starts) >= _FEW else None
    if edge is None or sum(abs(start - edge) < _ALIGNED for start in starts) < _MOST * len(starts):
        return list(lines)
    return [_from_edge(page, line, edge) if line.has_money and line.description else line for line in lines]


def _from_edge(page: PageEvidence, line: Line, edge: float) -> Line:
    before = line.words[: line.words.index(line.description[0])]
    at = next((at for at, word in enumerate(before) if abs(page.page.words[word].box.x0 - edge) < _ALIGNED), None)
    left = before[at:] if at is not None else ()
    if not left or not all(page.best_label(word) is None and _is_word(page.page.words[word].text) for word in left):
        return line
    return replace(
        line, description=(*left, *line.description), labelled=tuple(sorted({*left, *line.labelled})), begins=True
    )


def _is_word(text: str) -> bool:
    return any(map(str.isalpha, text)) and not any(map(str.isdigit, text))


def _continued(page: PageEvidence, words: Sequence[int], described: Sequence[int]) -> tuple[int, ...]:
    """The description with the likely words to its left and right."""
    found = set(described)
    for run in (words, words[::-1]):
        for one, other in pairwise(run):
            likely = page.probability(other, Label.LINE_DESCRIPTION) > CONTINUES and page.best_label(other) is None
            if one in found and likely and is_beside(page.facts, *sorted((one, other))):
                found.add(other)
    return tuple(word for word in words if word in found)


def _box(page: PageEvidence, words: Sequence[int]) -> Box:
    """The box around the words, with the height of the highest one: a slanted line is no higher."""
    box = page.box(words)
    height = max(page.page.words[word].box.height for word in words)
    return Box(box.x0, box.y_center - height / 2, box.x1, box.y_center + height / 2)
