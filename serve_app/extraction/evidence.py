"""What a reading says about the words of a page, by label."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple

import numpy as np
import numpy.typing as npt

from serve_app.domain.document import Box, Document, Page
from serve_app.domain.labels import OUTSIDE, Label
from serve_app.domain.reading import Reading
from serve_app.extraction.captions import Captions
from serve_app.extraction.facts import PageFacts, Words, facts_of_document

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")
Matrix = npt.NDArray[np.float32]
LABELS: tuple[Label, ...] = tuple(Label)
_COLUMN = {label: index for index, label in enumerate(LABELS)}


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """A page, its words in plain notation, its facts, and for every word the probability of each label.

    `inside` has shape (words, labels) in the order of `LABELS`; `begins` is the share of it that begins a new span.
    """

    page: Page
    facts: PageFacts
    inside: Matrix
    begins: Matrix

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The printed lines, as word indices."""
        return self.facts.lines

    def once(self, find: Callable[["PageEvidence", *Arguments], Found], *args: *Arguments) -> Found:
        """What `find` finds, which depends on no model: looked for once, for all who read the page."""
        return self.facts.found_once((find, args), lambda: find(self, *args))

    @property
    def cells(self) -> tuple[Words, ...]:
        """The cells of the page, line by line: words that stand together, apart from the rest of their line."""
        return self.facts.cells

    def cells_of(self, line: Sequence[int]) -> tuple[Words, ...]:
        """The cells of a printed line, from left to right."""
        return self.facts.cells_of(line)

    def cell_of(self, word: int) -> Words:
        """The cell that holds a word."""
        return self.facts.cell_of(word)

    def row_of(self, word: int) -> int:
        """The index of the printed line that holds a word."""
        return self.facts.row_of(word)

    def line_of(self, word: int) -> tuple[int, ...]:
        """The printed line that holds a word."""
        return self.lines[self.row_of(word)]

    def captions(self, words: Sequence[int]) -> Captions:
        """The captions around a value, given by its words, which are on one line."""
        return self.facts.captions(words)

    def is_printed(self, words: Sequence[int]) -> bool:
        """Whether none of the words is a template's placeholder."""
        return self.facts.is_printed(words)

    def probability(self, word: int, label: Label) -> float:
        return self.inside.item(word, _COLUMN[label])

    def strongest(self, labels: Sequence[Label]) -> list[float]:
        """For every word the highest probability among some labels."""
        columns = [_COLUMN[label] for label in labels]
        highest: list[float] = self.inside[:, columns].max(axis=1).tolist()
        return highest

    def mean(self, words: Sequence[int], label: Label) -> float:
        """The mean probability that words, of which there is at least one, carry the label."""
        return sum(self.probability(word, label) for word in words) / len(words)

    def begins_span(self, word: int, label: Label) -> bool:
        """Whether the word is likelier to begin a span of the label than to continue one."""
        return self.begins.item(word, _COLUMN[label]) > 0.5 * self.probability(word, label)

    def best_label(self, word: int) -> Label | None:
        """The likeliest label, or None if having no label is at least as likely."""
        column = int(np.argmax(self.inside[word]))
        nothing = 1.0 - float(self.inside[word].sum())
        return LABELS[column] if float(self.inside[word, column]) > nothing else None

    def text(self, words: Sequence[int]) -> str:
        return self.facts.text(words)

    def box(self, words: Sequence[int]) -> Box:
        return self.facts.box(words)


def gather(document: Document, *readings: Reading, facts: Sequence[PageFacts] = ()) -> tuple[PageEvidence, ...]:
    """The evidence of one reading, or the mean of several; the placeholders of a template, and headings that are set
    vertically, are evidence of nothing.

    `facts` are those of the pages, if they have been found already.
    """
    for reading in readings:
        reading.check_against(document)
    pages = []
    for index, found in enumerate(facts or facts_of_document(document)):
        inside = np.mean([_by_label(reading, index, "BI") for reading in readings], axis=0)
        begins = np.mean([_by_label(reading, index, "B") for reading in readings], axis=0)
        empty = [*found.placeholders, *(word for heading in found.vertical_labels for word in heading)]
        inside[empty] = begins[empty] = 0
        pages.append(PageEvidence(found.page, found, inside, begins))
    return tuple(pages)


def _by_label(reading: Reading, page: int, prefixes: str) -> Matrix:
    """Probabilities summed over the tags of each label that begin with one of `prefixes`; shape (words, labels)."""
    scores = reading.pages[page].scores
    summed: Matrix = np.zeros((len(scores), len(LABELS)), dtype=np.float32)
    for column, tag in enumerate(reading.tags):
        if tag != OUTSIDE and tag[0] in prefixes:
            summed[:, _COLUMN[Label(tag[2:])]] += scores[:, column]
    return summed
