"""Remove from the parsed tree what makes layouts explode and what is never shown as text."""

import re
from typing import TypeAlias
from xml.etree.ElementTree import Element

from serve_app.documents.html.css import LARGEST, bounded

# Browsers that cannot play or run these show nothing.
_DROPPED = frozenset({"audio", "canvas", "datalist", "dialog", "embed", "map", "math", "video"})
_SVG = "{http://www.w3.org/2000/svg}"
_SVG_TEXT = frozenset({"svg", "g", "text", "tspan"})
# No page holds wider rows.
_MAX_COLUMNS = 300
_LIMITS = {"colspan": 50, "rowspan": 1000, "span": 50, "start": 99_999, "value": 99_999, "size": 100, "cols": 200}
# `value` is a number only in lists.
_LISTS = frozenset({"li", "ol"})
_LENGTHS = frozenset(
    {"width", "height", "border", "cellpadding", "cellspacing", "hspace", "vspace", "marginheight", "marginwidth"}
)
_LONG = re.compile(r"\s*\d{5,}")

Tree: TypeAlias = Element


def sanitize(root: Tree) -> None:
    """Change the tree in place: drop players, drawings and what is collapsed, bound spans, lengths and numbers."""
    for element in list(root.iter()):
        if not isinstance(element.tag, str):
            continue
        if element.tag == "details" and element.get("open") is None:
            _collapse(element)
        _drop_children(element)
        _bound(element)
        if element.tag == "tr":
            _bound_row(element)


def _collapse(details: Tree) -> None:
    """Leave only the summary of what a reader would have to open."""
    summary = details.find("summary")
    details.text = None
    details[:] = [] if summary is None else [summary]
    if summary is not None:
        summary.tail = None


def _drop_children(element: Tree) -> None:
    before: Tree | None = None
    for child in list(element):
        if _is_dropped(child):
            _keep_tail(element, before, child.tail)
            element.remove(child)
        else:
            before = child


def _is_dropped(element: Tree) -> bool:
    name = element.tag if isinstance(element.tag, str) else ""
    if name.startswith(_SVG):
        # Only the text of drawings is kept: shapes show none, and reused shapes multiply.
        return name.removeprefix(_SVG) not in _SVG_TEXT
    if name == "input":
        return element.get("type", "").strip().lower() == "hidden"
    return name in _DROPPED and element.get("open") is None


def _keep_tail(parent: Tree, before: Tree | None, tail: str | None) -> None:
    if before is not None:
        before.tail = (before.tail or "") + (tail or "")
    else:
        parent.text = (parent.text or "") + (tail or "")


def _bound(element: Tree) -> None:
    for name, value in list(element.items()):
        if name == "style":
            element.set(name, bounded(value))
        elif name in _LENGTHS and _LONG.match(value):
            element.set(name, LARGEST)
        elif name in _LIMITS and (name != "value" or element.tag in _LISTS):
            element.set(name, _capped(value, _LIMITS[name]))
    if element.tag == "input" and element.get("type", "").lower() == "password":
        element.attrib.pop("value", None)


def _bound_row(row: Tree) -> None:
    spans = [cell.get("colspan", "1") for cell in row]
    if sum(int(span) if span.isdecimal() else 1 for span in spans) > _MAX_COLUMNS:
        for cell in row:
            cell.attrib.pop("colspan", None)


def _capped(value: str, largest: int) -> str:
    digits = re.match(r"\s*[+-]?(\d+)", value)
    return str(largest) if digits and (len(digits[1]) > 9 or int(digits[1]) > largest) else value
