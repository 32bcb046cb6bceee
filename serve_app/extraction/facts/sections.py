"""Sections of a form: under a heading such as "Seller" or "Käufer" a party's number, name and address."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from serve_app.domain.document import Box
from serve_app.extraction.captions.find import are_captions
from serve_app.extraction.facts import PageFacts, Words
from serve_app.extraction.facts.page import SAME_EDGE
from serve_app.extraction.facts.vertical_sections import first_row, name_beside
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.headings import Party, heading_length, heads_section, is_payee, vertical_heading
from serve_app.extraction.parties.legal_forms import has_legal_form

# A section goes on for at most so many lines under its heading.
LINES = 10
# What is in a section begins further to the right than its heading by less than this (of the page's width), or further
# to the left by less than that.
INDENT, OUTDENT = 0.3, 0.03
# What is this far (of the page's width) to the right of a heading may be of another column.
BESIDE = 0.12
# The lines of a block that is flush right end within this (of the page's width).
FLUSH = 0.006
# Cells of a column begin within this (of the page's width).
ALIGNED = 0.02
# The caption of a name, or two: "Nome/Razão Social", "Nombre o razón social".
_OF_NAME = WordPattern(
    r"{names.captions}(?:(?: ?/ ?| {connectives.either|connectives.both} ){names.captions})?|{names.caption_of} .+"
)
# What a form prints beside a person's first name.
_OF_SURNAME = WordPattern("{names.surname}")
_OF_ADDRESS = WordPattern(r"(?:\w+ )?{names.address}(?: \d)?")
# These head the seller's section, or stand before the name of who sold.
_OF_SALESPEOPLE = WordPattern("{parties.salesperson}")


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
        begins_right = self.box.x0 - OUTDENT < box.x0 < max(self.box.x1, self.box.x0 + INDENT)
        # A block may be flush right.
        ends_right = abs(box.x1 - self.box.x1) < FLUSH
        return begins_right or ends_right


def sections(page: PageFacts, before: PageFacts | None = None) -> list[Section]:
    """The sections of a page, from the top. A heading on the last line of the page `before` heads this one."""
    return page.once(_all_sections, before)


def _all_sections(page: PageFacts, before: PageFacts | None) -> list[Section]:
    return [*_continued(page, before), *_vertical(page), *_sections(page)]


def _vertical(page: PageFacts) -> Iterator[Section]:
    """The sections beside vertical headings. Each begins below the line above it."""
    for label in page.vertical_labels:
        party = vertical_heading(page, label)
        if party is not None:
            yield Section(first_row(page, label) - 1, page.box(label), party, name_beside(page, label))


def _continued(page: PageFacts, before: PageFacts | None) -> Iterator[Section]:
    if before is None or not before.lines:
        return
    for cell in before.cells_as_read(before.lines[-1]):
        text = before.text(cell)
        party = heads_section(text)
        if party is not None and not _rest(before, cell):
            section = Section(-1, before.box(cell), party)
            yield section if is_payee(text) else replace(section, name=_in_page_order(_name_below(page, section)))


def _sections(page: PageFacts) -> Iterator[Section]:
    for row, line in enumerate(page.lines):
        cells = page.cells_as_read(line)
        for at, cell in enumerate(cells):
            text = page.text(cell)
            party = heads_section(text)
            # "Lieferant AG" is a name, "Supplier code" a caption.
            if party is not None and (not _rest(page, cell) or _ends_caption(page, cell)):
                section = Section(row, page.box(cell), party)
                name = () if is_payee(text) else _name(page, section, cell, cells[at + 1 :])
                yield replace(section, name=_in_page_order(name))


def _in_page_order(name: Words) -> Words:
    """The words of a name from left to right, like all words of a page, whichever way they are read."""
    return tuple(sorted(name))


def _name(page: PageFacts, section: Section, heading: Words, right: Sequence[Words]) -> Words:
    """The name that a section shows: behind its heading, or else in the first line below that has no other caption."""
    beside = _rest(page, heading) or (_beside(page, section, heading, right[0]) if right else ())
    if beside:
        return beside if _may_be_company(page.text(heading), page.text(beside)) else ()
    return _name_below(page, section)


def _name_below(page: PageFacts, section: Section) -> Words:
    """The name in the first line below a heading that has no other caption."""
    for line in page.lines[section.row + 1 : section.row + 1 + LINES]:
        cells = [cell for cell in page.cells_as_read(line) if section.has_in_column(page.box(cell))]
        if any(heads_section(page.text(cell)) for cell in cells[:1]):
            break
        name = _name_in(page, cells, page.cells_as_read(line))
        if name:
            return (*name, *_second_line(page, section, name))
    return ()


def _may_be_company(heading: str, name: str) -> bool:
    """Whether what stands beside a heading may name the seller: it is no e-mail address, code or salesperson."""
    is_words = "@" not in name and _has_letters(name)
    return is_words and (has_legal_form(name) or _OF_SALESPEOPLE.search(heading) is None)


def _has_letters(text: str) -> bool:
    return sum(map(str.isalpha, text)) > max(1, sum(map(str.isdigit, text)))


def _beside(page: PageFacts, section: Section, heading: Words, right: Words) -> Words:
    """The cell to the right of a heading if it is the name, and not of another column, without a colon before it."""
    if heads_section(page.text(right)) or _is_caption(page, right):
        return ()
    below = page.lines[section.row + 1] if section.row + 1 < len(page.lines) else ()
    following = [cell for cell in page.cells_as_read(below) if section.has_in_column(page.box(cell))]
    beside = page.box(right)
    is_far = max(beside.x0 - section.box.x1, section.box.x0 - beside.x1) > BESIDE
    if (following and _is_caption(page, following[0])) or _goes_on_pairs(page, section, right):
        is_name = True
    elif page.text(heading).endswith(":") or page.text(right).startswith(":"):
        is_name = not (following and is_far)
    else:
        is_name = not following or (not is_far and has_legal_form(page.text(right)))
    if not is_name:
        return ()
    return right[1:] if page.text(right[:1]) == ":" else right


def _goes_on_pairs(page: PageFacts, section: Section, right: Words) -> bool:
    """Whether a heading and the cell to its right stand where the line above has a caption and its value."""
    above = page.lines[section.row - 1] if section.row else ()
    starts = [page.box(cell).x0 for cell in page.cells_as_read(above)]
    return all(any(abs(x0 - start) < ALIGNED for start in starts) for x0 in (section.box.x0, page.box(right).x0))


def _is_caption(page: PageFacts, cell: Words) -> bool:
    text = page.text(cell)
    is_known = are_captions([page.page.words[word] for word in cell]) or _OF_ADDRESS.fullmatch(text) is not None
    return is_known or text.endswith(":")


def _second_line(page: PageFacts, section: Section, name: Words) -> Words:
    """The line under a name without a legal form, if that line has one ("Akme Hardware" over "Supplies Ltd"), or is
    words whose first had no room beside the name; or what is called the surname there."""
    row = page.row_of(name[0]) + 1
    if row == len(page.lines) or has_legal_form(page.text(name)):
        return ()
    below = [cell for cell in page.cells_as_read(page.lines[row]) if section.has_in_column(page.box(cell))]
    caption, surname = _split(page, below[0]) if below else ((), ())
    if _OF_SURNAME.fullmatch(page.text(caption).rstrip(" :")):
        return surname
    text = page.text(below[0]) if below else ""
    goes_on = has_legal_form(text) or (below and _had_no_room(page, name, below[0]))
    return below[0] if goes_on and not any(map(str.isdigit, text)) else ()


def _had_no_room(page: PageFacts, name: Words, below: Words) -> bool:
    """Whether the first of the words below a name would have run into the next column beside it."""
    line = page.cells_of(page.line_of(name[-1]))
    right = [page.box(cell).x0 for cell in line if page.box(cell).x0 > page.box(name).x1]
    is_words = all(page.page.words[word].text.isalpha() for word in below)
    is_aligned = abs(page.box(name).x0 - page.box(below).x0) < SAME_EDGE
    width = page.page.words[below[0]].box.width
    return is_words and is_aligned and bool(right) and page.box(name).x1 + width > min(right)


def _rest(page: PageFacts, heading: Words) -> Words:
    """What follows a heading in its cell."""
    length = heading_length([page.page.words[word].text for word in heading])
    return heading[length:] if length else ()


def _ends_caption(page: PageFacts, cell: Words) -> bool:
    """Whether the heading of a cell is set off from what follows it by a colon."""
    return any(page.page.words[word].text.endswith(":") for word in set(cell) - set(_rest(page, cell)))


def _name_in(page: PageFacts, cells: Sequence[Words], line: Sequence[Words]) -> Words:
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
    if following and _OF_NAME.fullmatch(page.text(value)):
        return following
    return value if _has_letters(page.text(value)) and not _is_caption(page, value) else ()


def _split(page: PageFacts, cell: Words) -> tuple[Words, Words]:
    """The caption of a cell, which ends with a colon, and what follows it; either may be empty."""
    ends = [at for at, word in enumerate(cell) if page.page.words[word].text.endswith(":")]
    return (cell[: ends[0] + 1], cell[ends[0] + 1 :]) if ends else ((), cell)
