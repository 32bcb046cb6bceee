"""Which column of a table holds the quantities, which the prices and which the totals.

A row alone may be read in several ways: a discounted price beside the full one, "2 x 7 = 14" either way round. All rows
of a table have the same columns, so that the reading is right that suits most of them.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from serve_app.extraction.tables.columns import Span, overlap
from serve_app.extraction.tables.numbers import NUMBERS
from serve_app.extraction.tables.row_numbers import NONE, Cell, Roles, weight

# How much likelier (in natural-log units) columns are for each row that multiplies in them, beside what a row alone
# gains by it: by chance it hardly happens in several rows, unless the quantity is one.
PROVED = 3.0
# No more rows are looked at, and no more columns tried.
_ROWS = 40
_COLUMNS = 6
# No more numbers of a row are looked at, and no more below one another.
_CELLS_OF_ROW, _CELLS = 60, 6


def columns_of(rows: Sequence[Sequence[Cell]]) -> Roles:
    """Where the rows have their quantities, prices and totals; nothing for a single row."""
    rows = [row for row in rows if row][:_ROWS]
    columns = _columns(rows)
    if len(rows) < 2 or not columns:
        return {}
    tables = [_by_column(row, columns) for row in rows]
    best = max(_assignments(len(columns)), key=lambda columns: sum(_fit(table, columns) for table in tables))
    return {label: columns[index] for label, index in zip(NUMBERS, best, strict=True) if index is not None}


def _assignments(columns: int) -> Iterator[tuple[int | None, ...]]:
    """Each way to give different columns, or none, to the three numbers."""
    for chosen in product([*range(columns), None], repeat=len(NUMBERS)):
        named = [index for index in chosen if index is not None]
        if len(set(named)) == len(named):
            yield chosen


def _fit(table: Sequence[Sequence[Cell]], columns: Sequence[int | None]) -> float:
    """How well a row suits columns: the weight of its likeliest reading with each number in its column."""
    cells = [() if index is None else table[index] for index in columns]
    if not all(cells):
        # Nothing multiplies: each number is read for itself.
        return sum(_likeliest(label, each) for label, each in enumerate(cells))
    return max(weight(choice, PROVED) for choice in product(*cells))


def _likeliest(label: int, cells: Sequence[Cell]) -> float:
    return max((cell.scores[label] for cell in cells), default=NONE)


def _by_column(row: Sequence[Cell], columns: Sequence[Span]) -> list[list[Cell]]:
    return [[cell for cell in row if overlap(cell.span, column)][:_CELLS] for column in columns]


def _columns(rows: Sequence[Sequence[Cell]]) -> list[Span]:
    """The columns with numbers of several rows, those first that likely belong to the rows."""
    found: list[tuple[Span, list[Cell]]] = []
    for cell in (cell for row in rows for cell in row[:_CELLS_OF_ROW]):
        index = next((i for i, (span, _) in enumerate(found) if overlap(span, cell.span)), None)
        if index is None:
            found.append((cell.span, [cell]))
        else:
            span, cells = found[index]
            found[index] = (min(span[0], cell.span[0]), max(span[1], cell.span[1])), [*cells, cell]
    several = [(span, cells) for span, cells in found if len(cells) > 1]
    several.sort(key=lambda column: -sum(cell.best for cell in column[1]))
    return [span for span, _ in several[:_COLUMNS]]
