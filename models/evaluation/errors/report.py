"""The errors of an evaluation as `errors.html`, for people, and `errors.json`, for programs."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from models.evaluation.compare import HEADER
from models.evaluation.errors.causes import CAUSE_TEXTS, Cause, Verdict
from models.evaluation.errors.collect import Counted, ErrorLog, FieldError, Weighed
from models.evaluation.grid import Grid, share
from models.evaluation.rows import LINE_ITEMS

PAGE, DATA = "errors.html", "errors.json"
_TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)
_MOST_VENDORS = 30
_FIELDS = (*HEADER, LINE_ITEMS)


def write_errors(out: Path, log: ErrorLog, models: str) -> None:
    """Write both files to `out`; `models` names the pair."""
    wrong = _wrong(log.errors)
    filters = {
        "verdict": [verdict.value for verdict in Verdict],
        "field": _FIELDS,
        "cause": [cause.value for cause in Cause],
        "level": _known(error.level or "not given" for error in log.errors),
        "confusion": [name for name, _ in Counter(filter(None, (each.confusion for each in log.errors))).most_common()],
        "kind": _known(error.kind for error in log.errors),
        "source": _known(error.source for error in log.errors),
        "vendor": _known(error.vendor or "" for error in log.errors),
        "change": _known(change_of(error) for error in log.errors) if log.earlier else (),
    }
    page = _TEMPLATES.get_template("errors.html").render(
        models=models,
        errors=log.errors,
        tables=[
            cause_grid(log.errors),
            confusion_grid(log.errors),
            source_grid(log),
            vendor_grid(log),
            *([change_grid(log.errors)] if log.earlier else []),
        ],
        filters={name: values for name, values in filters.items() if len(values) > 1},
        cause_texts=CAUSE_TEXTS,
        change_of=change_of,
        compares=bool(log.earlier),
    )
    (out / PAGE).write_text(page, encoding="utf-8")
    content = {
        "models": models,
        "causes": CAUSE_TEXTS,
        "wrong_or_missed": len(wrong),
        "by_cause": dict(Counter(cause for error in log.errors for cause in error.causes)),
        "confusions": [{"field": field, "given": other, "values": n} for (field, other), n in _confusions(wrong)],
        "by_source": _rates(log.by_source, _sources(log)),
        "by_vendor": _rates(log.by_vendor, _vendors(log)),
        "errors": [_content(error) for error in log.errors],
    }
    (out / DATA).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def cause_grid(errors: Sequence[FieldError]) -> Grid:
    """For each field: its errors by cause."""
    counts = Counter((error.scored.field, cause) for error in errors for cause in error.causes)
    rows = [[name, *(str(counts[name, cause]) for cause in Cause)] for name in _FIELDS]
    total = ["all", *(str(sum(counts[name, cause] for name in _FIELDS)) for cause in Cause)]
    columns = ("field", *(cause.value.replace("_", " ") for cause in Cause))
    return Grid("Causes of wrong and missed values, and of levels that do not fit", columns, [*rows, total])


def confusion_grid(errors: Sequence[FieldError]) -> Grid:
    """What wrong values are instead, the most frequent first."""
    rows = [[field, other, str(count)] for (field, other), count in _confusions(_wrong(errors))]
    return Grid("What wrong values are instead", ("field", "given", "values"), rows)


def source_grid(log: ErrorLog) -> Grid:
    """Wrong and missed values of each source, the most errors first."""
    return _rate_grid("Wrong and missed values by source", "source", _rates(log.by_source, _sources(log)))


def vendor_grid(log: ErrorLog) -> Grid:
    """Wrong and missed values of the vendors with the most of them."""
    return _rate_grid(
        "Wrong and missed values by vendor", "vendor", _rates(log.by_vendor, _vendors(log))[:_MOST_VENDORS]
    )


def change_grid(errors: Sequence[FieldError]) -> Grid:
    """For each field: how its values differ from those of the earlier run."""
    counts = Counter((error.scored.field, change_of(error)) for error in errors)
    rows = [[name, *(str(counts[name, change]) for change in Change)] for name in _FIELDS]
    return Grid("Values of this list against the earlier run", ("field", *Change), rows)


def _sources(log: ErrorLog) -> Counted:
    return Counter((error.source, error.scored.row is not None) for error in _wrong(log.errors))


def _vendors(log: ErrorLog) -> Counted:
    return Counter((error.vendor or "", error.scored.row is not None) for error in _wrong(log.errors))


def _rates(scored: Counted, wrong: Counted) -> list[dict[str, Any]]:
    rates = [
        {
            "name": name,
            "wrong": wrong[name, False],
            "scored": scored[name, False],
            "wrong_rows": wrong[name, True],
            "scored_rows": scored[name, True],
        }
        for name in sorted({name for name, _ in wrong})
    ]
    return sorted(rates, key=lambda rate: (-rate["wrong"], -rate["wrong_rows"]))


def _rate_grid(title: str, column: str, rates: Sequence[Mapping[str, Any]]) -> Grid:
    rows = [
        [
            rate["name"] or "(none)",
            share(rate["wrong"], rate["scored"]),
            share(rate["wrong_rows"], rate["scored_rows"]),
        ]
        for rate in rates
    ]
    return Grid(title, (column, "header fields", "line items"), rows)


def _wrong(errors: Iterable[FieldError]) -> list[FieldError]:
    return [error for error in errors if error.verdict is not Verdict.RIGHT]


def _confusions(wrong: Iterable[FieldError]) -> list[tuple[tuple[str, str], int]]:
    found = ((error.scored.field, error.confusion) for error in wrong if error.confusion is not None)
    return Counter(found).most_common()


def _known(values: Iterable[str]) -> list[str]:
    return sorted(set(values))


class Change(StrEnum):
    """A value against the one of the earlier run."""

    WON = "won"
    LOST = "lost"
    OTHER_VALUE = "other wrong value"
    OTHER_LEVEL = "other level"
    SAME = "same value"
    NEW = "not in the earlier run"


def change_of(error: FieldError) -> Change:
    """How a value differs from the one that the earlier run gave."""
    if error.before is None:
        return Change.NEW
    is_right = error.verdict is Verdict.RIGHT
    if error.before.right != is_right:
        return Change.WON if is_right else Change.LOST
    if is_right or error.before.given == error.given:
        return Change.SAME if error.before.level == error.level else Change.OTHER_LEVEL
    return Change.OTHER_VALUE


def _content(error: FieldError) -> dict[str, Any]:
    return {
        "document": error.scored.document,
        "invoice": error.scored.invoice + 1,
        "field": error.scored.field,
        "row": None if error.scored.row is None else error.scored.row + 1,
        "source": error.source,
        "kind": error.kind,
        "vendor": error.vendor,
        "verdict": error.verdict,
        "causes": error.causes,
        "true": error.true,
        "given": error.given,
        "level": error.level,
        "reason": error.reason,
        "extractor": error.extractor,
        "verifier": error.verifier,
        "candidates": [_candidate(each) for each in error.candidates],
        "confusion": error.confusion,
        "before": error.before
        and {"right": error.before.right, "given": error.before.given, "level": error.before.level},
        "change": change_of(error) if error.before else None,
    }


def _candidate(each: Weighed) -> dict[str, Any]:
    candidate = each.candidate
    return {
        "value": candidate.value,
        "text": candidate.text,
        "page": each.page,
        "score": candidate.score,
        "sources": candidate.sources,
        "features": each.shares,
        "true": each.is_true,
    }
