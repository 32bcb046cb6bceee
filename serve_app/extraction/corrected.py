"""What a document says of the invoice that it corrects: a line, or a section under a heading, with its number, its
dates and its sums; or all of that invoice, as it was and as it is now, before what changes."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import pairwise, zip_longest

from serve_app.domain.document import Box
from serve_app.extraction.document_type import is_titled_credit_note
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts import PageFacts
from serve_app.extraction.knowledge import WordPattern

_BEFORE_VALUES = WordPattern("{documents.corrected_values}")
# A word may follow: "Original invoice details".
_HEADING = WordPattern(r"(?:{connectives.articles} )?{documents.corrected}(?: [^\W\d_]+)?")
# "Referencias: Factura Electrónica N° 30417 del 29-12-2025", at the start of a cell.
_LED = WordPattern(r"(?:{connectives.articles} )?{documents.corrected}(?: [^\W\d_]+)? ?:(?= )")
# "Korekta (różnica)".
_STATE = r"{{documents.{}}}(?: \(.*\))?"
# A section has at most so many lines, each at most this many line heights below the one before.
_LINES = 6
_NEAR = 2.4
# The lines of a section begin where its heading does, within this (of the page's width).
_ALIGNED = 0.02


class _State(StrEnum):
    """What the lines under a heading show; the value is the list of such headings."""

    BEFORE = "before_correction"
    AFTER = "after_correction"
    DIFFERENCE = "difference"


_STATES = {state: WordPattern(_STATE.format(state.value)) for state in _State}


def corrected_words(pages: Sequence[PageEvidence]) -> list[frozenset[int]]:
    """The words of each page that are about an invoice which they correct: the words before them say so, or the heading
    of their section."""
    is_credit_note = is_titled_credit_note(pages[0]) if pages else False
    corrected = (page.facts.once(_corrected, is_credit_note) for page in pages)
    return [words | state for words, state in zip(corrected, superseded_words(pages), strict=True)]


def superseded_words(pages: Sequence[PageEvidence]) -> list[frozenset[int]]:
    """The words of each page that show the invoice as it was, or as it is now where the difference follows."""
    found: list[set[int]] = [set() for _ in pages]
    headings = [(number, *each) for number, page in enumerate(pages) for each in page.facts.once(_states)]
    for (first, top, state), (last, end, following) in pairwise(headings):
        if state is _State.BEFORE or (state is _State.AFTER and following is _State.DIFFERENCE):
            for number in range(first, last + 1):
                lines = pages[number].lines[top if number == first else 0 : end if number == last else None]
                found[number].update(word for line in lines for word in line)
    return [frozenset(words) for words in found]


def _states(page: PageFacts) -> list[tuple[int, _State]]:
    """The lines that are such headings."""
    texts = [page.text(line).strip(" :") for line in page.lines]
    states = ((row, state) for row, text in enumerate(texts) for state in _State if _STATES[state].fullmatch(text))
    return list(states)


def _corrected(page: PageFacts, is_credit_note: bool) -> frozenset[int]:
    behind = (word for line in page.lines for word in _behind_caption(page, line))
    return frozenset(behind) | (corrected_section(page) if is_credit_note else frozenset())


def _behind_caption(page: PageFacts, line: Sequence[int]) -> Iterator[int]:
    """The words of a line behind those that say whose they are."""
    text = page.text(line)
    if found := _BEFORE_VALUES.search(text):
        yield from line[text.count(" ", 0, found.end()) + 1 :]


def corrected_section(page: PageFacts) -> frozenset[int]:
    """The words under or behind the headings of a credit note that announce the invoice which it corrects."""
    under = (word for row, box, end in _headings(page) for word in _section(page, row, box, end))
    return frozenset((*under, *_behind_headings(page)))


def _behind_headings(page: PageFacts) -> Iterator[int]:
    for line in page.lines:
        for cell in page.cells_of(line):
            text = page.text(cell)
            if found := _LED.match(text):
                yield from cell[text.count(" ", 0, found.end()) + 1 :]


def _headings(page: PageFacts) -> Iterator[tuple[int, Box, float]]:
    """The line of each heading, its place, and where the next column begins."""
    for row, line in enumerate(page.lines):
        cells = page.cells_of(line)
        for cell, after in zip_longest(cells, cells[1:]):
            if _HEADING.fullmatch(page.text(cell).strip(" :")):
                yield row, page.box(cell), page.box(after).x0 if after else 1.0


def _section(page: PageFacts, row: int, heading: Box, end: float) -> Iterator[int]:
    above = heading
    for line in page.lines[row + 1 : row + 1 + _LINES]:
        inside = [word for word in line if heading.x0 - _ALIGNED <= page.page.words[word].box.x0 < end]
        if not inside:
            # A line of the column beside.
            continue
        box = page.box(inside)
        is_near = box.y_center - above.y_center <= _NEAR * max(above.height, box.height)
        if not is_near or box.x0 > heading.x0 + _ALIGNED:
            return
        yield from inside
        above = box
