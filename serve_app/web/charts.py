"""Small bar charts: figures to SVG coordinates. The same figures stand in a table beside each chart."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

WIDTH, HEIGHT = 640, 170
_FOOT = 22
_ROOM = HEIGHT - _FOOT - 6


@dataclass(frozen=True, slots=True)
class Figure:
    """One bar's value; `label` stands below it, `text` is the value in words."""

    label: str
    text: str
    value: Decimal


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure with its place; all in SVG units."""

    figure: Figure
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars, and the height of a line across them."""

    bars: tuple[Bar, ...]
    limit_y: float | None = None
    width: int = WIDTH
    height: int = HEIGHT
    floor: int = HEIGHT - _FOOT


def chart_of(figures: Sequence[Figure], limit: int | None = None) -> Chart:
    """The chart of figures, the first at the left. A limit is drawn if it is at most twice the highest figure: else it
    would press the bars flat."""
    highest = max((figure.value for figure in figures), default=Decimal(0))
    is_near = limit is not None and highest * 2 >= limit
    top = max(highest, Decimal(limit or 0)) if is_near else highest
    step = WIDTH / max(len(figures), 1)
    bars = (_bar(figure, number * step, step, top) for number, figure in enumerate(figures))
    limit_y = round(HEIGHT - _FOOT - _ROOM * float(Decimal(limit or 0) / top), 1) if is_near and top > 0 else None
    return Chart(tuple(bars), limit_y)


def _bar(figure: Figure, x: float, step: float, top: Decimal) -> Bar:
    height = round(_ROOM * float(max(figure.value, Decimal(0)) / top), 1) if top > 0 else 0.0
    gap = min(step * 0.2, 14)
    return Bar(figure, round(x + gap / 2, 1), round(HEIGHT - _FOOT - height, 1), round(step - gap, 1), height)
