"""Which of the lines that look like rows are rows: those that add up to what the document prints as their sum.

Between the rows of a table there may be others: headers with the sum of a group, discounts that the sum of the row
above has already, taxes. They are left out if the remaining rows then make the net amount or the total, and all of them
together do not.
"""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import combinations, groupby

from serve_app.extraction.tables.line_items import sum_of, total_of
from serve_app.extraction.tables.rows import Row

# Rows that add up may be off by rounding each line.
TOLERANCE = Decimal("0.02")
# Of more rows than this no two are left out together: sums of some of many would explain any difference.
_MOST_FOR_PAIRS = 8
# No more tables of a document are tried together.
_MOST_TABLES = 40


def rows_of_sum(rows: Sequence[Row], sums: Collection[Decimal]) -> list[Row]:
    """The rows without those few that keep them from adding up to one of the sums; all of them if there are no such
    few."""
    if not sums or makes_one_of(rows, sums):
        return list(rows)
    for outliers in _doubtful_rows(rows, sums):
        kept = [row for row in rows if all(row is not outlier for outlier in outliers)]
        if outliers and kept and makes_one_of(kept, sums):
            return kept
    return list(rows)


def makes_one_of(rows: Sequence[Row], sums: Collection[Decimal]) -> bool:
    """Whether the rows add up to one of the sums."""
    return is_one_of(sum_of(rows), sums)


def is_one_of(total: Decimal | None, sums: Collection[Decimal]) -> bool:
    """Whether a sum is known and one of the sums, but for rounding."""
    return total is not None and any(abs(total - each) <= TOLERANCE for each in sums)


def _doubtful_rows(rows: Sequence[Row], sums: Collection[Decimal]) -> Iterator[Sequence[Row]]:
    """Rows that may be none, the likeliest ones first: all of a kind that most rows are not, one, or two."""
    yield from _unlike_others(rows)
    weakest = sorted(reversed(rows), key=lambda row: (bool(row.numbers.multiplies), row.description is not None))
    left = {id(row): total for row, total in zip(rows, _sums_of_others(rows), strict=True)}
    yield from ([row] for row in weakest if row.amount and is_one_of(left[id(row)], sums))
    if len(rows) <= _MOST_FOR_PAIRS:
        yield from combinations([row for row in weakest if row.amount and not row.numbers.multiplies], 2)


def _unlike_others(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows without a total, where most have one; those that deduct something; and those without a description."""
    without = [row for row in rows if row.numbers.total is None]
    if 2 * len(without) < len(rows):
        yield without
    yield [row for row in rows if row.amount is not None and row.amount < 0]
    yield [row for row in rows if row.description is None]


def _sums_of_others(rows: Sequence[Row]) -> list[Decimal | None]:
    """What all rows but each one add up to; None unless each of these has a total."""
    totals = [total_of(row) for row in rows]
    whole = sum((total for total in totals if total is not None), Decimal(0))
    unknown = totals.count(None)
    return [whole - (total or 0) if unknown == (total is None) else None for total in totals]


def row_sets(rows: Sequence[Row], sums: Collection[Decimal]) -> list[list[Row]]:
    """The rows of tables that follow one another and make one of the sums, each table in one set at most; nothing if
    all rows together make one."""
    if not sums or makes_one_of(rows, sums):
        return []
    found, free = [], 0
    for first, end, run in table_runs(rows, sums):
        if first >= free:
            found.append(run)
            free = end
    return found


def table_runs(rows: Sequence[Row], sums: Collection[Decimal]) -> Iterator[tuple[int, int, list[Row]]]:
    """The tables that follow one another and make one of the sums: the index of the first one, that behind the last
    one, and their rows."""
    tables = [list(table) for _, table in groupby(rows, key=lambda row: row.table)][:_MOST_TABLES]
    made = [sum_of(table) for table in tables]
    for first, end in combinations(range(len(tables) + 1), 2):
        known = [each for each in made[first:end] if each is not None]
        if len(known) == end - first and is_one_of(sum(known, Decimal(0)), sums):
            yield first, end, [row for table in tables[first:end] for row in table]


def lists_again(rows: Sequence[Row], kept: Sequence[Row]) -> bool:
    """Whether the rows that are not kept list again what those are: all of them, perhaps several times, or one."""
    every, whole = sum_of(rows), sum_of(kept)
    if every is None or not whole:
        return False
    rest = every - whole
    return rest % whole == 0 or is_one_of(rest, [total for row in kept if (total := total_of(row)) is not None])
