"""Own fields of lines in a change of the lines: they come as cells of the rows, and what was decided on them follows
its row to another line."""

from collections.abc import Mapping
from typing import Any

from serve_app.domain.invoice import Invoice
from serve_app.domain.own_values import line_of, own_field_name, own_name, own_value
from serve_app.domain.review import Decision, Review, as_read, overlaid
from serve_app.domain.review_tables import LINE_ITEMS, rows_before, same_rows, stored_rows


def with_moved_decisions(review: Review, invoice: Invoice, table: Decision | None) -> dict[str, Decision | None]:
    """The decision on the lines (None takes it back), and those on own fields of lines that are other lines then."""
    before = stored_rows(LINE_ITEMS, invoice.line_items)
    after = _rows_read(review, before) if table is None else table.value
    lines = {old: new for new, old in enumerate(rows_before(before, after or ()), 1) if old is not None}
    decided = {name: (each, line) for name, each in review.decisions.items() if (line := line_of(name))}
    moved = {
        own_field_name(own_name(name), lines[line - 1]): each
        for name, (each, line) in decided.items()
        if line - 1 in lines
    }
    names = {*decided, *moved}
    changed = {name: moved.get(name) for name in names if moved.get(name) is not review.decisions.get(name)}
    return {LINE_ITEMS: table, **changed}


def _rows_read(review: Review, before: list[dict[str, Any]]) -> Any:
    return review.read[LINE_ITEMS].value if LINE_ITEMS in review.read else before


def is_table_changed(invoice: Invoice, rows: Any) -> bool:
    """Whether these are other lines than those of the invoice, own fields aside."""
    return not same_rows(LINE_ITEMS, stored_rows(LINE_ITEMS, invoice.line_items), rows)


def changed_cells(
    review: Review, invoice: Invoice, changes: Mapping[str, Decision | None], cells: Mapping[str, Any]
) -> set[str]:
    """Which of these cells, by their names among all fields, have another value than they have after the changes."""
    decisions = {**review.decisions, **changes}
    said = {name: each for name, each in decisions.items() if each is not None}
    after, _ = overlaid(as_read(invoice, review), review.model_copy(update={"decisions": said}))
    return {name for name, value in cells.items() if own_value(after, name).value != value}
