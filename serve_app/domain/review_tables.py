"""The tables of an invoice that a person may correct, each as a whole: its lines, and the tax of each rate.

A table is stored as a list of rows; a cell is an exact decimal, a text, or None for "not printed".
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from difflib import SequenceMatcher
from typing import Any

from serve_app.domain.errors import InvalidParameter
from serve_app.domain.invoice import Detail, Field, LineItem, TaxLine
from serve_app.domain.review_values import number_of, text_of

LINE_ITEMS = str(Field.LINE_ITEMS)
TAX_LINES = str(Detail.TAX_LINES)
TABLES: Mapping[str, tuple[str, ...]] = {
    LINE_ITEMS: ("description", "quantity", "unit_price", "total", "tax_rate"),
    TAX_LINES: ("rate", "base", "amount"),
}
"""The cells of each."""
MAX_ROWS = 1000
"""Of a corrected table."""
_TEXTS = frozenset({"description"})


def normal_rows(table: str, rows: Any) -> list[dict[str, str | None]]:
    """The rows of a table as they are stored. Raises InvalidParameter, which says what is wrong."""
    if not isinstance(rows, list | tuple) or not all(isinstance(row, Mapping) for row in rows):
        raise InvalidParameter(f"{table}: not a list of rows.")
    if len(rows) > MAX_ROWS:
        raise InvalidParameter(f"{table}: at most {MAX_ROWS} rows.")
    return [_normal_row(table, number, row) for number, row in enumerate(rows, 1)]


def _normal_row(table: str, number: int, row: Mapping[str, Any]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for cell in TABLES[table]:
        value, name = row.get(cell), f"{table}, row {number}: {cell}"
        found[cell] = None if value is None else (text_of if cell in _TEXTS else number_of)(name, value)
    return found


def stored_rows(table: str, rows: Sequence[LineItem | TaxLine]) -> list[dict[str, Any]]:
    """The rows of an invoice as they are stored; of line items, with the models' confidence in each and its own
    fields."""
    return [_stored_row(table, row) for row in rows]


def _stored_row(table: str, row: LineItem | TaxLine) -> dict[str, Any]:
    found: dict[str, Any] = {cell: _stored(getattr(row, cell)) for cell in TABLES[table]}
    if isinstance(row, LineItem):
        found["confidence"] = None if row.confidence is None else str(row.confidence)
        found["custom"] = {name: each.model_dump(mode="json", exclude={"source"}) for name, each in row.custom.items()}
    return found


def _stored(value: Decimal | str | None) -> str | None:
    return format(value, "f") if isinstance(value, Decimal) else value


def same_rows(table: str, one: Any, other: Any) -> bool:
    """Whether two stored tables say the same: 100 and 100.00 do."""
    return [_comparable(table, row) for row in one or ()] == [_comparable(table, row) for row in other or ()]


def _comparable(table: str, row: Mapping[str, Any]) -> tuple[Any, ...]:
    cells = ((cell, row.get(cell)) for cell in TABLES[table])
    return tuple(value if value is None or cell in _TEXTS else Decimal(value) for cell, value in cells)


def with_words_of(rows: Sequence[Mapping[str, Any]], read: Sequence[Mapping[str, Any]] | None) -> list[Any]:
    """The line items of a person, where a row that was read the same keeps the models' word on it, and one that was
    read in the same place what was found of its own fields."""
    read = read or ()
    known = {_comparable(LINE_ITEMS, row): row.get("confidence") for row in read}
    blank = _blank(read)
    return [
        {
            **row,
            "confidence": known.get(_comparable(LINE_ITEMS, row)),
            "custom": blank if before is None else read[before].get("custom", {}),
        }
        for row, before in zip(rows, rows_before(read, rows), strict=True)
    ]


def _blank(read: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The own fields of a row that was not read."""
    names = {name: each for row in read for name, each in row.get("custom", {}).items()}
    return {name: {"required": each.get("required", False)} for name, each in names.items()}


def rows_before(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """Which of the rows before each of the rows after was, counted from 0; None: it is new. Rows that are equal are the
    same, and as many rows between two of them."""
    old, new = ([_comparable(LINE_ITEMS, row) for row in rows] for rows in (before, after))
    found: list[int | None] = [None] * len(new)
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal" or (kind == "replace" and last - first == end - start):
            found[start:end] = range(first, last)
    left = {key: row for row, key in enumerate(old) if row not in found}
    return [left.pop(key, None) if row is None else row for row, key in zip(found, new, strict=True)]
