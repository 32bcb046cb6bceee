"""The figures of an evaluation by field, for verdicts, model cards and programs that show metrics."""

from collections.abc import Mapping
from typing import Any

from models.evaluation.rows import LINE_ITEMS
from models.evaluation.tally import Tally
from serve_app.domain.invoice import Confidence


def figures_by_field(tally: Tally) -> dict[str, dict[str, int]]:
    """For each header field: values that were scored, right ones, `high` ones, and right ones of these; for line items:
    true, given and matched rows."""
    found = {
        name: {
            "scored": count.scored,
            "right": count.right,
            "high": count.levels[Confidence.HIGH],
            "high_right": count.right_levels[Confidence.HIGH],
        }
        for name, count in tally.fields.items()
    }
    rows = {"true": tally.true_lines, "given": tally.predicted_lines, "matched": tally.matched}
    return {**found, LINE_ITEMS: rows} if tally.true_lines or tally.predicted_lines else found


def metrics_of(tally: Tally) -> dict[str, Any]:
    """Shares of right values by field, of `high` values, and of right ones of these; F1 of line items; seconds a
    page."""
    fields = {name: each for name, each in figures_by_field(tally).items() if name != LINE_ITEMS}
    header, scored = tally.header
    return {
        "right": {**_shares(fields, "right", "scored"), "header": header / max(1, scored)},
        "high": _shares(fields, "high", "scored"),
        "right of high": _shares(fields, "high_right", "high"),
        "line items": {} if tally.line_f1 is None else {"f1": tally.line_f1},
        "seconds a page": tally.seconds / max(1, tally.pages),
    }


def _shares(fields: Mapping[str, Mapping[str, int]], part: str, whole: str) -> dict[str, float]:
    return {name: each[part] / each[whole] for name, each in fields.items() if each[whole]}
