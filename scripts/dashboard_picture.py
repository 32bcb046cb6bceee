"""Draws the panels of the dashboard from what a Prometheus has scraped, for docs/how-to/observe.md.

`make picture-dashboard` makes the load and the scrapes.
"""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.dates import DateFormatter
from matplotlib.figure import Figure
from matplotlib.ticker import LinearLocator

from scripts.dashboard import ROWS, Panel

mpl.use("Agg")
PICTURE = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "dashboard.webp"
COLUMNS = 3
_POINTS = 240
_SIZE = (15.0, 2.6)
"""Inches of a row of panels."""
_UNITS = {"s": "seconds", "percentunit": "share", "short": ""}
_CALIBRATED = ", calibrated"

Points = tuple[list[datetime], list[float]]


def draw(prometheus: str, start: float, end: float, out: Path) -> None:
    """Write a picture of all panels from `start` to `end` (unix times), as the Prometheus at this address knows them.
    Raises OSError if it does not answer."""
    panels = [panel for row in ROWS.values() for panel in row]
    rows = -(-len(panels) // COLUMNS)
    figure = Figure(figsize=(_SIZE[0], _SIZE[1] * rows), dpi=90, layout="constrained")
    axes = figure.subplots(rows, COLUMNS).flatten()
    for panel, place in zip(panels, axes, strict=False):
        _draw_panel(place, panel, prometheus, start, end)
    for place in axes[len(panels) :]:
        place.set_axis_off()
    figure.savefig(out, format="webp", pil_kwargs={"quality": 75, "method": 6})


def _draw_panel(place: Axes, panel: Panel, prometheus: str, start: float, end: float) -> None:
    lines = [
        (_named(legend, series["metric"]), _points(series["values"]))
        for expression, legend in panel.lines
        for series in _asked(prometheus, expression, start, end)
    ]
    # Those that are zero throughout lie on each other, and say the same.
    moving = [(name, points) for name, points in lines if any(points[1])]
    colours: dict[str, str] = {}
    for name, (times, values) in moving:
        field, is_calibrated = name.removesuffix(_CALIBRATED), name.endswith(_CALIBRATED)
        colour = colours.setdefault(field, f"C{len(colours) % 10}")
        style = {"linestyle": "--", "label": None} if is_calibrated else {"label": name}
        place.plot(times, values, color=colour, linewidth=1.2, **style)  # type: ignore[arg-type]
    place.set_title(panel.title, fontsize=9, loc="left")
    place.set_ylabel(_UNITS[panel.unit], fontsize=7)
    place.set_xlim(_moment(start), _moment(end))  # type: ignore[arg-type]
    # Above the lines is room for what they are called.
    place.set_ylim(0, 1.4 * max((max(values) for _, (_, values) in moving), default=1.0))
    place.xaxis.set_major_locator(LinearLocator(4))
    place.xaxis.set_major_formatter(DateFormatter("%H:%M:%S", tz=UTC))  # type: ignore[no-untyped-call]
    place.tick_params(labelsize=7)
    place.grid(alpha=0.3)
    if moving:
        place.legend(fontsize=6, loc="upper left", ncols=3, framealpha=0.6)
    else:
        note = "all zero" if lines else "nothing was told"
        place.text(0.5, 0.5, note, transform=place.transAxes, ha="center", color="grey", fontsize=8)


def _asked(prometheus: str, expression: str, start: float, end: float) -> list[dict[str, Any]]:
    step = max(1.0, (end - start) / _POINTS)
    query = urlencode({"query": expression, "start": start, "end": end, "step": step})
    with urlopen(f"{prometheus}/api/v1/query_range?{query}", timeout=30) as answer:  # noqa: S310 - the caller's
        found: list[dict[str, Any]] = json.load(answer)["data"]["result"]
    return found


def _named(legend: str, labels: dict[str, str]) -> str:
    """Grafana's `{{label}}`, filled in."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: labels.get(found[1], ""), legend)


def _points(values: list[list[Any]]) -> Points:
    known = [(at, float(value)) for at, value in values if value != "NaN"]
    return [_moment(at) for at, _ in known], [value for _, value in known]


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
