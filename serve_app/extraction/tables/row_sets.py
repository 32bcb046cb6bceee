"""Which of a document's tables has the rows that were invoiced, where it lists the same sums twice: by item and by day,
user or meter, or on each of several copies."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from itertools import combinations, groupby

from serve_app.extraction.tables.line_items import sum_of, total_of
from serve_app.extraction.tables.row_selection import is_one_of, makes_one_of
from serve_app.extraction.tables.rows import Row

# No more tables of a document are tried together.
_MOST = 40


def row_sets(rows: Sequence[Row], sums: Collection[Decimal]) -> list[list[Row]]:
    """The rows of tables that follow one another and make one of the sums, each table in one set at most; nothing if
    all rows together make one."""
    if not sums or makes_one_of(rows, sums):
        return []
    tables = [list(table) for _, table in groupby(rows, key=lambda row: row.table)][:_MOST]
    made, found, free = [sum_of(table) for table in tables], [], 0
    for first, end in combinations(range(len(tables) + 1), 2):
        known = [each for each in made[first:end] if each is not None]
        if first >= free and len(known) == end - first and is_one_of(sum(known, Decimal(0)), sums):
            found.append([row for table in tables[first:end] for row in table])
            free = end
    return found


def lists_again(rows: Sequence[Row], kept: Sequence[Row]) -> bool:
    """Whether the rows that are not kept list again what those are: all of them, perhaps several times, or one."""
    every, whole = sum_of(rows), sum_of(kept)
    if every is None or not whole:
        return False
    rest = every - whole
    return rest % whole == 0 or is_one_of(rest, [total for row in kept if (total := total_of(row)) is not None])


def is_rival(rows: Sequence[Row], other: Sequence[Row]) -> bool:
    """Whether other rows may as well be the invoice's: copies list the same, and a summary adds up what stands right
    below one another."""
    return [row.numbers for row in rows] != [row.numbers for row in other] and not _sums_up(other, rows)


def _sums_up(summary: Sequence[Row], rows: Sequence[Row]) -> bool:
    """Whether each row of a summary is the sum of some of the rows, one after another, with none left over."""
    left = list(rows)
    for row in summary:
        made = Decimal(0)
        while left and not is_one_of(made, [total_of(row) or Decimal(0)]):
            made += total_of(left.pop(0)) or Decimal(0)
        if not is_one_of(made, [total_of(row) or Decimal(0)]):
            return False
    return not left
