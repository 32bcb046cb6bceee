"""Reliability diagram and risk-coverage curves."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from models.evaluation.observations import Judged
from models.evaluation.reliability import bins, expected_error, risk_coverage, wilson
from models.evaluation.trust import HEADER, by_name, counts, graded
from serve_app.domain.invoice import Confidence

mpl.use("Agg")
FLOOR, AIM = 0.03, 0.01


def draw(judged: Sequence[Judged], out: Path, subtitle: str) -> list[Path]:
    """Write `reliability.png` and `risk_coverage.png` to `out`; return their paths."""
    header = [judgement for judgement in judged if judgement.is_header]
    return [
        _save(_reliability(header, subtitle), out / "reliability.png"),
        _save(_risk_coverage(judged, subtitle), out / "risk_coverage.png"),
    ]


def _reliability(judged: Sequence[Judged], subtitle: str) -> Figure:
    chances, right = graded(judged)
    figure = Figure(figsize=(6, 5.4), layout="constrained")
    axes = figure.subplots()
    axes.plot((0, 1), (0, 1), color="0.7", linestyle="--", label="as it should be")
    for bin in bins(chances, right):
        low, top = wilson(bin.right, bin.count)
        below, above = max(0.0, bin.share - low), max(0.0, top - bin.share)
        axes.errorbar(bin.chance, bin.share, yerr=[[below], [above]], color="C0", marker="o", capsize=3)
        axes.annotate(str(bin.count), (bin.chance, bin.share), xytext=(6, -12), textcoords="offset points", fontsize=8)
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="probability given", ylabel="share of right values")
    axes.set_title(f"Header fields, ECE {expected_error(chances, right):.3f}\n{subtitle}", fontsize=10)
    axes.text(0.02, 0.97, "bars: 95 % intervals; numbers: values", fontsize=8, va="top")
    return figure


def _risk_coverage(judged: Sequence[Judged], subtitle: str) -> Figure:
    figure = Figure(figsize=(7.5, 5.4), layout="constrained")
    axes = figure.subplots()
    for name, mine in by_name(judged):
        if not name.startswith("line items"):
            _curve(axes, name, mine)
    axes.axhline(AIM, color="0.6", linestyle=":", linewidth=1)
    axes.axhline(FLOOR, color="0.6", linestyle="--", linewidth=1)
    axes.set(xlim=(0, 1), ylim=(-0.005, 0.35), xlabel="share of all values accepted, the likeliest first")
    axes.set_ylabel("share of wrong ones among them")
    axes.set_title(f"Risk and coverage; stars: what is `high`\n{subtitle}", fontsize=10)
    axes.legend(fontsize=8)
    return figure


def _curve(axes: Axes, name: str, judged: Sequence[Judged]) -> None:
    """Values that were not found come last, so they are left out of the curve but count for the coverage."""
    chances, right = graded(judged)
    coverage, risk = risk_coverage(chances, right)
    found = len(chances) / len(judged)
    width, color = (2.5, "black") if name == HEADER else (1.0, None)
    (line,) = axes.plot(coverage * found, risk, linewidth=width, color=color, label=name)
    good, count = counts(judged, Confidence.HIGH)
    if count:
        point = count / len(judged), 1 - good / count
        axes.plot(*point, marker="*", markersize=14, color=line.get_color(), markeredgecolor="white")


def _save(figure: Figure, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    return path
