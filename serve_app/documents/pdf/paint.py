"""What a page paints, judged by its objects without rendering it."""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from serve_app.documents.pdf.pdfium import handle, quick
from serve_app.documents.pdf.projection import Boxes, Projection

Matrix = NDArray[np.float64]
Corners = tuple[float, float, float, float]
"""Left, bottom, right, top in user space."""

_MAX_DEPTH = 8
# A rectangle has 5 segments, one with rounded corners 9.
_COMPLEX = 12
# The smallest QR code has more edges.
_INTRICATE = 200
# Of drawings with more parts, the first are looked at.
_MOST_SHAPES = 4000
# A picture with as many pixels an inch across as down, to rounding, has square ones.
_SQUARE = 0.98
# Share of a page that a scan covers.
_SCAN = 0.5
_POINTER = ctypes.c_void_p
_count = quick(pdfium_c.FPDFPage_CountObjects, _POINTER)
_object = quick(pdfium_c.FPDFPage_GetObject, _POINTER, ctypes.c_int, result=_POINTER)
_form_count = quick(pdfium_c.FPDFFormObj_CountObjects, _POINTER)
_form_object = quick(pdfium_c.FPDFFormObj_GetObject, _POINTER, ctypes.c_ulong, result=_POINTER)
_type = quick(pdfium_c.FPDFPageObj_GetType, _POINTER)
_draw_mode = quick(pdfium_c.FPDFPath_GetDrawMode, _POINTER, _POINTER, _POINTER)
_segments = quick(pdfium_c.FPDFPath_CountSegments, _POINTER)
_bounds = quick(pdfium_c.FPDFPageObj_GetBounds, _POINTER, *[_POINTER] * 4)
_matrix = quick(pdfium_c.FPDFPageObj_GetMatrix, _POINTER, _POINTER)
_pixels = quick(pdfium_c.FPDFImageObj_GetImagePixelSize, _POINTER, _POINTER, _POINTER)


@dataclass(slots=True)
class Paint:
    """What is on a page besides text.

    `pictures` are boxes in fractions of the page, `covered` how many pieces of text each was painted over;
    `resolution` is the finest of a picture, in pixels per point. `is_square`: the last picture has square pixels.
    `outlines` counts the lines and curves of drawings as complex as a letter. `shapes` are boxes of drawings, pictures
    and gradients; `painted_at` is the place of each in the order of painting, 0 for one that covers nothing, and
    `texts_at` that of each piece of text, by its address. `intricate` are the indices of shapes with so many lines and
    curves that each alone may be a code.
    """

    pictures: Boxes = field(default_factory=lambda: np.empty((0, 4)))
    covered: list[int] = field(default_factory=list)
    texts: int = 0
    resolution: float = 0.0
    is_square: bool = False
    outlines: int = 0
    objects: int = 0
    shapes: Boxes = field(default_factory=lambda: np.empty((0, 4)))
    painted_at: list[int] = field(default_factory=list)
    texts_at: dict[int, int] = field(default_factory=dict)
    intricate: list[int] = field(default_factory=list)

    @property
    def picture_share(self) -> float:
        """Share of the page under pictures; an upper bound if some overlap."""
        return float(min(1.0, self._shares().sum()))

    @property
    def covers_text(self) -> bool:
        """Whether a picture of half the page was painted over most of the text: a scan over its OCR layer."""
        return any(
            share >= _SCAN and 2 * covered > self.texts
            for share, covered in zip(self._shares().tolist(), self.covered, strict=True)
        )

    @property
    def is_one_picture(self) -> bool:
        """Whether a picture of half the page is all that is painted besides text: a scan."""
        return len(self.pictures) == len(self.shapes) == 1 and self.is_square and self.picture_share >= _SCAN

    def _shares(self) -> NDArray[np.float64]:
        corners = self.pictures.clip(0, 1)
        shares: NDArray[np.float64] = (corners[:, 2:] - corners[:, :2]).prod(axis=1)
        return shares


def look_at(page: pdfium.PdfPage, projection: Projection) -> Paint:
    """Count and locate what the page paints."""
    paint = Paint()
    corners: list[Corners] = []
    shapes: list[Corners] = []
    _look(paint, corners, shapes, _children(handle(page), _count, _object), None, 0)
    if corners:
        paint.pictures = projection.boxes(np.array(corners))
    if shapes:
        paint.shapes = projection.boxes(np.array(shapes))
    return paint


def _children(parent: int, count: Callable[..., int], child: Callable[..., int]) -> list[int]:
    return list(map(child, repeat(parent), range(count(parent))))


def _look(
    paint: Paint,
    corners: list[Corners],
    shapes: list[Corners],
    objects: list[int],
    outer: Matrix | None,
    depth: int,
) -> None:
    """Add `objects`; `outer` is the matrix of the enclosing forms, which are followed to a sane depth."""
    for pointer, kind in zip(objects, map(_type, objects), strict=True):
        paint.objects += 1
        if kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
            paint.texts += 1
            paint.texts_at[pointer] = paint.objects
        elif kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            segments = _segments(pointer)
            paint.outlines += segments if segments >= _COMPLEX else 0
            if len(shapes) < _MOST_SHAPES:
                if segments >= _INTRICATE:
                    paint.intricate.append(len(shapes))
                shapes.append(_corners(pointer, outer))
                paint.painted_at.append(paint.objects if _is_filled(pointer) else 0)
        elif kind in (pdfium_c.FPDF_PAGEOBJ_IMAGE, pdfium_c.FPDF_PAGEOBJ_SHADING):
            corners.append(_corners(pointer, outer))
            shapes.append(corners[-1])
            paint.painted_at.append(paint.objects)
            paint.covered.append(paint.texts)
            fewer, more = _resolutions(pointer, corners[-1])
            paint.resolution, paint.is_square = max(paint.resolution, more), fewer > _SQUARE * more
        elif kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
            inner = _children(pointer, _form_count, _form_object)
            _look(paint, corners, shapes, inner, _matrix_of(pointer, outer), depth + 1)


def _is_filled(path: int) -> bool:
    mode = np.zeros(2, np.int32)
    _draw_mode(path, mode.ctypes.data, mode.ctypes.data + 4)
    return bool(mode[0])


def _matrix_of(form: int, outer: Matrix | None) -> Matrix:
    values = np.zeros(6, np.float32)
    _matrix(form, values.ctypes.data)
    a, b, c, d, e, f = values.tolist()
    inner = np.array([[a, b, 0], [c, d, 0], [e, f, 1]])
    return inner if outer is None else inner @ outer


def _corners(pointer: int, matrix: Matrix | None) -> Corners:
    values = np.zeros(4, np.float32)
    _bounds(pointer, *(values.ctypes.data + 4 * place for place in range(4)))
    left, bottom, right, top = values.tolist()
    if matrix is None:
        return left, bottom, right, top
    points = np.array([[x, y, 1] for x in (left, right) for y in (bottom, top)]) @ matrix
    return (*points[:, :2].min(axis=0).tolist(), *points[:, :2].max(axis=0).tolist())


def _resolutions(picture: int, corners: Corners) -> tuple[float, float]:
    """Pixels per point along the two sides, the fewer first; 0 of what is no picture."""
    values = np.zeros(2, np.uint32)
    _pixels(picture, values.ctypes.data, values.ctypes.data + 4)
    sides = sorted((corners[2] - corners[0], corners[3] - corners[1]))
    few, many = sorted(values.tolist())
    fewer, more = sorted((few / sides[0], many / sides[1])) if sides[0] > 0 else (0.0, 0.0)
    return fewer, more
