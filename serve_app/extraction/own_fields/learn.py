"""What people say about own fields of an invoice teaches."""

from collections.abc import Iterator, Mapping, Sequence

from serve_app.domain.confidence import Confidence
from serve_app.domain.evidence import UNITS, Evidence
from serve_app.domain.invoice import Citation, CustomValue, Extraction, Field, Invoice, ReviewStatus
from serve_app.domain.memory import ValuePosition
from serve_app.domain.own_field import OwnField, OwnFieldType
from serve_app.domain.own_field_example import FieldPlace, FieldTrial, Neighbour, OwnFieldExample
from serve_app.domain.own_values import line_of, own_name, own_values
from serve_app.domain.review import Review
from serve_app.domain.review_tables import LINE_ITEMS, rows_before, stored_rows
from serve_app.domain.vendor import VendorDetails
from serve_app.extraction.memory.keys import keys_of_evidence_layout
from serve_app.extraction.memory.learn import keys_of_invoice
from serve_app.extraction.own_fields.captions import heading_over, under, words_above, words_before
from serve_app.extraction.own_fields.page_lines import Line, PageLines, Pages, Word, is_gap
from serve_app.extraction.own_fields.places import neighbours_of
from serve_app.extraction.own_fields.printed_values import joined, printed_at
from serve_app.extraction.own_fields.rows import Row, rows_of

_TEXT_WORDS = 6


def own_field_example(
    invoice: Invoice, read: Extraction, review: Review, evidence: Evidence, known: VendorDetails
) -> OwnFieldExample | None:
    """What the invoice teaches about own fields; None if nobody has said anything. `read` has the lines as they were
    read; `known` is what was read about the vendor besides the name."""
    said = {
        name: value
        for name, value in own_values(invoice).items()
        if name in review.decisions or (_is_confirmed(review) and value.value is not None)
    }
    if not said or review.verdict.status is ReviewStatus.REJECTED:
        return None
    pages = Pages(evidence)
    places = {own_name(name): place_of(pages, value) for name, value in said.items() if line_of(name) is None}
    rows = _row_places(pages, invoice, _places_of_lines(invoice, read), said)
    keys = (*keys_of_invoice(invoice, review, known), *keys_of_evidence_layout(evidence))
    return OwnFieldExample(invoice.id, keys, places, list(_trials(said, review)), rows)


def _is_confirmed(review: Review) -> bool:
    return review.verdict.status is ReviewStatus.CONFIRMED


def _trials(said: Mapping[str, CustomValue], review: Review) -> Iterator[FieldTrial]:
    """Of values that two ways had found, whether they were right."""
    for name, value in said.items():
        found = review.read[name].value if name in review.read else value.value
        if value.confidence in (Confidence.HIGH, Confidence.MID) and value.score is not None:
            yield FieldTrial(own_name(name), value.score, is_right=found == value.value)


def _places_of_lines(invoice: Invoice, read: Extraction) -> list[Citation | None]:
    """Where each line of the invoice is printed, as far as it was read."""
    places = (read.citations or {}).get(Field.LINE_ITEMS)
    tables = [stored_rows(LINE_ITEMS, each.line_items) for each in (read, invoice)]
    if not isinstance(places, list) or len(places) != len(read.line_items):
        return [None] * len(invoice.line_items)
    return [None if row is None else places[row] for row in rows_before(*tables)]


def _row_places(
    pages: Pages, invoice: Invoice, places: Sequence[Citation | None], said: Mapping[str, CustomValue]
) -> dict[str, list[FieldPlace]]:
    rows = rows_of(pages, invoice.line_items, places)
    found: dict[str, list[FieldPlace]] = {}
    for name, value in said.items():
        if line := line_of(name):
            found.setdefault(own_name(name), []).append(row_place_of(pages, rows[line - 1], value))
    return found


def row_place_of(pages: Pages, row: Row | None, value: CustomValue) -> FieldPlace:
    """Where the value of a line is printed in its row."""
    if value.value is None or row is None:
        return FieldPlace(value.value)
    found = _cited(pages, value.citation) if value.citation else _printed_once_in(row, value.value)
    if found is None or found[0] is not row.page:
        return FieldPlace(value.value)
    page, number, words = found
    before, above = _captions_in(row, number, words)
    position = _position(pages, page, words, before, above)
    cells = (
        Neighbour(name, word.x0 - words[0].x0, word.middle - words[0].middle)
        for name, word in row.cells.items()
        if word not in words
    )
    return FieldPlace(value.value, joined(word.text for word in words), position, tuple(cells))


