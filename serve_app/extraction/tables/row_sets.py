"""Which of a document's tables has the rows that were invoiced, where it lists the same sums twice: by item and by day,
user or meter, or on each of several copies."""

from collections.abc import Collection, Sequence
from decimal import Decimal
from itertools import combinations, groupby

from serve_app.extraction.tables.line_items import sum_of
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


def are_alike(one: Sequence[Row], other: Sequence[Row]) -> bool:
    """Whether two sets list the same, as copies do."""
    return [row.numbers for row in one] == [row.numbers for row in other]
