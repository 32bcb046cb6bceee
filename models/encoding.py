"""Turn pages into token sequences: one encoder per kind of model."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Protocol

from models.pieces import Pieces, WordPieces
from serve_app.domain.document import Box, Page
from serve_app.domain.reading_order import group_lines

# Each becomes one token, so that a model without boxes still sees lines and columns.
NEW_LINE = "[NL]"
COLUMN_GAP = "[GAP]"
# A gap wider than this many times the line's height is a gap between columns.
COLUMN_GAP_HEIGHTS = 1.2

LayoutBox = tuple[int, int, int, int]
NO_BOX: LayoutBox = (0, 0, 0, 0)


@dataclass(slots=True)
class TokenSequence:
    """Tokens of a page without the start and end marks.

    `boxes` are in thousandths of the page, parallel to `ids`. `first` maps a word's index on the page to the index of
    its first token, in reading order; continuation tokens and layout marks have no entry.
    """

    ids: list[int] = field(default_factory=list)
    boxes: list[LayoutBox] = field(default_factory=list)
    first: list[tuple[int, int]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    def add_word(self, index: int, pieces: tuple[int, ...], box: LayoutBox) -> None:
        self.first.append((index, len(self.ids)))
        self.ids.extend(pieces)
        self.boxes.extend([box] * len(pieces))

    def add_mark(self, token: int) -> None:
        self.ids.append(token)
        self.boxes.append(NO_BOX)


class PageEncoder(Protocol):
    """Turns a page into the tokens of one kind of model."""

    @property
    def pieces(self) -> Pieces: ...

    def encode(self, page: Page) -> TokenSequence: ...


def layout_box(box: Box) -> LayoutBox:
    """The box in thousandths of the page, as LayoutLM models expect it (Xu et al., 2020)."""
    x0, y0, x1, y1 = (min(1000, max(0, round(value * 1000))) for value in (box.x0, box.y0, box.x1, box.y1))
    return x0, y0, max(x0, x1), max(y0, y1)


class LayoutEncoder:
    """Words and their boxes; also for third-party models that use only the words."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces

    def encode(self, page: Page) -> TokenSequence:
        sequence = TokenSequence()
        for index, word in enumerate(page.words):
            sequence.add_word(index, self.pieces.of_word(word.text), layout_box(word.box))
        return sequence


class TextEncoder:
    """Words in reading order with marks for new lines and column gaps, for this project's text-only models."""

    def __init__(self, pieces: WordPieces) -> None:
        self.pieces = pieces
        self._new_line = pieces.special(NEW_LINE)
        self._column_gap = pieces.special(COLUMN_GAP)

    def encode(self, page: Page) -> TokenSequence:
        sequence = TokenSequence()
        for line in group_lines([word.box for word in page.words]):
            self._add_line(sequence, page, line)
            sequence.add_mark(self._new_line)
        return sequence

    def _add_line(self, sequence: TokenSequence, page: Page, line: list[int]) -> None:
        self._add(sequence, page, line[0])
        for left, right in pairwise(line):
            if self._is_gap(page, left, right):
                sequence.add_mark(self._column_gap)
            self._add(sequence, page, right)

    def _add(self, sequence: TokenSequence, page: Page, index: int) -> None:
        sequence.add_word(index, self.pieces.of_word(page.words[index].text), NO_BOX)

    @staticmethod
    def _is_gap(page: Page, left: int, right: int) -> bool:
        before, after = page.words[left].box, page.words[right].box
        gap = (after.x0 - before.x1) * page.width
        return gap > COLUMN_GAP_HEIGHTS * max(before.height, after.height) * page.height


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens `start` to `end` (exclusive) of a sequence."""

    start: int
    end: int


def windows(length: int, size: int) -> Iterator[Window]:
    """Cover `length` tokens with windows of at most `size` that overlap by a quarter of it."""
    step = size - size // 4
    start = 0
    while True:
        end = min(start + size, length)
        yield Window(start, end)
        if end == length:
            return
        start += step
