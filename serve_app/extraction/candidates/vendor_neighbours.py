"""What stands around a name that may be the issuer's: the party's section it is in, and the company under it."""

from collections import defaultdict
from collections.abc import Sequence

from serve_app.domain.document import Box
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.candidates.features import Features
from serve_app.extraction.facts import PageFacts, Words
from serve_app.extraction.facts.names import bare
from serve_app.extraction.facts.sections import LINES, Section, sections
from serve_app.extraction.parties.headings import Party, heading_alone
from serve_app.extraction.parties.legal_forms import has_legal_form


class PageNeighbours:
    """The parties' sections of a page, and which of its cells are companies."""

    def __init__(self, page: PageFacts, before: PageFacts | None = None) -> None:
        self._page = page
        self.sections = sections(page, before)
        self._by_row: dict[int, list[Section]] = defaultdict(list)
        self._by_name: dict[Words, Section] = {}
        for section in self.sections:
            self._by_row[section.row].append(section)
            for name in (section.name, bare(page, section.name)) if section.name else ():
                self._by_name.setdefault(name, section)

    def features(self, place: Place, name: str) -> Features:
        """What stands around a name."""
        page, row = self._page, self._page.row_of(place.words[0])
        party = self._section(row, page.box(place.words))
        named = self._named(place.words)
        cell = page.cell_of(place.words[0])
        return {
            "cut before": float(_is_cut(page, cell[: cell.index(place.words[0])])),
            "cut after": float(place.words[-1] in cell and place.words[-1] != cell[-1]),
            **({f"section:{party.value}": 1.0} if party else {}),
            **({f"names section:{named.party.value}": 1.0} if named else {}),
            "over a company": float(not has_legal_form(name) and self._is_over_company(place)),
        }

    def _section(self, row: int, box: Box) -> Party | None:
        """The party whose heading is the last one above a place, in its column."""
        above = (section for at in range(1, LINES + 1) for section in reversed(self._by_row.get(row - at, ())))
        return next((section.party for section in above if section.has_in_column(box)), None)

    def _named(self, words: Sequence[int]) -> Section | None:
        """The section that shows these words as the name of its party, with or without what is attached to its end."""
        return self._by_name.get(tuple(words))

    def _is_over_company(self, place: Place) -> bool:
        """Whether the line below a name prints a company in the same column."""
        return any(has_legal_form(self._page.text(cell)) for cell in self._page.cells_near(place.words, (1,)))


def _is_cut(page: PageFacts, before: Sequence[int]) -> bool:
    """Whether the words of a cell before a name belong to it: they are no caption."""
    return bool(before) and not page.text(before).endswith(":") and heading_alone(page.text(before)) is None


def share_of_small_words(name: str) -> float:
    """The share of a name's words that begin with a small letter: high in sentences."""
    words = [word for word in name.split() if word[0].isalpha()]
    return sum(word[0].islower() for word in words) / len(words) if words else 0.0
