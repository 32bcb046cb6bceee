"""Machine-readable codes on a page that is read by its text layer: only where something looks like one is rendered."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pypdfium2 as pdfium

from serve_app.documents.codes import read_codes
from serve_app.documents.pdf.paint import Paint
from serve_app.documents.pdf.projection import Boxes
from serve_app.domain.document import Box, PrintedCode, union

_DPI = 300
# Points: 7 mm to 9 cm. The standards ask for codes from 2 cm on, printers make smaller ones.
_LEAST, _MOST = 20.0, 255.0
# The longer side of a square code over the shorter one, with a caption or a frame around it; and of a strip of bars.
_SQUARE, _STRIP = 1.35, 12.0
# What is rendered around a place, as a share of it: a code without its margin is not found.
_MARGIN = 0.2
# A code that is drawn module by module has at least so many small shapes, none larger than this share of the page.
_MODULES = 60
_SMALL = 0.03
# Shapes that belong together are in neighbouring cells of a grid of so many points.
_CELL = 6.0
_MOST_PLACES = 8


def codes_of(page: pdfium.PdfPage, paint: Paint) -> tuple[PrintedCode, ...]:
    """The codes on a page, in reading order, with boxes in fractions of it as shown."""
    width, height = page.get_size()
    places = _joined([place for place in _places(paint, width, height) if _may_be_code(place, width, height)])
    found = {code for place in places[:_MOST_PLACES] for code in _read(page, place, width, height)}
    return tuple(sorted(found, key=lambda code: (code.box.y0, code.box.x0, code.text)))


def _places(paint: Paint, width: float, height: float) -> Iterator[Box]:
    """Where pictures, very intricate shapes and clusters of small shapes are."""
    yield from _boxes(paint.pictures)
    yield from _boxes(paint.shapes[paint.intricate])
    filled = paint.shapes[np.array(paint.painted_at, dtype=bool)]
    small = filled[(filled[:, 2:] - filled[:, :2] < _SMALL).all(axis=1)]
    if len(small) < _MODULES:
        return
    centers = (small[:, :2] + small[:, 2:]) / 2 * (width / _CELL, height / _CELL)
    columns, rows = int(width / _CELL) + 1, int(height / _CELL) + 1
    cells = np.zeros((rows, columns), np.uint8)
    x, y = centers.astype(int).clip(0, (columns - 1, rows - 1)).T
    cells[y, x] = 1
    _, labels = cv2.connectedComponents(cells)
    for label, count in enumerate(np.bincount(labels[y, x])):
        if label and count >= _MODULES:
            yield union(_boxes(small[labels[y, x] == label]))


def _boxes(boxes: Boxes) -> list[Box]:
    return [Box(*corners) for corners in boxes.clip(0, 1).tolist()]


def _may_be_code(place: Box, width: float, height: float) -> bool:
    """Whether it has the size and shape of a square code, or of a strip of bars."""
    wide, high = place.width * width, place.height * height
    short, long = sorted((wide, high))
    if not short >= _LEAST or not long <= _MOST * (1 if wide < _SQUARE * high else 2):
        return False
    return long <= _SQUARE * short or _SQUARE * high < wide <= _STRIP * high


def _joined(places: list[Box]) -> list[Box]:
    """Each place once: a picture may lie within a cluster of shapes."""
    kept: list[Box] = []
    for place in sorted(places, key=lambda each: -each.width * each.height):
        if not any(_is_within(place, other) for other in kept):
            kept.append(place)
    return kept


def _is_within(inner: Box, outer: Box) -> bool:
    return outer.x0 <= inner.x0 and outer.y0 <= inner.y0 and inner.x1 <= outer.x1 and inner.y1 <= outer.y1


def _read(page: pdfium.PdfPage, place: Box, width: float, height: float) -> list[PrintedCode]:
    """The codes at a place, which is rendered with a margin."""
    margin = _MARGIN * min(place.width * width, place.height * height)
    left, top = max(0.0, place.x0 * width - margin), max(0.0, place.y0 * height - margin)
    right, bottom = min(width, place.x1 * width + margin), min(height, place.y1 * height + margin)
    crop = (left, height - bottom, width - right, top)
    bitmap = page.render(scale=_DPI / 72, crop=crop, grayscale=True, may_draw_forms=False)
    try:
        grey = bitmap.to_numpy().copy()
    finally:
        bitmap.close()
    codes = read_codes(grey[:, :, 0] if grey.ndim == 3 else grey)
    return [replace(code, box=_on_page(code.box, left, top, right, bottom, width, height)) for code in codes]


def _on_page(box: Box, left: float, top: float, right: float, bottom: float, width: float, height: float) -> Box:
    return Box(
        (left + box.x0 * (right - left)) / width,
        (top + box.y0 * (bottom - top)) / height,
        (left + box.x1 * (right - left)) / width,
        (top + box.y1 * (bottom - top)) / height,
    )
