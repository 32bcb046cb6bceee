"""Values that stand where earlier ones of the vendor stood, and that no model has read."""

from collections.abc import Callable, Iterator, Sequence

from serve_app.domain.evidence import Candidate, Evidence, PageWords
from serve_app.domain.invoice import Field
from serve_app.domain.memory import FieldExample, StoredExample
from serve_app.extraction.dates.dates import Order, find_dates
from serve_app.extraction.memory.placement import Corners, PagePositions, shape_of
from serve_app.extraction.memory.votes import agreed, supporters
from serve_app.extraction.notation.numbers import decimal_style, ends_in_decimals, parse_number

_DATE_WORDS = 4
"""A printed date has at most so many."""
_DATES = (Field.ISSUED_AT, Field.DUE_AT)

# A value, and from which word to which.
Span = tuple[int, int, str]
Supported = list[tuple[Candidate, list[StoredExample]]]


def proposals(
    field: Field, evidence: Evidence, positions: PagePositions, examples: Sequence[StoredExample], score: float
) -> Supported:
    """What is printed where the field stood on earlier invoices, with the examples of it; as likely as `score`."""
    spans_of = _reader_of(field, evidence, examples)
    found: Supported = []
    for page in evidence.pages:
        for start, end, value in spans_of(page):
            box = _around(page, start, end)
            position = positions.at(page.page, box)
            # Where something is printed by itself, a place alone says too little.
            if position is None or not (position.before or position.above):
                continue
            if support := supporters(examples, field, position):
                text = " ".join(page.words[start:end])
                found.append((Candidate(value, text, (), score, page.page, box), support))
    return found


def _reader_of(
    field: Field, evidence: Evidence, examples: Sequence[StoredExample]
) -> Callable[[PageWords], Iterator[Span]]:
    """Finds what could be a value of the field."""
    if field in _DATES:
        is_month_first = agreed(each.example.is_month_first for each in examples)
        order = None if is_month_first is None else Order.MONTH_FIRST if is_month_first else Order.DAY_FIRST
        return lambda page: _days(page.words, order)
    if field is Field.INVOICE_NUMBER:
        shapes = {each.example.fields.get(field, FieldExample()).shape for each in examples}
        return lambda page: _numbers_like(page.words, shapes)
    style = decimal_style(word for page in evidence.pages for word in page.words)

    def amounts(page: PageWords) -> Iterator[Span]:
        for index, word in enumerate(page.words):
            value = parse_number(word, style) if ends_in_decimals(word) else None
            if value is not None:
                yield index, index + 1, format(value, "f")

    return amounts


def _numbers_like(words: Sequence[str], shapes: set[str]) -> Iterator[Span]:
    for index, word in enumerate(words):
        if any(map(str.isdigit, word)) and shape_of(word) in shapes:
            yield index, index + 1, word


def _days(words: Sequence[str], order: Order | None) -> Iterator[Span]:
    """Days of which nobody can doubt which day they are."""
    for start in range(len(words)):
        for end in range(start + 1, min(start + _DATE_WORDS, len(words)) + 1):
            text = " ".join(words[start:end])
            printed = find_dates(text)
            if len(printed) != 1 or (printed[0].start, printed[0].end) != (0, len(text)):
                continue
            days = {printed[0].value(each) for each in ([order] if order else Order)} - {None}
            if len(days) == 1:
                yield start, end, str(*days)
            break


def _around(page: PageWords, start: int, end: int) -> Corners:
    corners = page.boxes[4 * start : 4 * end]
    return min(corners[::4]), min(corners[1::4]), max(corners[2::4]), max(corners[3::4])
