"""An evaluation as a file, `evaluation.json`: every figure, and the outcome of every document."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.evaluation.compare import HEADER, is_absent, is_right
from models.evaluation.dataset import Case, Truth
from models.evaluation.evaluate import Evaluation
from models.evaluation.outcome import Outcome
from models.evaluation.pairing import paired
from models.evaluation.reliability import bins, brier, expected_error, wilson
from models.evaluation.rows import LINE_ITEMS, RowPair, paired_rows, scores_rows
from models.evaluation.tally import CONFIDENCE_KEY, Tally
from models.evaluation.trust import by_name, counts, graded
from models.pipeline import Pipeline
from serve_app.domain.clock import utc_now
from serve_app.domain.invoice import Confidence, Extraction
from serve_app.domain.user_error import UserError

FILE = "evaluation.json"


class RunError(UserError):
    """A file or folder is not an earlier evaluation; the message says why."""


def write_record(path: Path, evaluation: Evaluation, pipeline: Pipeline) -> None:
    """Write everything that was measured."""
    content = {
        "measured_at": f"{utc_now():%Y-%m-%dT%H:%M:%SZ}",
        "models": pipeline.revisions.model_dump(),
        "calibration": {
            "fitted_at": pipeline.calibration.fitted_at,
            "fits_the_models": pipeline.calibration_problem is None,
        },
        "total": _figures(evaluation.total),
        "header_by_group": round(evaluation.group_share, 4),
        "by_kind": {name: _figures(tally) for name, tally in sorted(evaluation.by_kind.items())},
        "by_set": {name: _figures(tally) for name, tally in sorted(evaluation.by_set.items())},
        "confidence": _confidence(evaluation),
        "documents": [_document(case, outcome) for case, outcome in evaluation.outcomes],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")


@dataclass(frozen=True, slots=True)
class Scored:
    """A header field of one invoice, or a row of its line items: the true ones first, then those without a true one."""

    document: str
    invoice: int
    field: str
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier run gave for it."""

    right: bool
    given: str | None
    level: str | None


def read_outcomes(path: Path) -> dict[Scored, bool]:
    """Whether each header field of an earlier run is right. Raise RunError if `path` is not an earlier run."""
    return {scored: earlier.right for scored, earlier in read_values(path).items() if scored.row is None}


def read_values(path: Path) -> dict[Scored, Earlier]:
    """What an earlier run gave for each header field and row; `path` is its folder or its file. Raise RunError if it
    is not an earlier run."""
    file = path / FILE if path.is_dir() else path
    try:
        documents = json.loads(file.read_text())["documents"]
        return {
            scored: Earlier(bool(of["right"]), of.get("given"), of.get("level"))
            for document in documents
            for number, invoice in enumerate(document["invoices"])
            for scored, of in _values(document["name"], number, invoice)
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise RunError(f"{file} is not the result of an earlier evaluation: {error!r}") from error


def _values(document: str, number: int, invoice: dict[str, Any]) -> Iterator[tuple[Scored, dict[str, Any]]]:
    for field, of in invoice["fields"].items():
        yield Scored(document, number, field), of
    for row, of in enumerate(invoice["lines"].get("rows", ())):
        yield Scored(document, number, LINE_ITEMS, row), of


def _figures(tally: Tally) -> dict[str, Any]:
    right, scored = tally.header
    return {
        "invoices": tally.documents,
        "header": {"right": right, "scored": scored},
        "fields": {
            name: {"printed": c.printed, "printed_right": c.printed_right, "scored": c.scored, "right": c.right}
            for name, c in tally.fields.items()
        },
        "lines": {"true": tally.true_lines, "predicted": tally.predicted_lines, "matched": tally.matched},
        "unreadable": tally.failed,
        "no_invoice": {"files": tally.no_invoice, "with_values": tally.invented, "high_values": tally.invented_high},
        "pages": tally.pages,
        "seconds": round(tally.seconds, 2),
        "read_seconds": round(tally.read_seconds, 2),
    }


def _confidence(evaluation: Evaluation) -> dict[str, Any]:
    report = {}
    for name, mine in by_name(evaluation.judged):
        chances, right = graded(mine)
        report[name] = {
            "values": len(mine),
            "levels": {level: _level(*counts(mine, level), len(mine)) for level in Confidence},
            "ece": round(expected_error(chances, right), 4),
            "brier": round(brier(chances, right), 4),
            "bins": [[bin.count, round(bin.chance, 4), bin.right] for bin in bins(chances, right)],
        }
    return report


def _level(right: int, count: int, whole: int) -> dict[str, Any]:
    interval = [round(end, 4) for end in wilson(right, count)]
    return {"right": right, "values": count, "interval": interval, "coverage": round(count / whole, 4)}


def _document(case: Case, outcome: Outcome) -> dict[str, Any]:
    pairs = paired(case.truths, outcome.sections)
    return {
        "name": case.name,
        "set": case.set,
        "kind": case.kind,
        "outcome": outcome.summary,
        "invoices": [_invoice(truth, outcome.extraction(pairs.get(i))) for i, truth in enumerate(case.truths)],
    }


def _invoice(truth: Truth, found: Extraction | None) -> dict[str, Any]:
    hidden = truth.get("_not_printed", [])
    rows, true_rows = found.line_items if found else [], truth.get(LINE_ITEMS, [])
    pairs = paired_rows(true_rows, rows)
    return {
        "fields": {name: _field(name, truth, found) for name in HEADER if name in truth and name not in hidden},
        "lines": {
            "true": len(true_rows),
            "predicted": len(rows),
            "matched": sum(pair.is_right for pair in pairs),
            "rows": [_row(pair) for pair in pairs] if scores_rows(truth) else [],
        },
        "quality_score": found.quality_score if found else None,
    }


def _row(pair: RowPair) -> dict[str, Any]:
    return {"right": pair.is_right, "true": pair.true_text, "given": pair.given_text, "level": pair.level}


def _field(name: str, truth: Truth, found: Extraction | None) -> dict[str, Any]:
    value = getattr(found, name) if found else None
    levels = found.field_confidence if found else None
    return {
        "right": found is not None and is_right(name, truth, value),
        "printed": not is_absent(truth[name]),
        "true": truth[name],
        "given": None if value is None else str(value),
        "level": (levels or {}).get(CONFIDENCE_KEY[name]),
    }
