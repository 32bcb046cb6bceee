"""How often each confidence level is right, by field: the figures that users of the API decide by."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from models.evaluation.crossvalidation import auto_verified
from models.evaluation.grid import Grid, percent, share
from models.evaluation.observations import HEADER_KINDS, KINDS, Judged
from models.evaluation.reliability import brier, expected_error, wilson
from models.evaluation.thresholds import upper_bound
from serve_app.domain.invoice import Confidence, Field
from serve_app.domain.target_precision import TargetPrecision
from serve_app.extraction.confidence.calibration import NEVER, Calibration

_NAMES = {"line_items": "line items, whole table", "row": "line items, one row"}
HEADER = "all header fields"
QUALITY_GROUPS = 5


def high_grid(judged: Sequence[Judged]) -> Grid:
    """For each field: how often `high` is right, with its 95 % interval and the share that is wrong at most
    (with 90 % confidence), and how many of the values that should be given
    it covers."""
    rows = [_high_row(name, mine) for name, mine in by_name(judged)]
    columns = ("field", "right of `high`", "95 % interval", "wrong at most", "covers", "ECE", "Brier score")
    return Grid("How right is `high`", columns, rows)


def level_grid(judged: Sequence[Judged]) -> Grid:
    """For each field and level: the share of right values, and how many there are."""
    rows = [
        [
            name,
            *(share(*counts(mine, level)) for level in Confidence),
            str(sum(judgement.level is None for judgement in mine)),
        ]
        for name, mine in by_name(judged)
    ]
    return Grid("Right values by level", ("field", *(f"`{level}`" for level in Confidence), "not found"), rows)


def cost_grid(judged: Sequence[Judged]) -> Grid:
    """For each field: why values are not `high`; the first reason counts."""
    rows = []
    for name, mine in by_name(judged):
        reasons = [_reason(judgement) for judgement in mine]
        rows.append([name, str(len(mine)), *(percent(reasons.count(reason), len(mine)) for reason in REASONS)])
    return Grid("What keeps values from `high`", ("field", "values", *REASONS), rows)


def quality_grid(judged: Sequence[Judged]) -> Grid:
    """Whether `quality_score` keeps its promise: files in five groups of similar score, the lowest first."""
    by_file: dict[str, list[Judged]] = defaultdict(list)
    for judgement in judged:
        if judgement.is_header and judgement.chance is not None:
            by_file[judgement.observation.case].append(judgement)
    scored = sorted(_mean_and_share(mine) for mine in by_file.values())
    rows = []
    for part in np.array_split(np.array(scored), min(QUALITY_GROUPS, len(scored))) if scored else []:
        score, right = part.mean(axis=0)
        rows.append([f"{part[0][0]:.2f} to {part[-1][0]:.2f}", str(len(part)), f"{score:.1%}", f"{right:.1%}"])
    return Grid("What `quality_score` is worth", ("score", "files", "mean score", "right of the values given"), rows)


def target_grid(by_target: Mapping[TargetPrecision, Sequence[Judged]], calibration: Calibration) -> Grid:
    """For each target precision: how often `high` header values are right, how many they are, the documents that are
    `auto_verified`, and the header fields that are never `high` because too few values prove it."""
    rows = []
    for target, judged in by_target.items():
        header = [judgement for judgement in judged if judgement.is_header]
        right, high = counts(header, Confidence.HIGH)
        verified, right_verified, complete = auto_verified(judged)
        parts = calibration.at(target).fields
        unproved = [field for field in HEADER_KINDS if parts[Field(field)].threshold >= NEVER]
        shares = share(right, high), share(high, len(header)), share(verified, complete)
        rows.append([str(target), *shares, share(right_verified, verified), ", ".join(unproved) or "-"])
    columns = ("target", "right of `high`", "covers", "`auto_verified`", "right of these", "fields never `high`")
    return Grid("What a target precision costs", columns, rows)


def _mean_and_share(mine: Sequence[Judged]) -> tuple[float, float]:
    chances, right = graded(mine)
    return sum(chances) / len(chances), sum(right) / len(right)


REASONS = ("high", "not found", "models differ", "sums unproved", "illegible", "too unlikely")


def _reason(one: Judged) -> str:
    support = one.observation.support
    if support is None:
        return "not found"
    if one.level is Confidence.HIGH:
        return "high"
    if not support.models_agree:
        return "models differ"
    return "sums unproved" if not support.adds_up else "illegible" if support.legibility < 0.5 else "too unlikely"


def _high_row(name: str, mine: Sequence[Judged]) -> list[str]:
    right, count = counts(mine, Confidence.HIGH)
    low, top = wilson(right, count)
    chances, outcomes = graded(mine)
    return [
        name,
        share(right, count),
        f"{low:.0%} to {top:.0%}" if count else "-",
        f"{upper_bound(count - right, count):.1%}" if count else "-",
        share(count, len(mine)),
        f"{expected_error(chances, outcomes):.3f}" if chances else "-",
        f"{brier(chances, outcomes):.3f}" if chances else "-",
    ]


def by_name(judged: Sequence[Judged]) -> list[tuple[str, list[Judged]]]:
    """The values of each non-empty field, under its printed name, and of all header fields together."""
    parts = [
        (_NAMES.get(kind, kind), [judgement for judgement in judged if judgement.observation.kind == kind])
        for kind in KINDS
    ]
    parts.insert(7, (HEADER, [judgement for judgement in judged if judgement.is_header]))
    return [(name, mine) for name, mine in parts if mine]


def counts(judged: Sequence[Judged], level: Confidence) -> tuple[int, int]:
    """How many values of a level are right, and how many there are."""
    chosen = [judgement.observation.is_right for judgement in judged if judgement.level is level]
    return sum(chosen), len(chosen)


def graded(judged: Sequence[Judged]) -> tuple[list[float], list[bool]]:
    """The probabilities of the values that were given, and whether each is right."""
    given = [(judgement.chance, judgement.observation.is_right) for judgement in judged if judgement.chance is not None]
    return [chance for chance, _ in given], [right for _, right in given]
