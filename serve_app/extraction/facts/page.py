"""The facts of a page."""

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, TypeVarTuple

from serve_app.domain.document import Box, Document, Page, union
from serve_app.domain.reading_order import group_lines
from serve_app.extraction.bounds import bounded_lines
from serve_app.extraction.captions import Captions, PageCaptions
from serve_app.extraction.currency.currencies import uses_three_decimals
from serve_app.extraction.facts.placeholders import placeholder_words
from serve_app.extraction.facts.vertical_labels import vertical_labels
from serve_app.extraction.notation import in_plain_notation

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")
Words = tuple[int, ...]
"""Words of a page, as indices in reading order."""
# Words further apart than this many times the line's height belong to different cells.
APART = 1.5
# Lines of one column begin within this (of the page's width).
SAME_EDGE = 0.01


@dataclass(frozen=True, eq=False)
class PageFacts:
    """What stands on a page, whatever a model says about it. Each kind is found when it is first asked for, once for
    all who read the page.

    `page` has its words in plain notation; `lines` are its printed lines, `placeholders` the words of a template;
    `has_thousandths`: its document names a currency with three decimals.
    """

    page: Page
    lines: tuple[Words, ...]
    placeholders: frozenset[int]
    all_captions: PageCaptions
    has_thousandths: bool = False
    _found: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    @cached_property
    def cells_by_row(self) -> tuple[tuple[Words, ...], ...]:
        """The cells of each printed line, from left to right."""
        labels = frozenset(word for label in self.vertical_labels for word in label)
        return tuple(tuple(split_line(self.page, line, own_cells=labels)) for line in self.lines)

    @cached_property
    def vertical_labels(self) -> tuple[Words, ...]:
        """The headings of parties whose signs stand below one another; each of their words is a cell."""
        return vertical_labels(self.page)

    @cached_property
    def cells(self) -> tuple[Words, ...]:
        """The cells of the page, line by line."""
        return tuple(cell for row in self.cells_by_row for cell in row)

    def cells_of(self, line: Sequence[int]) -> tuple[Words, ...]:
        """The cells of a printed line."""
        return self.cells_by_row[self.row_of(line[0])] if line else ()

    def cell_of(self, word: int) -> Words:
        """The cell that holds a word."""
        return self._cell_of_word[word]

    def begins_column(self, word: int) -> bool:
        """Whether a word begins a cell that goes on, from the same place, in the line above or below."""
        row, x0 = self.row_of(word), self.page.words[word].box.x0
        near = (cell for at in (row - 1, row + 1) if 0 <= at < len(self.lines) for cell in self.cells_by_row[at])
        return self.cell_of(word)[0] == word and any(abs(self.box(cell).x0 - x0) < SAME_EDGE for cell in near)

    def text(self, words: Sequence[int]) -> str:
        """The texts of words, with a space between them."""
        known = self._texts.get(tuple(words))
        return known if known is not None else self._text(words)

    def box(self, words: Sequence[int]) -> Box:
        """The smallest box around words, at least one."""
        return self._boxes.get(tuple(words)) or self._box(words)

    def row_of(self, word: int) -> int:
        """The index of the printed line that holds a word."""
        return self.all_captions.row_of(word)

    def line_of(self, word: int) -> Words:
        """The printed line that holds a word."""
        return self.lines[self.row_of(word)]

    def cells_near(self, words: Sequence[int], rows: Iterable[int]) -> Iterator[Words]:
        """The cells in the column of some words, on lines that are so many below theirs, or above."""
        own, box = self.row_of(words[-1]), self.box(words)
        lines = (self.cells_by_row[own + row] for row in rows if 0 <= own + row < len(self.lines))
        return (cell for line in lines for cell in line if self.box(cell).shares_column(box))

    def as_read(self, words: Sequence[int]) -> Words:
        """Words of one line in reading order: from the right in Arabic or Hebrew."""
        row = self.row_of(words[0]) if words else 0
        if not words or self.all_captions.lines[row] is self.lines[row]:
            return tuple(words)
        return tuple(sorted(words, key=self.all_captions.lines[row].index))

    def cells_as_read(self, line: Sequence[int]) -> tuple[Words, ...]:
        """The cells of a printed line and their words in reading order."""
        row = self.row_of(line[0]) if line else 0
        if not line or self.all_captions.lines[row] is self.lines[row]:
            return self.cells_of(line)
        place = self.all_captions.lines[row].index
        return tuple(sorted(map(self.as_read, self.cells_of(line)), key=lambda cell: place(cell[0])))

    def captions(self, words: Sequence[int]) -> Captions:
        """The captions around a value, given by its words, which are on one line."""
        return self.all_captions.of(words)

    def is_printed(self, words: Sequence[int]) -> bool:
        """Whether none of the words is a template's placeholder."""
        return self.placeholders.isdisjoint(words)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The texts of all words."""
        return frozenset(word.text for word in self.page.words)

    def once(self, find: Callable[["PageFacts", *Arguments], Found], *args: *Arguments) -> Found:
        """What `find` finds on this page: looked for once, for all who read it. For facts of a kind that few need."""
        return self.found_once((find, args), lambda: find(self, *args))

    def found_once(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """What `find` finds, which depends on no model, under a key."""
        if key not in self._found:
            self._found[key] = find()
        found: Found = self._found[key]
        return found

    # Of lines and cells, texts and boxes are asked for again and again; of all runs of words they would be too many.
    @cached_property
    def _texts(self) -> dict[Words, str]:
        return {words: self._text(words) for words in (*self.lines, *self.cells)}

    @cached_property
    def _boxes(self) -> dict[Words, Box]:
        return {words: self._box(words) for words in (*self.lines, *self.cells)}

    @cached_property
    def _cell_of_word(self) -> dict[int, Words]:
        return {word: cell for cell in self.cells for word in cell}

    def _text(self, words: Sequence[int]) -> str:
        printed = self.page.words
        return " ".join([printed[word].text for word in words])

    def _box(self, words: Sequence[int]) -> Box:
        printed = self.page.words
        return union([printed[word].box for word in words])


def facts_of_document(document: Document) -> tuple[PageFacts, ...]:
    """The facts of every page, whose words are in plain notation."""
    has_thousandths = uses_three_decimals([word.text for page in document.pages for word in page.words])
    pages = in_plain_notation(document, has_thousandths=has_thousandths)
    return tuple(facts_of_page(page, has_thousandths=has_thousandths) for page in pages)


def facts_of_page(page: Page, *, has_thousandths: bool = False) -> PageFacts:
    """The facts of one page."""
    lines = tuple(bounded_lines(group_lines([word.box for word in page.words])))
    placeholders = frozenset(
        line[position] for line in lines for position in placeholder_words([page.words[word].text for word in line])
    )
    return PageFacts(page, lines, placeholders, PageCaptions(page, lines), has_thousandths)


def split_line(
    page: Page, line: Sequence[int], apart: float = APART, own_cells: Container[int] = ()
) -> Iterator[tuple[int, ...]]:
    """The cells of one line, from left to right; words further `apart` than this many times their height are of
    different ones, and each of `own_cells` is one."""
    cell: list[int] = []
    for word in line:
        if cell and (word in own_cells or cell[-1] in own_cells or _is_apart(page, cell[-1], word, apart)):
            yield tuple(cell)
            cell = []
        cell.append(word)
    if cell:
        yield tuple(cell)


def _is_apart(page: Page, left: int, right: int, apart: float) -> bool:
    one, other = page.words[left].box, page.words[right].box
    # Boxes are fractions of the page: heights are brought to the unit of widths.
    height = max(one.height, other.height) * page.height / page.width
    return other.x0 - one.x1 > apart * height
