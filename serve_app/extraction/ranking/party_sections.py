"""Sections of a form: under a heading such as "Seller" or "Käufer" a party's number, name and address."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from serve_app.domain.document import Box
from serve_app.extraction.captions.find import are_captions
from serve_app.extraction.cells import cells_of
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.headings import Party, heading_length, heads_section, is_payee
from serve_app.extraction.legal_forms import has_legal_form

Words = tuple[int, ...]

# A section goes on for at most so many lines under its heading.
LINES = 10
# What is in a section begins further to the right than its heading by less than this (of the page's width), or further
# to the left by less than that.
INDENT, OUTDENT = 0.3, 0.03
# What is this far (of the page's width) to the right of a heading may be of another column.
BESIDE = 0.12
_OF_NAME = re.compile(
    r"(?:full |legal |trade |company |business |firmen)?name|company|firma|nom|raison sociale|soci[ée]t[ée]|nombre|"
    r"raz[óo]n social|empresa|denominazione|ragione sociale|ditta|naam|bedrijf(?:snaam)?|nome|ad[ıi]|unvan[ıi]?|nazwa|"
    r"n[áa]zev",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Section:
    """The heading of a party's section: the line it is on, its place, and whose section it is. `name`: the words of
    the party's name, as the form shows it; empty if it shows none, or if the heading says only who is to be paid."""

    row: int
    box: Box
    party: Party
    name: Words = ()

    def has_in_column(self, box: Box) -> bool:
        """Whether a place further down is in the section's column."""
        return self.box.x0 - OUTDENT < box.x0 < max(self.box.x1, self.box.x0 + INDENT)


def sections(page: PageEvidence) -> list[Section]:
    """The sections of a page, from the top."""
    return list(_sections(page))


def _sections(page: PageEvidence) -> Iterator[Section]:
    for row, line in enumerate(page.lines):
        cells = list(cells_of(page, line))
        for at, cell in enumerate(cells):
            text = page.text(cell)
            party = heads_section(text)
            # "Lieferant GmbH" is a name, "Supplier code" a caption.
            if party is not None and (not _rest(page, cell) or _ends_caption(page, cell)):
                section = Section(row, page.box(cell), party)
                name = () if is_payee(text) else _name(page, section, cell, cells[at + 1 :])
                yield Section(row, section.box, party, name)


def _name(page: PageEvidence, section: Section, heading: Words, right: Sequence[Words]) -> Words:
    """The name that a section shows: behind its heading, or else in the first line below that has no other caption."""
    rest = _rest(page, heading)
    if rest:
        return rest if "@" not in page.text(rest) else ()
    if right and page.text(heading).endswith(":") and not _is_other_column(page, section, right[0]):
        return () if heads_section(page.text(right[0])) else right[0]
    for line in page.lines[section.row + 1 : section.row + 1 + LINES]:
        cells = [cell for cell in cells_of(page, line) if section.has_in_column(page.box(cell))]
        if any(heads_section(page.text(cell)) for cell in cells[:1]):
            break
        name = _name_in(page, cells, list(cells_of(page, line)))
        if name:
            return (*name, *_second_line(page, section, name))
    return ()


def _is_other_column(page: PageEvidence, section: Section, right: Words) -> bool:
    """Whether what stands to the right of a heading is of another column: it is far, and the section goes on below."""
    below = page.lines[section.row + 1] if section.row + 1 < len(page.lines) else ()
    goes_on = any(section.has_in_column(page.box(cell)) for cell in cells_of(page, below))
    return goes_on and page.box(right).x0 - section.box.x1 > BESIDE


def _second_line(page: PageEvidence, section: Section, name: Words) -> Words:
    """The line under a name without a legal form, if that line has one: "Akme Hardware" over "Supplies Ltd"."""
    row = page.row_of(name[0]) + 1
    if row == len(page.lines) or has_legal_form(page.text(name)):
        return ()
    below = [cell for cell in cells_of(page, page.lines[row]) if section.has_in_column(page.box(cell))]
    text = page.text(below[0]) if below else ""
    return below[0] if has_legal_form(text) and not any(map(str.isdigit, text)) else ()


def _rest(page: PageEvidence, heading: Words) -> Words:
    """What follows a heading in its cell."""
    length = heading_length([page.page.words[word].text for word in heading])
    return heading[length:] if length else ()


def _ends_caption(page: PageEvidence, cell: Words) -> bool:
    """Whether the heading of a cell is set off from what follows it by a colon."""
    return any(page.page.words[word].text.endswith(":") for word in set(cell) - set(_rest(page, cell)))


def _name_in(page: PageEvidence, cells: Sequence[Words], line: Sequence[Words]) -> Words:
    """The name in a line of a section, of which `cells` are in its column; empty if it is something else."""
    if not cells:
        return ()
    following = next(iter(line[line.index(cells[0]) + 1 :]), ())
    caption, value = _split(page, cells[0])
    if following and page.page.words[following[0]].text.startswith(":"):
        caption, value = cells[0], following[1:]
    if caption:
        is_name = _OF_NAME.fullmatch(page.text(caption).rstrip(" :"))
        return (value or following) if is_name else ()
    text = page.text(value)
    has_letters = sum(map(str.isalpha, text)) > max(1, sum(map(str.isdigit, text)))
    return value if has_letters and not are_captions([page.page.words[word] for word in value]) else ()


def _split(page: PageEvidence, cell: Words) -> tuple[Words, Words]:
    """The caption of a cell, which ends with a colon, and what follows it; either may be empty."""
    ends = [at for at, word in enumerate(cell) if page.page.words[word].text.endswith(":")]
    return (cell[: ends[0] + 1], cell[ends[0] + 1 :]) if ends else ((), cell)
