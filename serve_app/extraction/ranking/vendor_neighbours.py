"""What stands around a name that may be the issuer's: the party's section it is in, and the names over and under it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serve_app.domain.document import Box
from serve_app.extraction.candidates import Place
from serve_app.extraction.cells import cells_of
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.headings import Party, heading_alone
from serve_app.extraction.ranking.options import Features
from serve_app.extraction.ranking.vendor_places import has_legal_form

# A section goes on for at most so many lines under its heading.
LINES_OF_SECTION = 10
# The name in a section is further to the right than its heading by less than this (of the page's width).
INDENT = 0.3


@dataclass(frozen=True, slots=True)
class _Heading:
    row: int
    box: Box
    party: Party


class PageNeighbours:
    """The headings of a page, and which of its cells are companies."""

    def __init__(self, page: PageEvidence) -> None:
        self._page = page
        self._headings = list(_headings(page))

    def features(self, place: Place, name: str) -> Features:
        """What stands around a name."""
        page, row = self._page, self._page.row_of(place.words[0])
        party = self._section(row, page.box(place.words))
        is_company = has_legal_form(name)
        over, under = self._names_company(place, -1), self._names_company(place, 1)
        cell = _cell_around(page, place)
        return {
            "cut before": float(_is_cut(page, cell[: cell.index(place.words[0])])),
            "cut after": float(place.words[-1] in cell and place.words[-1] != cell[-1]),
            **({f"section:{party.value}": 1.0} if party else {}),
            "over a company": float(not is_company and under),
            "under a company": float(not is_company and over),
            "company over a company": float(is_company and under),
            "company under a company": float(is_company and over),
        }

    def _section(self, row: int, box: Box) -> Party | None:
        """The party whose heading is the last one above a place, in its column."""
        above = (
            heading
            for heading in reversed(self._headings)
            if 0 < row - heading.row <= LINES_OF_SECTION and _heads(heading.box, box)
        )
        return next((heading.party for heading in above), None)

    def _names_company(self, place: Place, step: int) -> bool:
        """Whether the line above (`step` -1) or below (1) a name prints a company in the same column."""
        page = self._page
        row = page.row_of(place.words[0 if step < 0 else -1]) + step
        if not 0 <= row < len(page.lines):
            return False
        box = page.box(place.words)
        cells = (cell for cell in cells_of(page, page.lines[row]) if _share_column(page.box(cell), box))
        return any(has_legal_form(page.text(cell)) for cell in cells)


def _headings(page: PageEvidence) -> Iterator[_Heading]:
    for row, line in enumerate(page.lines):
        for cell in cells_of(page, line):
            party = heading_alone(page.text(cell))
            if party is not None:
                yield _Heading(row, page.box(cell), party)


def _cell_around(page: PageEvidence, place: Place) -> tuple[int, ...]:
    """The cell that a name begins in."""
    first = place.words[0]
    return next(cell for cell in cells_of(page, page.line_of(first)) if first in cell)


def _is_cut(page: PageEvidence, before: Sequence[int]) -> bool:
    """Whether the words of a cell before a name belong to it: they are no caption."""
    return bool(before) and not page.text(before).endswith(":") and heading_alone(page.text(before)) is None


def _heads(heading: Box, lower: Box) -> bool:
    return heading.x0 - INDENT / 10 < lower.x0 < max(heading.x1, heading.x0 + INDENT)


def _share_column(one: Box, other: Box) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1


def share_of_small_words(name: str) -> float:
    """The share of a name's words that begin with a small letter: high in sentences."""
    words = [word for word in name.split() if word[0].isalpha()]
    return sum(word[0].islower() for word in words) / len(words) if words else 0.0


def extends(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Whether a name begins with all words of a shorter one."""
    return 0 < len(shorter) < len(longer) and longer[: len(shorter)] == shorter
