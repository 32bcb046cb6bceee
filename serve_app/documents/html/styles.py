"""Adjust computed styles where the layout engine is slow or a style hides or breaks words.

WeasyPrint's time grows exponentially with nested flexboxes and multi-column boxes (measured: a table of 60 rows in one
flexbox takes twice as long as alone, in three 15 times). Flexboxes and grids are therefore laid out as tables and
inline blocks, which puts the same things next to each other.
"""

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from weasyprint.css.properties import Dimension

from serve_app.documents.html.tree import Tree

Style: TypeAlias = Any
"""WeasyPrint's computed style, a dictionary keyed by property."""
StyleFor: TypeAlias = Callable[..., Style | None]

_NONE, _BLOCK, _TABLE = ("none",), ("block", "flow"), ("block", "table")
_CELL, _INLINE_BLOCK = ("table-cell",), ("inline", "flow-root")
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
        style.update(_PLAIN)
        if style["float"] == "footnote":
            style["float"] = "none"
        if element.tag != "a" and _HIDDEN_IN_OUTLOOK.search(element.get("style", "")):
            style["display"] = _NONE
    for _, arrangement, style in containers:
        style.update(_CONTAINER[arrangement])
    for element, arrangement, style in containers:
        items = [*(style_for(child) for child in element), style_for(element, "before"), style_for(element, "after")]
        for item in items:
            if item is not None and _is_in_flow(item):
                item.update(_item(arrangement, style))


def _arranges(style: Style) -> bool:
    return len(style["display"]) > 1 and style["display"][1] in ("flex", "grid")


def _arrangement(style: Style) -> str:
    if style["display"][1] == "grid":
        return "grid" if _tracks(style) > 1 else "column"
    if style["flex_direction"].startswith("column"):
        return "column"
    return "row" if style["flex_wrap"] == "nowrap" else "wrapped"


_CONTAINER: dict[str, dict[str, Any]] = {
    "row": {"display": _TABLE, "width": Dimension(100, "%")},
    "column": {"display": _BLOCK},
    "wrapped": {"display": _BLOCK},
    "grid": {"display": _BLOCK},
}


def _is_in_flow(style: Style) -> bool:
    return style["display"] != _NONE and style["position"] not in ("absolute", "fixed")


def _item(arrangement: str, container: Style) -> dict[str, Any]:
    """The styles that place a child of the container where the arrangement puts it."""
    if arrangement == "row":
        return {"display": _CELL, "float": "none"}
    if arrangement == "column":
        return {"display": _BLOCK, "float": "none"}
    width = {"width": Dimension(96 / _tracks(container), "%")} if arrangement == "grid" else {}
    return {"display": _INLINE_BLOCK, "float": "none", "vertical_align": "top", "box_sizing": "border-box", **width}


def _tracks(style: Style) -> int:
    """The number of columns of a grid; three if it auto-fits the width."""
    template = style["grid_template_columns"]
    if not isinstance(template, tuple):
        return 1
    # Sizes are at the odd positions, with line names between them.
    return max(1, sum(map(_repeated, template[1::2])))


def _repeated(track: Any) -> int:
    if not (isinstance(track, tuple) and track and track[0] == "repeat()"):
        return 1
    return min(track[1], 100) * max(1, len(track[2]) // 2) if isinstance(track[1], int) else 3
