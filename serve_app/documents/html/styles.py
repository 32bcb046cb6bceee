"""Adjust computed styles where the layout engine is slow or a style hides or breaks words.

WeasyPrint's time grows exponentially with nested flexboxes and multi-column boxes (measured: a table of 60 rows in one
flexbox takes twice as long as alone, in three 15 times). Flexboxes and grids are therefore laid out as tables and
inline blocks, which puts the same things next to each other.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from weasyprint.css import AnonymousStyle
from weasyprint.css.properties import Dimension

from serve_app.documents.html.css import PAGE_WIDTH
from serve_app.documents.html.flexboxes import place_wrapped
from serve_app.documents.html.grids import Placement, Style, place, tracks
from serve_app.documents.html.tree import Tree

StyleFor: TypeAlias = Any
"""WeasyPrint's computed styles, a function of an element and the name of a pseudo-element."""

_NONE, _BLOCK, _TABLE = ("none",), ("block", "flow"), ("block", "table")
_CELL, _INLINE_BLOCK = ("table-cell",), ("inline", "flow-root")
# What stands in two columns of a grid is apart by so many pixels at least.
_BETWEEN = 4.0
# No more are taken to share a width equally.
_MOST_BESIDE = 3
# Words stay whole, whatever the design says.
_PLAIN = {"hyphens": "manual", "letter_spacing": "normal", "column_count": "auto", "column_width": "auto"}
# What is hidden in Outlook is a preheader, or a button that Outlook gets in another form.
_HIDDEN_IN_OUTLOOK = re.compile(r"mso-hide\s*:\s*all", re.IGNORECASE)


def adapt(root: Tree, style_for: StyleFor) -> None:
    """Change the computed styles of the tree in place."""
    styles = [(element, style) for element in root.iter() for style in [style_for(element)] if style is not None]
    # Similar elements share styles, so all are read before the first is changed.
    containers = [(element, _arrangement(style), style) for element, style in styles if _arranges(style)]
    for element, style in styles:
        _make_readable(element, style)
    for element, _, style in containers:
        _put_in_order(element, style, style_for)
    for _, arrangement, style in containers:
        style.update(_CONTAINER[arrangement])
    widths = _widths(root, style_for, {element: arrangement for element, arrangement, _ in containers})
    for element, arrangement, style in containers:
        if arrangement in ("grid", "wrapped"):
            _make_rows(element, arrangement, style, style_for, widths[element])
            continue
        items = [*(style_for(child) for child in element), style_for(element, "before"), style_for(element, "after")]
        for item in items:
            if item is not None and _is_in_flow(item):
                item.update(_ITEM[arrangement])
        if arrangement == "row":
            _set_apart(_children(element, style_for), style_for, _gap(style))


def _put_in_order(element: Tree, container: Style, style_for: StyleFor) -> None:
    """Put the items of a grid or flexbox in the order in which they are shown."""
    styles = {child: style_for(child) for child in element}
    shown = sorted(element, key=lambda child: styles[child]["order"] if styles[child] is not None else 0)
    if "flex" in container["display"] and container["flex_direction"].endswith("-reverse"):
        shown.reverse()
    if shown != list(element) and not any((child.tail or "").strip() for child in element):
        element[:] = shown


def _make_readable(element: Tree, style: Style) -> None:
    style.update(_PLAIN)
    if style["float"] == "footnote":
        style["float"] = "none"
    if _holds_floats(style):
        style["min_height"] = Dimension(1, "px")
    if element.tag != "a" and _HIDDEN_IN_OUTLOOK.search(element.get("style", "")):
        style["display"] = _NONE


def _holds_floats(style: Style) -> bool:
    """Whether a box is as high as the floats in it. WeasyPrint lays what follows such a box out over it, if it holds
    nothing else and has no height, border or padding of its own."""
    is_apart = style["overflow"] != "visible" or "flow-root" in style["display"]
    return is_apart and style["height"] == "auto" and style["max_height"].value == math.inf


def _widths(root: Tree, style_for: StyleFor, arrangements: Mapping[Tree, str]) -> dict[Tree, float]:
    """About how wide every element is, in CSS pixels, as far as styles tell before anything is laid out."""
    widths = {root: float(PAGE_WIDTH)}
    for parent in root.iter():
        # In a row, what says nothing is as wide as its neighbours.
        beside = max(1, len(parent)) if arrangements.get(parent) in ("row", "grid", "wrapped") else 1
        for child in parent:
            style = style_for(child)
            width = style["width"] if style is not None else None
            whole = widths[parent]
            if isinstance(width, Dimension) and width.unit in ("px", "%"):
                whole = width.value if width.unit == "px" else whole * width.value / 100
            else:
                whole /= min(beside, _MOST_BESIDE)
            widths[child] = max(1.0, whole)
    return widths


