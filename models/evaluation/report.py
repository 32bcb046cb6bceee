"""The figures of an evaluation as tables for people."""

from collections.abc import Iterable

from rich.markup import escape
from rich.table import Table

from models.evaluation.compare import HEADER
from models.evaluation.evaluate import Evaluation
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


def kind_table(evaluation: Evaluation) -> Table:
    """One column a kind of file: accuracy of each field, with the share of its printed values that stand in the words
    that were read, and how long it took."""
    kinds = {kind: tally for kind, tally in sorted(evaluation.by_kind.items()) if tally.documents}
    table = Table(title="by kind of file: accuracy of printed values; of these, in the words that were read")
    table.add_column("field", no_wrap=True)
    for kind, tally in kinds.items():
        table.add_column(f"{kind} ({tally.documents})", justify="right")
    for name in HEADER:
        table.add_row(name, *(_kind_cell(tally, name) for tally in kinds.values()))
    table.add_row("line items, F1", *("-" if t.line_f1 is None else f"{t.line_f1:.1%}" for t in kinds.values()))
    table.add_row("seconds a page", *(_seconds(tally.seconds, tally) for tally in kinds.values()))
    table.add_row("of these, reading", *(_seconds(tally.read_seconds, tally) for tally in kinds.values()))
    return table


def notable_table(evaluation: Evaluation) -> Table:
    """What became of every file that holds no invoice, or several."""
    table = Table("file", "expected", "outcome", title="files of no invoice, or of several")
    for case, outcome in evaluation.notable:
        table.add_row(escape(case.name), escape(case.expect or f"{len(case.truths)} invoices"), escape(outcome.summary))
    return table


def summary(tally: Tally) -> str:
    """The figures that belong to no field."""
    lines = [f"line items: F1 {tally.line_f1:.1%}" if tally.line_f1 is not None else "line items: none"]
    if tally.pages:
        lines.append(f"{tally.seconds / tally.pages:.2f} seconds a page ({tally.pages} pages)")
    lines.append(f"{tally.failed} files with invoices could not be read")
    if tally.no_invoice:
        lines.append(f"{tally.invented} of {tally.no_invoice} files without an invoice gave values")
    return "\n".join(lines)


def _cells(count: FieldCount) -> Iterable[str]:
    yield _share(count.printed_right, count.printed)
    yield _share(count.right - count.printed_right, count.scored - count.printed)
    for level in Confidence:
        precision = _share(count.right_levels[level], count.levels[level])
        yield f"{precision}, {_percent(count.levels[level], count.scored)}" if count.levels[level] else "-"


def _kind_cell(tally: Tally, name: str) -> str:
    count = tally.fields[name] if name in tally.fields else FieldCount()
    share = _share(count.printed_right, count.printed)
    return f"{share}; {_percent(tally.present[name], tally.printed[name])}" if tally.printed[name] else share


def _seconds(seconds: float, tally: Tally) -> str:
    return f"{seconds / tally.pages:.2f}" if tally.pages else "-"


def _share(part: int, whole: int) -> str:
    return f"{_percent(part, whole)} ({part}/{whole})" if whole else "-"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"
