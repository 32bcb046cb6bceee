"""Which captions are before and above a value."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from serve_app.domain.document import Box, Page, Word, union
from serve_app.extraction.captions.asides import asides
from serve_app.extraction.captions.direction import in_reading_order, runs_from_right
from serve_app.extraction.captions.find import find_captions
from serve_app.extraction.captions.found import FoundCaption
from serve_app.extraction.captions.lexicon import Meanings
from serve_app.extraction.knowledge import Caption

Lines = Sequence[Sequence[int]]

# A caption is at most this many printed lines above its value.
LINES_ABOVE = 3
# A sum may be below this many more lines of a table.
LINES_OF_TABLE = 8
# A line of at least so many captions, and little else, heads columns.
_HEADS = 3
# A line with a title has at most so many words.
_TITLE = 4
_NUMBER = re.compile(r"[^A-Za-z]{0,3}\d[\d.,'’ ]*\W{0,3}")


@dataclass(frozen=True, slots=True)
class Captions:
    """The captions of a value, each with all its possible meanings, empty if there is none.

    `before` is the nearest before it on its line, `earlier` the one before that: of the date in "Invoice No. 17 of
    1 March" it is "Invoice No.". Of a value behind an aside, both are before that: of the last number in "Total
    (incl. 18.04 VAT) 113.00", `before` is "Total". A value in an aside has the captions in it; of 18.04, `before`
    is the "VAT" behind it. `skipped` counts the words with digits between the value and the caption before it: "VAT
    19 % 3.19" skips two. `above` is right above the value, `column` above the numbers above it, as in a table.
    """

    before: Meanings
    earlier: Meanings
    skipped: int
    above: Meanings
    column: Meanings


class PageCaptions:
    """The captions of a page whose printed lines (word indices, from left to right) are known. `lines` has them in
    reading order."""

    def __init__(self, page: Page, lines: Lines) -> None:
        self._known: dict[tuple[int, ...], Captions] = {}
        self.lines = [_as_read(page, line) for line in lines]
        self._words: list[list[Word]] = [[page.words[index] for index in line] for line in self.lines]
        self._asides = [asides(words) for words in self._words]
        self._found = _under_titles(self._words, [find_captions(words) for words in self._words])
        self._place = {index: (row, column) for row, line in enumerate(self.lines) for column, index in enumerate(line)}

    def row_of(self, word: int) -> int:
        """The index of the line that holds a word."""
        return self._place[word][0]

    def has(self, caption: Caption) -> bool:
        """Whether a line of the page has a caption of this meaning."""
        return any(caption in found.meanings for line in self._found for found in line)

    def of(self, words: Sequence[int]) -> Captions:
        """The captions of the value in some words; of a value on two lines, those of its first."""
        # Requested repeatedly for the same value: by each model, as a candidate and for every sum.
        key = tuple(words)
        if key not in self._known:
            self._known[key] = self._around(key)
        return self._known[key]

    def _around(self, words: Sequence[int]) -> Captions:
        row = self.row_of(words[0])
        columns = [column for of, column in (self._place[word] for word in words) if of == row]
        column = min(columns)
        earlier, before = self._before(row, column)
        skipped = 0 if before is None else self._digits(row, before.last + 1, column)
        above, over_numbers = self._above(row, union([self._words[row][each].box for each in columns]))
        return Captions(_meanings(before), _meanings(earlier), skipped, above, over_numbers)

    def _before(self, row: int, column: int) -> tuple[FoundCaption | None, FoundCaption | None]:
        """The last two captions before the value; the last may end in the value's own word ("Total:12.50")."""
        captions = self._on_its_level(row, column)
        found = [None, None, *(caption for caption in captions if caption.last <= column)]
        if found[-1] is None:
            return None, self._behind(row, column)
        return found[-2], found[-1]

    def _on_its_level(self, row: int, column: int) -> Sequence[FoundCaption]:
        """The captions in the aside that holds the value, or else those of the line but those in asides; all of them
        where there are no such."""
        every = self._found[row]
        aside = next((aside for aside in self._asides[row] if column in aside), range(0))
        own = [caption for caption in every if caption.first in aside]
        outside = [one for one in every if one.last <= column and not self._is_in_aside(row, one)]
        return own or outside or every

    def _is_in_aside(self, row: int, caption: FoundCaption) -> bool:
        return any(caption.first in aside for aside in self._asides[row])

    def _behind(self, row: int, column: int) -> FoundCaption | None:
        """The caption right behind a value that has none before it: the tax's in an aside ("incl. 18.04 VAT"), or
        any on a line with words from right to left: HTML may set a Latin number at the other end of them."""
        behind = next((caption for caption in self._found[row] if caption.first > column), None)
        if behind is None or self._digits(row, column + 1, behind.first):
            return None
        is_tax = Caption.TAX in behind.meanings and any(column in aside for aside in self._asides[row])
        return behind if is_tax or any(map(runs_from_right, self._words[row])) else None

    def _digits(self, row: int, first: int, end: int) -> int:
        return sum(any(map(str.isdigit, word.text)) for word in self._words[row][first:end])

    def _above(self, row: int, own: Box) -> tuple[Meanings, Meanings]:
        """The caption right above a value, and the one above the numbers above it."""
        numbers = 0
        for upper in range(row - 1, max(-1, row - 1 - LINES_ABOVE - LINES_OF_TABLE), -1):
            over = [position for position, word in enumerate(self._words[upper]) if word.box.shares_column(own)]
            if over and self._is_number(upper, over):
                numbers += 1
            elif over:
                found = self._covering(upper, over)
                return ((), found) if numbers else (found, ())
            elif upper == row - 1 and (nearest := self._nearest_of_heads(upper, own)):
                return nearest, ()
            elif row - upper >= LINES_ABOVE and not numbers:
                break
        return (), ()

    def _nearest_of_heads(self, row: int, own: Box) -> Meanings:
        """The caption with the word nearest to a value which is below no word of a line of captions: heads may stand in
        the middle of cells whose values stand at their sides."""
        found, words = self._found[row], self._words[row]
        if len(found) < _HEADS or 2 * sum(one.last - one.first + 1 for one in found) < len(words):
            return ()
        nearest = min(range(len(words)), key=lambda position: abs(words[position].box.x_center - own.x_center))
        return self._covering(row, (nearest,))

    def _is_number(self, row: int, positions: Sequence[int]) -> bool:
        return all(_NUMBER.fullmatch(self._words[row][position].text) for position in positions)

    def _covering(self, row: int, positions: Sequence[int]) -> Meanings:
        """The caption that contains the first of some words of a line, else the last."""
        for position in (positions[0], positions[-1]):
            for caption in self._found[row]:
                if caption.first <= position <= caption.last:
                    return caption.meanings
        return ()


def _as_read(page: Page, line: Sequence[int]) -> Sequence[int]:
    words = [page.words[index] for index in line]
    return [line[position] for position in in_reading_order(words)] if any(map(runs_from_right, words)) else line


def _under_titles(lines: Sequence[Sequence[Word]], found: Sequence[Sequence[FoundCaption]]) -> list[list[FoundCaption]]:
    """The captions of all lines; a vague "No." that begins the line below a title is the invoice's number's."""
    plain = [list(captions) for captions in found]
    for row in range(1, len(lines)):
        captions, above = plain[row], found[row - 1]
        is_below = any(Caption.TITLE in title.meanings for title in above) and len(lines[row - 1]) <= _TITLE
        if is_below and captions and captions[0].first == 0 and Caption.NUMBER in captions[0].meanings:
            captions[0] = replace(captions[0], meanings=(Caption.INVOICE_NUMBER,))
    return plain


def _meanings(caption: FoundCaption | None) -> Meanings:
    return caption.meanings if caption else ()
