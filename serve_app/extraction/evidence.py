"""What a reading says about the words of a page, by label."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from serve_app.domain.document import Box, Document, Page, union
from serve_app.domain.labels import OUTSIDE, Label
from serve_app.domain.reading import Reading
from serve_app.domain.reading_order import group_lines
from serve_app.extraction.bounds import bounded_lines
from serve_app.extraction.captions import Captions, PageCaptions
from serve_app.extraction.currency.currencies import uses_three_decimals
from serve_app.extraction.notation import in_plain_notation
from serve_app.extraction.placeholders import placeholder_words

Found = TypeVar("Found")
Matrix = npt.NDArray[np.float32]
LABELS: tuple[Label, ...] = tuple(Label)
_COLUMN = {label: index for index, label in enumerate(LABELS)}


@dataclass(frozen=True, slots=True)
class Layout:
    """What a page shows whatever a model says about it: its words in plain notation, its printed lines (word indices),
    the placeholders of a template, the captions around its values, and whether its document names a currency with three
    decimals. `found` is what was looked for on it already (`PageEvidence.once`)."""

    page: Page
    lines: tuple[tuple[int, ...], ...]
    placeholders: frozenset[int]
    captions: PageCaptions
    has_thousandths: bool = False
    found: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """A page, its words in plain notation, its layout, and for every word the probability of each label.

    `inside` has shape (words, labels) in the order of `LABELS`; `begins` is the share of it that begins a new span.
    """

    page: Page
    layout: Layout
    inside: Matrix
    begins: Matrix

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The printed lines, as word indices."""
        return self.layout.lines

    def once(self, what: str, find: Callable[[], Found]) -> Found:
        """What `find` finds, which depends on no model: looked for once, for all who read the page."""
        if what not in self.layout.found:
            self.layout.found[what] = find()
        found: Found = self.layout.found[what]
        return found

    def row_of(self, word: int) -> int:
        """The index of the printed line that holds a word."""
        return self.layout.captions.row_of(word)

    def line_of(self, word: int) -> tuple[int, ...]:
        """The printed line that holds a word."""
        return self.lines[self.row_of(word)]

    def captions(self, words: Sequence[int]) -> Captions:
        """The captions around a value, given by its words, which are on one line."""
        return self.layout.captions.of(words)

    def is_printed(self, words: Sequence[int]) -> bool:
        """Whether none of the words is a template's placeholder."""
        return self.layout.placeholders.isdisjoint(words)

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
        return " ".join(self.page.words[word].text for word in words)

    def box(self, words: Sequence[int]) -> Box:
        return union(self.page.words[word].box for word in words)


def lay_out(document: Document) -> tuple[Layout, ...]:
    """The layout of every page, whose words are in plain notation."""
    has_thousandths = uses_three_decimals([word.text for page in document.pages for word in page.words])
    pages = in_plain_notation(document, has_thousandths=has_thousandths)
    return tuple(layout_of(page, has_thousandths=has_thousandths) for page in pages)


def layout_of(page: Page, *, has_thousandths: bool = False) -> Layout:
    """The layout of one page."""
    lines = tuple(bounded_lines(group_lines([word.box for word in page.words])))
    placeholders = frozenset(
        line[position] for line in lines for position in placeholder_words([page.words[word].text for word in line])
    )
    return Layout(page, lines, placeholders, PageCaptions(page, lines), has_thousandths)


def gather(document: Document, *readings: Reading, layouts: Sequence[Layout] | None = None) -> tuple[PageEvidence, ...]:
    """The evidence of one reading, or the mean of several; the placeholders of a template are evidence of nothing.

    `layouts` spares the work of laying the pages out again, where that was done.
    """
    for reading in readings:
        reading.check_against(document)
    pages = []
    for index, layout in enumerate(layouts or lay_out(document)):
        inside = np.mean([_by_label(reading, index, "BI") for reading in readings], axis=0)
        begins = np.mean([_by_label(reading, index, "B") for reading in readings], axis=0)
        empty = list(layout.placeholders)
        inside[empty] = begins[empty] = 0
        pages.append(PageEvidence(layout.page, layout, inside, begins))
    return tuple(pages)


def _by_label(reading: Reading, page: int, prefixes: str) -> Matrix:
    """Probabilities summed over the tags of each label that begin with one of `prefixes`; shape (words, labels)."""
    scores = reading.pages[page].scores
    summed: Matrix = np.zeros((len(scores), len(LABELS)), dtype=np.float32)
    for column, tag in enumerate(reading.tags):
        if tag != OUTSIDE and tag[0] in prefixes:
            summed[:, _COLUMN[Label(tag[2:])]] += scores[:, column]
    return summed
