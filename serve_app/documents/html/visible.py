"""Which text on a laid-out page is visible, and how far it extends.

E-mails hide a line of preview text in many ways; what no reader sees must not become a value.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeAlias

from tinycss2.color5 import parse_color
from weasyprint.draw.color import get_color
from weasyprint.formatting_structure import boxes
from weasyprint.layout.absolute import AbsolutePlaceholder

LayoutBox: TypeAlias = Any
Color: TypeAlias = tuple[float, float, float]

# CSS pixels. Smaller print is not legible.
_SMALLEST = 2.5
# Below this opacity or contrast, nothing can be seen.
_OPAQUE = 0.1
_CONTRAST = 0.04
_WHITE: Color = (1.0, 1.0, 1.0)
_PLAIN = {
    "color": parse_color("black"),
    "opacity": 1,
    "border_collapse": "separate",
    "text_decoration_line": "none",
}


@dataclass(frozen=True, slots=True)
class _Scene:
    """What surrounds a box: the unclipped part of the page (x0, y0, x1, y1), opacity, and the background colour; None
    if a picture or another box may be behind it."""

    clip: tuple[float, float, float, float]
    opacity: float = 1.0
    behind: Color | None = _WHITE


def keep_visible(pages: Sequence[LayoutBox]) -> float:
    """Reduce the pages to their visible text, in black; return how far right it extends, in CSS pixels.

    Borders and backgrounds take most of the drawing time and hold no words; those around single characters make them
    one word.
    """
    everywhere = _Scene((-1e9, -1e9, 1e9, 1e9))
    seen = [box for page in pages for box in _walk(page, everywhere)]
    # Boxes share styles, so all are judged before any is changed.
    for page in pages:
        page.canvas_background = None
    for box in seen:
        _remove_decoration(box)
    return max((_right(box) for box in seen if isinstance(box, boxes.TextBox)), default=0.0)


def _walk(box: LayoutBox, scene: _Scene) -> Iterator[LayoutBox]:
    """A box and all visible boxes in it, after removing their invisible text."""
    yield box
    inside = _enter(box, scene)
    kept = []
    for child in box.children:
        actual = child._box if isinstance(child, AbsolutePlaceholder) else child
        if not isinstance(actual, boxes.TextBox):
            yield from _walk(actual, inside)
        elif _is_visible(actual, inside):
            yield actual
        else:
            continue
        kept.append(child)
    box.children = kept


def _enter(box: LayoutBox, scene: _Scene) -> _Scene:
    style = box.style
    behind = None if style["position"] in ("absolute", "fixed") else scene.behind
    if any(kind != "none" for kind, _ in style["background_image"]):
        behind = None
    else:
        color = get_color(style, "background_color")
        behind = _rgb(color) if color.alpha > 1 - _OPAQUE else behind if color.alpha < _OPAQUE else None
    scene = replace(scene, opacity=scene.opacity * style["opacity"], behind=behind)
    return replace(scene, clip=_clip(box, scene.clip)) if _clips(box) else scene


def _clips(box: LayoutBox) -> bool:
    """Whether the box clips its content; a scrolling box does not, unless it is too small to show anything."""
    if isinstance(box, boxes.PageBox | boxes.InlineBox | boxes.TextBox | boxes.LineBox):
        return False
    overflow = box.style["overflow"]
    return overflow in ("hidden", "clip") or (overflow != "visible" and min(box.width, box.height) < _SMALLEST)


def _clip(box: LayoutBox, clip: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    left, top = box.padding_box_x(), box.padding_box_y()
    right, bottom = left + box.padding_width(), top + box.padding_height()
    return max(clip[0], left), max(clip[1], top), min(clip[2], right), min(clip[3], bottom)


def _is_visible(text: LayoutBox, scene: _Scene) -> bool:
    style = text.style
    color = get_color(style, "color")
    if style["visibility"] != "visible" or style["font_size"] < _SMALLEST:
        return False
    # What is struck through holds no more: an old price, a corrected sum.
    if "line-through" in style["text_decoration_line"]:
        return False
    if scene.opacity * color.alpha < _OPAQUE or _is_same(_rgb(color), scene.behind):
        return False
    across = min(scene.clip[2], _right(text)) - max(scene.clip[0], text.position_x)
    along = min(scene.clip[3], text.position_y + text.height) - max(scene.clip[1], text.position_y)
    return bool(across >= min(_SMALLEST, text.width) and along >= min(_SMALLEST, text.height))


def _is_same(color: Color, behind: Color | None) -> bool:
    return behind is not None and all(abs(one - other) < _CONTRAST for one, other in zip(color, behind, strict=True))


def _rgb(color: Any) -> Color:
    red, green, blue = color.to("srgb").coordinates
    return float(red), float(green), float(blue)


def _right(text: LayoutBox) -> float:
    return float(text.position_x + text.width)


def _remove_decoration(box: LayoutBox) -> None:
    box.background = None
    if not _has_one_character(box):
        for side in ("top", "right", "bottom", "left"):
            setattr(box, f"border_{side}_width", 0)
    box.style.update(_PLAIN)


def _has_one_character(box: LayoutBox) -> bool:
    """Whether a box with borders may be one of a comb, whose characters are one word."""
    has_borders = getattr(box, "border_left_width", 0) and getattr(box, "border_right_width", 0)
    return bool(has_borders) and len(list(islice(_characters(box), 2))) == 1


def _characters(box: LayoutBox) -> Iterator[str]:
    if isinstance(box, boxes.TextBox):
        yield from box.text.strip()
        return
    for child in getattr(box, "children", ()):
        yield from _characters(child._box if isinstance(child, AbsolutePlaceholder) else child)
