"""How wide the items of a flexbox with several lines are, as shares of its width (CSS Flexible Box Layout, Level 1)."""

from collections.abc import Sequence

from weasyprint.css.properties import Dimension

from serve_app.documents.html.grids import Placement, Style

# Shares of a line add up to this, but for rounding: 66.67 % and twice 16.67 %.
_FULL = 1.001


def place_wrapped(items: Sequence[Style]) -> list[Placement | None]:
    """Where each item goes, line by line: as wide as it says, or by an equal share of what the others leave if it
    grows. None for those of a line in which one is as wide as its content."""
    placed: list[Placement | None] = []
    line: list[Style] = []
    taken = 0.0
    for item in items:
        share = _share(item) or 0.0
        if line and taken + share > _FULL:
            placed += _in_line(line)
            line, taken = [], 0.0
        line.append(item)
        taken += share
    return [*placed, *_in_line(line)]


def _in_line(items: Sequence[Style]) -> Sequence[Placement | None]:
    shares = [_share(item) for item in items]
    growing = sum(share is None and _grows(item) for item, share in zip(items, shares, strict=True))
    left = max(0.0, 1 - sum(share or 0.0 for share in shares)) / growing if growing else 0.0
    widths = [share or (left if _grows(item) else 0.0) for item, share in zip(items, shares, strict=True)]
    if not all(widths):
        return [None] * len(items)
    return [Placement(width, ends_row=number == len(items)) for number, width in enumerate(widths, 1)]


def _share(item: Style) -> float | None:
    """The share of the line that an item says it takes; None if it does not say."""
    for size in (item["flex_basis"], item["width"]):
        if isinstance(size, Dimension) and size.unit == "%" and size.value > 0:
            return min(1.0, float(size.value) / 100)
    return None


def _grows(item: Style) -> bool:
    return bool(item["flex_grow"] > 0)
