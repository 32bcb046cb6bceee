"""Rows that the models missed in a table with a single column of amounts: lines that begin and end where its rows do,
and complete their sum."""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from serve_app.domain.document import Box
from serve_app.extraction.candidates import Place
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style, ends_in_decimals
from serve_app.extraction.tables.captions import captions_sum
from serve_app.extraction.tables.line_items import sum_of
from serve_app.extraction.tables.numbers import printed_numbers
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.rows import Row

# Lines are aligned with a row if both ends differ by at most this share of the page's width.
ALIGNED = 0.012
# No more rows are missed together, of no more lines: sums of many would explain any difference.
_MOST_ROWS = 3
_MOST_LINES = 8


def with_missing_rows(
    pages: Sequence[PageEvidence], rows: Sequence[Row], sums: Collection[Decimal], style: Style
) -> list[Row]:
    """The rows, with those that were missed if only they can be; otherwise as they are."""
    known = sum_of(rows)
    if known is None or known in sums or not all(row.is_bare and row.description for row in rows):
        return list(rows)
    lines = list(_aligned(pages, rows, style))
    if len(lines) > _MOST_LINES:
        return list(rows)
    for count in range(1, _MOST_ROWS + 1):
        found = [missed for missed in combinations(lines, count) if known + sum(map(_amount, missed)) in sums]
        if found:
            return sorted([*rows, *found[0]], key=lambda row: row.place) if len(found) == 1 else list(rows)
    return list(rows)


def _amount(row: Row) -> Decimal:
    return row.amount or Decimal(0)


def _aligned(pages: Sequence[PageEvidence], rows: Sequence[Row], style: Style) -> Iterator[Row]:
    """The lines of words and an amount that are aligned with a row, and of none."""
    for number in sorted({row.place.page for row in rows}):
        page, here = pages[number], [row for row in rows if row.place.page == number]
        taken = {word for row in here for word in row.place.words}
        boxes = [page.box(row.place.words) for row in here]
        for line in page.lines:
            row = _row(page, number, line, style) if taken.isdisjoint(line) else None
            if row is not None and any(_is_aligned(page.box(line), box) for box in boxes):
                yield row


def _row(page: PageEvidence, number: int, line: Sequence[int], style: Style) -> Row | None:
    """A line as a row: words, and after them its only number, an amount with decimals."""
    printed = list(printed_numbers(page, line, style))
    if len(printed) != 1 or captions_sum(page.text(line)):
        return None
    words, value = printed[0]
    text = page.text([word for word in line if word not in words])
    if line[-1] != words[-1] or value <= 0 or not ends_in_decimals(page.text(words)) or not any(map(str.isalpha, text)):
        return None
    return Row(text, RowNumbers(None, value, value), Place(number, tuple(sorted(line))))


def _is_aligned(one: Box, other: Box) -> bool:
    return abs(one.x0 - other.x0) <= ALIGNED and abs(one.x1 - other.x1) <= ALIGNED
