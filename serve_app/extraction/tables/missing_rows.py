"""Rows that the models missed in a table with a single column of amounts: lines that begin and end where its rows do,
and complete their sum; or lines below one another that make the sum, with all rows among them."""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import combinations, islice

from serve_app.domain.document import Box
from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.currency.currencies import is_strong_mark
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.notation.numbers import Style, ends_in_decimals
from serve_app.extraction.tables.captions import captions_sum
from serve_app.extraction.tables.columns import Span
from serve_app.extraction.tables.line_items import sum_of
from serve_app.extraction.tables.numbers import printed_numbers
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.rows import Row

# Lines are aligned with a row if both ends differ by at most this share of the page's width.
ALIGNED = 0.012
# No more rows are missed together, of no more lines: sums of many would explain any difference.
_MOST_ROWS = 3
# So many lines make a table, and so many one that no model sees.
_FEWEST, _FEWEST_UNSEEN = 2, 3
_LONGEST = 15
_MOST_LINES = 8
# No more places are looked at where rows begin and end.
_MOST_ENDS = 200


def with_missing_rows(
    pages: Sequence[PageEvidence], rows: Sequence[Row], sums: Collection[Decimal], style: Style
) -> list[Row]:
    """The rows, with those that were missed if only they can be; otherwise as they are."""
    known = sum_of(rows)
    if (rows and known is None) or known in sums or not all(row.is_bare and row.description for row in rows):
        return list(rows)
    parts = (part for run in _runs(pages, style) for part in _parts(run))
    run = next((part for part in parts if _is_table(part, rows, sums)), None)
    if run is not None:
        return run
    if known is None:
        return []
    lines = list(islice(_aligned(pages, rows, style), _MOST_LINES + 1))
    missed = _missed(lines, known, sums) if len(lines) <= _MOST_LINES else ()
    return sorted([*rows, *missed], key=lambda row: row.place) if missed else list(rows)


def _missed(lines: Sequence[Row], known: Decimal, sums: Collection[Decimal]) -> Sequence[Row]:
    """The fewest lines that with what is known make one of the sums, if only they do."""
    for count in range(1, _MOST_ROWS + 1):
        found = [missed for missed in combinations(lines, count) if known + sum(map(_amount, missed)) in sums]
        if found:
            return found[0] if len(found) == 1 else ()
    return ()


def _is_table(run: Sequence[Row], rows: Sequence[Row], sums: Collection[Decimal]) -> bool:
    """Whether lines make the sum, and the rows that are known are among them."""
    fewest = _FEWEST if rows else _FEWEST_UNSEEN
    if not fewest <= len(run) >= len(rows) or sum(map(_amount, run)) not in sums:
        return False
    words = {(row.place.page, word) for row in run for word in row.place.words}
    return words.issuperset((row.place.page, word) for row in rows for word in row.place.words)


def _runs(pages: Sequence[PageEvidence], style: Style) -> Iterator[list[Row]]:
    """Lines right below one another that begin and end at the same places, in amounts, as many as there are."""
    for number, page in enumerate(pages):
        run: list[Row] = []
        for line in page.lines:
            row = _priced(page, number, line, style)
            if row is None or (run and not _is_aligned(page.box(run[-1].place.words), page.box(row.place.words))):
                yield run
                run = []
            if row is not None:
                run.append(row)
        yield run


def _parts(run: Sequence[Row]) -> Iterator[list[Row]]:
    """The lines of a run that are right above their sum, or end it; most first."""
    for length in range(min(len(run), _LONGEST), 0, -1):
        for start in range(len(run) - length + 1):
            part, below = list(run[start : start + length]), run[start + length : start + length + 1]
            if not below or _amount(below[0]) == sum(map(_amount, part)):
                yield part


def _priced(page: PageEvidence, number: int, line: Sequence[int], style: Style) -> Row | None:
    """A line as a row: words, and an amount with decimals at its end, the only one."""
    printed = [found for found in printed_numbers(page, line, style) if ends_in_decimals(page.text(found[0]))]
    if len(printed) != 1 or printed[0][0][-1] != line[-1] or captions_sum(page.text(line)):
        return None
    words, value = printed[0]
    described = [word for word in line if word not in words and not is_strong_mark(page.page.words[word].text)]
    if not any(map(str.isalpha, page.text(described))):
        return None
    return Row(page.text(described), RowNumbers(None, value, value), Place(number, tuple(sorted(line))))


def _amount(row: Row) -> Decimal:
    return row.amount or Decimal(0)


def _aligned(pages: Sequence[PageEvidence], rows: Sequence[Row], style: Style) -> Iterator[Row]:
    """The lines of words and an amount that are aligned with a row, and of none."""
    for number in sorted({row.place.page for row in rows}):
        page, here = pages[number], [row.place.words for row in rows if row.place.page == number]
        boxes = map(page.box, here)
        ends = sorted({(box.x0, box.x1) for box in boxes})[:_MOST_ENDS]
        lines = (line for line in page.lines if not any(map(set(line).intersection, here)))
        yield from (row for line in lines if (row := _at_ends(page, number, line, style, ends)) is not None)


def _at_ends(page: PageEvidence, number: int, line: Sequence[int], style: Style, ends: Sequence[Span]) -> Row | None:
    """A line as a row, if it has one positive amount, and begins and ends where another one does."""
    row, box = _priced(page, number, line, style), page.box(line)
    if row is None or _amount(row) <= 0 or len(list(printed_numbers(page, line, style))) > 1:
        return None
    return row if any(_are_near((box.x0, box.x1), each) for each in ends) else None


def _is_aligned(one: Box, other: Box) -> bool:
    return _are_near((one.x0, one.x1), (other.x0, other.x1))


def _are_near(one: Span, other: Span) -> bool:
    return abs(one[0] - other[0]) <= ALIGNED and abs(one[1] - other[1]) <= ALIGNED