def _captions_in(row: Row, number: int, words: Line) -> tuple[Line, Line]:
    """The caption before a value of a row, else the heading of its column."""
    line = row.page.lines[number]
    start = line.index(words[0])
    before = words_before(line, start)
    if before and (before[-1].ends_caption or not is_gap(before[-1], words[0])):
        return before, []
    found = heading_over(row.page, row.table, words[0].x0, words[-1].x1)
    # What stands over the middle of another column is no heading of the value.
    is_heading = found is not None and under(row.page, row.lines, found[1]) == (number, start)
    return [], found[0] if found and is_heading else []


def _printed_once_in(row: Row, value: str) -> "_Place | None":
    found = [place for place in _printed(row.page, value.split()) if place[1] in row.lines]
    return found[0] if len(found) == 1 else None


def place_of(pages: Pages, value: CustomValue) -> FieldPlace:
    """Where the value is printed: where somebody has pointed, else where it is printed once."""
    if value.value is None:
        return FieldPlace(None)
    found = _cited(pages, value.citation) if value.citation else _printed_once(pages, value.value)
    if found is None:
        return FieldPlace(value.value)
    page, number, words = found
    line = page.lines[number]
    start = line.index(words[0])
    before = words_before(line, start)
    above = words_above(page, number, words[0].x0, words[-1].x1)
    position = _position(pages, page, words, before, above)
    all_words = [word for each in page.lines for word in each]
    neighbours = neighbours_of(all_words, words, before or above)
    return FieldPlace(value.value, joined(word.text for word in words), position, neighbours)


def _position(pages: Pages, page: PageLines, words: Line, before: Line, above: Line) -> ValuePosition:
    """Where the words of a value are on their page, and what its captions say."""
    return ValuePosition(
        before=" ".join(filter(None, (word.letters for word in before))),
        above=" ".join(filter(None, (word.letters for word in above))),
        page=page.page.page - 1,
        from_last=max(pages.by_number) - page.page.page,
        x=words[0].x0,
        y=words[0].middle,
    )


def value_in(evidence: Evidence, field: OwnField, place: Citation) -> tuple[str, Citation] | None:
    """The value that is printed in the box, and its place; None if there is none of the field's type."""
    pages = Pages(evidence)
    found = _cited(pages, place)
    if found is None:
        return None
    page, _, words = found
    if field.type is OwnFieldType.TEXT:
        return joined(word.text for word in words), page.citation(words)
    for start in range(len(words)):
        if printed := printed_at(field, words[start:], pages, {}):
            return printed.value, page.citation(words[start : start + printed.words])
    return None


_Place = tuple[PageLines, int, Line]


def _cited(pages: Pages, citation: Citation) -> _Place | None:
    """The words of the first line in the box."""
    page = pages.by_number.get(citation.page)
    if page is None:
        return None
    x0, y0, x1, y1 = (corner * UNITS for corner in citation.box)
    boxes = page.page.boxes

    def is_inside(word: Word) -> bool:
        left, top, right, bottom = boxes[4 * word.number : 4 * word.number + 4]
        return x0 <= (left + right) / 2 <= x1 and y0 <= (top + bottom) / 2 <= y1

    for number, line in enumerate(page.lines):
        if inside := [word for word in line if is_inside(word)]:
            return page, number, inside
    return None


def _printed_once(pages: Pages, value: str) -> _Place | None:
    wanted = value.split()
    if len(wanted) > _TEXT_WORDS:
        return None
    found = [place for page in pages.by_number.values() for place in _printed(page, wanted)]
    return found[0] if len(found) == 1 else None


def _printed(page: PageLines, wanted: Sequence[str]) -> Iterator[_Place]:
    for number, line in enumerate(page.lines):
        texts = [word.text.strip(".,;:") for word in line]
        for start in range(len(line) - len(wanted) + 1):
            if texts[start : start + len(wanted)] == wanted:
                yield page, number, line[start : start + len(wanted)]
