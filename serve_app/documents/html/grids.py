"""Where the items of a CSS grid go, as shares of its width: columns by the sizes of the tracks, and by the lines or
areas that items name (CSS Grid Layout, Level 1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from weasyprint.css.properties import Dimension

Style: TypeAlias = Any
"""WeasyPrint's computed style, a dictionary keyed by property."""

# A grid of more columns is not laid out as one.
_MOST = 100
# What a grid that fills the width with equal columns is taken for.
_FILLED = 3
# What tracks of fixed sizes leave to the others, at least.
_LEFT = 0.3
_WIDER = 1.25


@dataclass(frozen=True, slots=True)
class Placement:
    """The widths of an item, and of what is left empty before it and, at the end of a row, after it, as shares of the
    grid's."""

    width: float
    before: float = 0.0
    after: float = 0.0
    ends_row: bool = True


def tracks(style: Style) -> list[Any]:
    """The sizes of a grid's columns; three equal ones if it fills the width with as many as it has room for."""
    template = style["grid_template_columns"]
    if not isinstance(template, tuple):
        return [None]
    # Sizes are at the odd positions, with line names between them.
    sizes = [size for track in template[1::2] for size in _repeated(track)]
    return sizes[:_MOST] or [None]


def _repeated(track: Any) -> list[Any]:
    if not (isinstance(track, tuple) and track and track[0] == "repeat()"):
        return [track]
    sizes = list(track[2][1::2]) or [None]
    return sizes * min(track[1], _MOST) if isinstance(track[1], int) else sizes * _FILLED


def place(grid: Style, items: Sequence[Style], width: float, gap: float) -> list[Placement]:
    """Where each of the items goes; `width` is about what the grid has, and `gap` what is between its columns, in CSS
    pixels."""
    shares = _shares(tracks(grid), width, gap)
    spans = list(_spans(grid, items, len(shares)))
    return [
        Placement(
            sum(shares[start:end]),
            sum(shares[before:start]),
            sum(shares[end:]) if is_last else 0.0,
            ends_row=is_last,
        )
        for before, start, end, is_last in spans
    ]


def _shares(sizes: Sequence[Any], width: float, gap: float) -> list[float]:
    """The share of the width that each track has; what is sized by its content is like a fraction."""
    fixed = [_fixed(size, width, gap) for size in sizes]
    taken = sum(share for share in fixed if share is not None)
    flexible = [_flex(size) if share is None else 0.0 for size, share in zip(sizes, fixed, strict=True)]
    whole = sum(flexible)
    # Without others, tracks of fixed sizes have all of the width; with others, these have a part of it.
    scale = 1 / taken if taken and not whole else min(1.0, (1 - _LEFT) / taken) if taken else 1.0
    left = 1 - taken * scale
    return [
        left * part / whole if share is None else share * scale for share, part in zip(fixed, flexible, strict=True)
    ]


def _fixed(size: Any, width: float, gap: float) -> float | None:
    if isinstance(size, Dimension) and size.unit == "%":
        return float(size.value) / 100
    is_fixed = isinstance(size, Dimension) and size.unit == "px"
    # Other fonts than the author's may be wider.
    return (_WIDER * float(size.value) + gap) / width if is_fixed else None


def _flex(size: Any) -> float:
    largest = size[2] if isinstance(size, tuple) and size and size[0] == "minmax()" else size
    return float(largest.value) or 1.0 if isinstance(largest, Dimension) and largest.unit == "fr" else 1.0


def _spans(grid: Style, items: Sequence[Style], count: int) -> Iterator[tuple[int, int, int, bool]]:
    """For each item, the column up to which the one before it goes in its row, its first column, the one behind its
    last, and whether the next item begins a row."""
    placed: list[tuple[int, int, int]] = []
    at = 0
    for item in items:
        start, span = _lines(grid, item, count)
        is_next_row = at >= count or (at + span > count if start is None else start < at)
        at = 0 if is_next_row else at
        first = at if start is None else start
        placed.append((at, first, min(first + span, count)))
        at = first + span
    for index, (before, start, end) in enumerate(placed):
        following = placed[index + 1] if index + 1 < len(placed) else None
        yield before, start, end, following is None or following[0] == 0


def _lines(grid: Style, item: Style, count: int) -> tuple[int | None, int]:
    """The first column that an item asks for, if it does, and how many it spans."""
    start, end = item["grid_column_start"], item["grid_column_end"]
    named = next((line[2] for line in (start, end) if line != "auto" and line[2] and not line[1]), None)
    if named is not None:
        return _area(grid, named)
    first, last = _line(start, count), _line(end, count)
    span = next((line[1] for line in (start, end) if line != "auto" and line[0] == "span" and line[1]), 1)
    if first is not None and last is not None:
        first, last = min(first, last), max(first, last)
        return first, max(1, last - first)
    if first is not None:
        return min(first, count - 1), min(span, count)
    return (max(0, last - span), span) if last is not None else (None, min(span, count))


def _line(line: Any, count: int) -> int | None:
    """A grid line by its number, from the left or, if that is negative, from the right; None if it has none."""
    if line == "auto" or line[0] == "span" or not line[1]:
        return None
    return int(min(line[1] - 1, count) if line[1] > 0 else max(0, count + 1 + line[1]))


def _area(grid: Style, name: str) -> tuple[int | None, int]:
    areas = grid["grid_template_areas"]
    rows = areas if isinstance(areas, tuple) else ()
    columns = [column for row in rows for column, area in enumerate(row) if area == name]
    return (min(columns), max(columns) - min(columns) + 1) if columns else (None, 1)
