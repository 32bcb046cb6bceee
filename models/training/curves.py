"""`invoices models curves RUNS OUT`: pictures of how the models learned, one for each run folder."""

import argparse
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

mpl.use("Agg")
# The labels that header fields come from; the others would crowd the picture.
MAIN = ("SELLER", "INVOICE_NUMBER", "ISSUE_DATE", "DUE_DATE", "TOTAL", "TAX", "SUBTOTAL", "LINE_TOTAL")
# The weight of the old value in the smoothed loss.
SMOOTHING = 0.9


@dataclass(slots=True)
class Curves:
    """The contents of a log, by number of documents seen."""

    losses: list[tuple[int, float]] = field(default_factory=list)
    scores: list[tuple[int, float]] = field(default_factory=list)
    by_label: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    resumed: list[int] = field(default_factory=list)


def read_log(path: Path) -> Curves:
    """The curves of a `log.jsonl`.

    An interrupted run continues from its last saved state, so some documents are logged twice: the later entry counts.
    An incomplete last line is ignored.
    """
    curves = Curves()
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
            seen = int(entry["seen"])
        except (ValueError, KeyError, TypeError):
            continue
        if curves.losses and seen < curves.losses[-1][0]:
            _forget(curves, seen)
        if "loss" in entry:
            curves.losses.append((seen, float(entry["loss"])))
        if "f1" in entry:
            curves.scores.append((seen, float(entry["f1"])))
            for label, score in entry.get("f1 by label", entry.get("by_label", {})).items():
                curves.by_label.setdefault(label, []).append((seen, float(score)))
    return curves


def draw(name: str, curves: Curves) -> Figure:
    """Loss, F1 on held-out layout families, and F1 by label for the main labels."""
    figure = Figure(figsize=(11, 3.8), layout="constrained")
    loss, score, labels = figure.subplots(1, 3)
    loss.plot(*_columns(curves.losses), color="0.8", linewidth=0.8)
    loss.plot(*_columns(_smooth(curves.losses)), color="C0")
    loss.set(title=f"{name}: loss", xlabel="documents seen", yscale="log")
    score.plot(*_columns(curves.scores), marker=".", color="C0")
    score.set(title="F1 on families never trained on", xlabel="documents seen")
    for label in MAIN:
        if label in curves.by_label:
            labels.plot(*_columns(curves.by_label[label]), marker=".", label=label)
    labels.set(title="F1 by label", xlabel="documents seen")
    if curves.by_label:
        labels.legend(fontsize=7)
    for axes in (loss, score, labels):
        _mark(axes, curves.resumed)
    return figure


def _forget(curves: Curves, seen: int) -> None:
    """Drop what was logged after the state from which a run was resumed."""
    curves.resumed.append(seen)
    for points in (curves.losses, curves.scores, *curves.by_label.values()):
        points[:] = [point for point in points if point[0] < seen]


def _mark(axes: Axes, resumed: list[int]) -> None:
    for seen in resumed:
        axes.axvline(seen, color="0.9", linewidth=0.8, zorder=0)


def _columns(points: list[tuple[int, float]]) -> tuple[list[int], list[float]]:
    return [seen for seen, _ in points], [value for _, value in points]


def _smooth(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    smooth: list[tuple[int, float]] = []
    for seen, value in points:
        before = smooth[-1][1] if smooth else value
        smooth.append((seen, SMOOTHING * before + (1 - SMOOTHING) * value))
    return smooth


def main() -> None:
    """Write OUT/<run>.png for every folder of RUNS that has a log."""
    parser = argparse.ArgumentParser(prog="invoices models curves", description=__doc__)
    parser.add_argument("runs", type=Path, help="the folder with one folder per run")
    parser.add_argument("out", type=Path, help="folder for the pictures")
    arguments = parser.parse_args()
    logs = sorted(arguments.runs.glob("*/log.jsonl"))
    if not logs:
        parser.exit(1, f"{arguments.runs} holds no <run>/log.jsonl\n")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for log in logs:
        target = arguments.out / f"{log.parent.name}.png"
        draw(log.parent.name, read_log(log)).savefig(target, dpi=110)
        sys.stdout.write(f"{target}\n")


if __name__ == "__main__":
    main()