def _make_rows(element: Tree, arrangement: str, container: Style, style_for: StyleFor, width: float) -> None:
    """Lay the children of a grid, or of a flexbox of several lines, out as tables of one row each."""
    children = _children(element, style_for)
    items = [style_for(child) for child in children]
    space = max(_BETWEEN, _gap(container))
    placements = place(container, items, width, space) if arrangement == "grid" else place_wrapped(items)
    line: list[tuple[Tree, Placement]] = []
    natural: list[Tree] = []
    for child, item, placement in zip(children, items, placements, strict=True):
        if placement is None:
            item.update(_INLINE)
            natural.append(child)
            continue
        line.append((child, placement))
        if placement.ends_row:
            _make_row(element, line, container, style_for, space)
            line = []
    _set_apart(natural, style_for, space)


def _make_row(
    element: Tree, line: Sequence[tuple[Tree, Placement]], container: Style, style_for: StyleFor, space: float
) -> None:
    row = element.makeelement("div", {})
    element.insert(list(element).index(line[0][0]), row)
    style_for._computed_styles[row, None] = _anonymous(container, {"display": _TABLE, "width": Dimension(100, "%")})
    for child, placement in line:
        # Similar elements share their styles: each cell gets one of its own.
        own = style_for(child).copy()
        own.update({"display": _CELL, "float": "none", "width": _percent(placement.width)})
        style_for._computed_styles[child, None] = own
        element.remove(child)
        _leave_empty(row, placement.before, container, style_for)
        row.append(child)
        _leave_empty(row, placement.after, container, style_for)
    _set_apart([child for child, _ in line], style_for, space)


def _set_apart(cells: Sequence[Tree], style_for: StyleFor, space: float) -> None:
    """Leave so many CSS pixels free between the cells of a row."""
    for cell in cells[:-1] if space else ():
        own = style_for(cell).copy()
        padding = own["padding_right"]
        if isinstance(padding, Dimension) and padding.unit == "px":
            own["padding_right"] = Dimension(padding.value + space, "px")
        style_for._computed_styles[cell, None] = own


def _leave_empty(row: Tree, share: float, container: Style, style_for: StyleFor) -> None:
    """Add an empty cell to a row, if it takes a share of it."""
    if share > 0:
        cell = row.makeelement("div", {})
        row.append(cell)
        style_for._computed_styles[cell, None] = _anonymous(container, {"display": _CELL, "width": _percent(share)})


def _anonymous(parent: Style, own: Mapping[str, Any]) -> Style:
    style = AnonymousStyle(parent)
    style.update(own)
    return style


def _percent(share: float) -> Dimension:
    return Dimension(100 * share, "%")


def _arranges(style: Style) -> bool:
    return len(style["display"]) > 1 and style["display"][1] in ("flex", "grid")


def _arrangement(style: Style) -> str:
    if style["display"][1] == "grid":
        is_row = len(tracks(style)) == 1 and style["grid_auto_flow"][-1] == "column"
        return "row" if is_row else "grid" if len(tracks(style)) > 1 else "column"
    if style["flex_direction"].startswith("column"):
        return "column"
    return "row" if style["flex_wrap"] == "nowrap" else "wrapped"


_CONTAINER: dict[str, dict[str, Any]] = {
    "row": {"display": _TABLE, "width": Dimension(100, "%")},
    "column": {"display": _BLOCK},
    "wrapped": {"display": _BLOCK},
    "grid": {"display": _BLOCK},
}


def _children(element: Tree, style_for: StyleFor) -> list[Tree]:
    """The children that are items of a grid or flexbox."""
    return [child for child in element for style in [style_for(child)] if style is not None and _is_in_flow(style)]


def _gap(container: Style) -> float:
    """What is between the columns of a grid or flexbox, in CSS pixels."""
    gap = container["column_gap"]
    return float(gap.value) if isinstance(gap, Dimension) and gap.unit == "px" else 0.0


def _is_in_flow(style: Style) -> bool:
    return style["display"] != _NONE and style["position"] not in ("absolute", "fixed")


_INLINE: dict[str, Any] = {
    "display": _INLINE_BLOCK,
    "float": "none",
    "vertical_align": "top",
    "box_sizing": "border-box",
}
# The styles that place a child of a container where its arrangement puts it.
_ITEM: dict[str, dict[str, Any]] = {
    "row": {"display": _CELL, "float": "none"},
    "column": {"display": _BLOCK, "float": "none"},
}
