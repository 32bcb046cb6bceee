"""Find text that lies outside its clipping path and is therefore not visible."""

import ctypes

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from serve_app.documents.pdf.pdfium import quick

_POINTER = ctypes.c_void_p
_clip = quick(pdfium_c.FPDFPageObj_GetClipPath, _POINTER, result=_POINTER)
_count_paths = quick(pdfium_c.FPDFClipPath_CountPaths, _POINTER)
_count_segments = quick(pdfium_c.FPDFClipPath_CountPathSegments, _POINTER, ctypes.c_int)
_segment = quick(pdfium_c.FPDFClipPath_GetPathSegment, _POINTER, ctypes.c_int, ctypes.c_int, result=_POINTER)
_point = quick(pdfium_c.FPDFPathSegment_GetPoint, _POINTER, _POINTER, _POINTER)
_bounds = quick(pdfium_c.FPDFPageObj_GetBounds, _POINTER, *[_POINTER] * 4)

# Longer paths are not simple windows; their bounds would say little.
_MAX_SEGMENTS = 32


def is_clipped_away(text_object: int) -> bool:
    """Whether all of the text is outside its clipping paths (judged by the bounds of each)."""
    clip = _clip(text_object)
    count = _count_paths(clip) if clip else 0
    if count <= 0:
        return False
    sides = np.zeros(4, np.float32)
    _bounds(text_object, *(sides.ctypes.data + 4 * place for place in range(4)))
    for path in range(count):
        points = _points(clip, path)
        low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else (sides[:2], sides[2:])
        if (low > sides[2:]).any() or (high < sides[:2]).any():
            return True
    return False


def _points(clip: int, path: int) -> NDArray[np.float32]:
    count = _count_segments(clip, path)
    points = np.zeros((count if 0 < count <= _MAX_SEGMENTS else 0, 2), np.float32)
    for index in range(len(points)):
        place = points.ctypes.data + 8 * index
        _point(_segment(clip, path, index), place, place + 4)
    return points
