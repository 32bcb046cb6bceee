"""The figures of an evaluation as readable tables."""

from collections.abc import Mapping

from models.evaluation.compare import HEADER
from models.evaluation.evaluate import Evaluation
from models.evaluation.grid import Grid, share
from models.evaluation.tally import Tally
from models.evaluation.trust import cost_grid, high_grid, level_grid, quality_grid


def grids(evaluation: Evaluation) -> list[Grid]:
    """Every table, the most important first."""
    return [
        high_grid(evaluation.judged),
        level_grid(evaluation.judged),
        cost_grid(evaluation.judged),
        quality_grid(evaluation.judged),
        accuracy_grid("by kind of file", {**evaluation.by_kind, "ALL": evaluation.total}),
        accuracy_grid("by set", evaluation.by_set),
        reading_grid("by kind of file", evaluation.by_kind),
        notable_grid(evaluation),
    ]


def accuracy_grid(title: str, tallies: Mapping[str, Tally]) -> Grid:
    """One row per group of files: accuracy of each field if printed, how many absent ones were left empty, and all
    header fields, including absent ones."""
    rows = [
        [
            f"{name} ({tally.documents})",
            *(share(tally.fields[field].printed_right, tally.fields[field].printed) for field in HEADER),
            share(*_absent(tally)),
            share(*tally.header),
            "-" if tally.line_f1 is None else f"{tally.line_f1:.2f}",
        ]
        for name, tally in _with_invoices(tallies)
    ]
    return Grid(f"Right, {title}", ("", *HEADER, "left empty", "all header fields", "line F1"), rows)


def reading_grid(title: str, tallies: Mapping[str, Tally]) -> Grid:
    """One row per group of files: the share of printed values that are among the words read, and seconds per page. No
    model can find what was not read."""
    rows = [
        [
            f"{name} ({tally.documents})",
            *(share(tally.present[field], tally.printed[field]) for field in HEADER if field != "currency"),
            _seconds(tally.seconds, tally),
            _seconds(tally.read_seconds, tally),
        ]
        for name, tally in _with_invoices(tallies)
    ]
    fields = [field for field in HEADER if field != "currency"]
    return Grid(f"Printed values in the words read, {title}", ("", *fields, "s a page", "reading"), rows)


def _with_invoices(tallies: Mapping[str, Tally]) -> list[tuple[str, Tally]]:
    return [(name, tally) for name, tally in sorted(tallies.items()) if tally.documents]


def notable_grid(evaluation: Evaluation) -> Grid:
    """The outcome of every file with no invoice, or with several."""
    rows = [
        [case.name, case.expect or f"{len(case.truths)} invoices", outcome.summary]
        for case, outcome in evaluation.notable
    ]
    return Grid("Files without an invoice, or with several", ("file", "expected", "outcome"), rows)


def summary(evaluation: Evaluation) -> str:
    """The figures that belong to no field."""
    tally = evaluation.total
    lines = [f"all header fields, nulls included: {share(*tally.header)}"]
    lines.append(f"the same, counting each group of nearly identical documents as one: {evaluation.group_share:.1%}")
    lines.append(f"line items: F1 {tally.line_f1:.1%}" if tally.line_f1 is not None else "line items: none")
    if tally.pages:
        lines.append(f"{tally.seconds / tally.pages:.2f} seconds per page ({tally.pages} pages)")
    lines.append(f"{tally.failed} files with invoices could not be read")
    if tally.no_invoice:
        lines.append(f"{tally.invented} of {tally.no_invoice} files without an invoice gave values")
        lines.append(f"{tally.invented_high} of their values are `high`")
    return "\n".join(lines)


def _absent(tally: Tally) -> tuple[int, int]:
    counts = tally.fields.values()
    return sum(c.right - c.printed_right for c in counts), sum(c.scored - c.printed for c in counts)


def _seconds(seconds: float, tally: Tally) -> str:
    return f"{seconds / tally.pages:.2f}" if tally.pages else "-"
