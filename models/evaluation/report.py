"""The figures of an evaluation as a table for people."""

from collections.abc import Iterable

from rich.table import Table

from models.evaluation.compare import HEADER
from models.evaluation.tally import FieldCount, Tally
from serve_app.domain.invoice import Confidence


def field_table(tally: Tally) -> Table:
    """One row a field: accuracy where it is printed, how often nothing was found where it is absent, and for each
    confidence level the precision of its values and the share of all documents that they cover."""
    table = Table(title=f"{tally.documents} invoices; for high, mid and low: precision, coverage")
    table.add_column("field", no_wrap=True)
    for name in ("accuracy", "absent", *Confidence):
        table.add_column(name, justify="right")
    for name in HEADER:
        if name in tally.fields:
            table.add_row(name, *_cells(tally.fields[name]))
    return table


def _cells(count: FieldCount) -> Iterable[str]:
    yield _share(count.printed_right, count.printed)
    yield _share(count.right - count.printed_right, count.scored - count.printed)
    for level in Confidence:
        precision = _share(count.right_levels[level], count.levels[level])
        yield f"{precision}, {_percent(count.levels[level], count.scored)}" if count.levels[level] else "-"


def summary(tally: Tally) -> str:
    """The figures that belong to no field."""
    lines = [f"line items: F1 {tally.line_f1:.1%}" if tally.line_f1 is not None else "line items: none"]
    if tally.pages:
        lines.append(f"{tally.seconds / tally.pages:.2f} seconds a page ({tally.pages} pages)")
    lines.append(f"{tally.failed} invoices in files that could not be read")
    if tally.no_invoice:
        lines.append(f"{tally.invented} of {tally.no_invoice} files without an invoice gave values")
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{_percent(part, whole)} ({part}/{whole})" if whole else "-"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"
