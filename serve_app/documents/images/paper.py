"""Find the sheet of paper in a photo."""

from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt

from serve_app.documents.images.geometry import Corners, View
from serve_app.documents.images.ink import Ink, find_ink
from serve_app.documents.images.lines import clarity
from serve_app.documents.images.picture import Picture, in_grey

_WORKING_SIDE = 512
"""Pixels of the longer side: text vanishes, the edges of the paper remain."""
_LEAST_AREA = 0.15
_MOST_AREA = 0.97
"""Shares of the picture. A sheet that fills the picture has no visible edge."""
_LEAST_FILL = 0.92
"""Share of its quadrilateral outline that the sheet must fill: paper is flat and whole."""
_ANOTHER = 0.3
"""A second sheet has at least this share of the area of the largest."""
_LEAST_CONTRAST = 40.0
"""Grey levels by which paper is lighter than what it lies on."""
_LEAST_ROUGHNESS = 0.6
"""Grey levels between neighbouring pixels of the surroundings. Less means a rendered page, where a frame is not a
sheet: letterheads have flat coloured bands."""
_CLEARER = 1.1
"""How much clearer lines must be on the straightened sheet. Light and shadow make false edges; text does not."""
_MARGIN = 0.04
_LEAST_TILT = 0.015
"""Share of a side by which a corner must be off for a sheet on a flat background to count as a photo."""


def flattened(view: View) -> View:
    """The sheet in a photo, straightened; the view unchanged if no sheet is found or its lines get no clearer."""
    corners = find_paper(view.picture)
    if corners is None:
        return view
    sheet = view.cut(_with_margin(corners, view.size))
    return sheet if _line_clarity(sheet.picture) > _CLEARER * _line_clarity(view.picture) else view


def _with_margin(corners: Corners, size: tuple[int, int]) -> Corners:
    """A little more than the sheet, because its edges curl."""
    center = corners.mean(axis=0)
    return cast(Corners, np.clip(center + (corners - center) * (1 + _MARGIN), 0, size).astype(np.float32))


def _line_clarity(picture: Picture) -> float:
    ink = find_ink(picture)
    return max(clarity(ink), clarity(Ink(ink.points[:, ::-1], ink.text_height))) if ink else 0.0


def find_paper(picture: Picture) -> Corners | None:
    """The corners of the one sheet in a photo, in pixels; None if there is none, are several, or it fills the
    picture."""
    grey = in_grey(picture)
    ratio = min(1.0, _WORKING_SIDE / max(grey.shape))
    small = cast(Picture, cv2.resize(grey, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA))
    outlines = _outlines(small)
    corners = _corners(outlines[0]) if outlines else None
    if corners is None or not _is_paper(small, outlines[0], corners) or _are_several(outlines):
        return None
    return cast(Corners, (corners / ratio).astype(np.float32))


def _outlines(grey: Picture) -> list[npt.NDArray[Any]]:
    """The light regions, largest first, with their holes filled: text, stamps and the shadows of creases."""
    size = max(grey.shape) // 24 | 1
    # Dark strokes are closed first, else a dense page falls apart.
    closed = cv2.morphologyEx(grey, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_RECT, (size, size)))
    _, light = cv2.threshold(cv2.GaussianBlur(closed, (5, 5), 0), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    # Cut thin bridges to other light areas.
    light = cv2.morphologyEx(light, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, (size, size)))
    contours, _ = cv2.findContours(light, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return sorted(contours, key=cv2.contourArea, reverse=True)


def _are_several(outlines: list[npt.NDArray[Any]]) -> bool:
    """Whether the second largest region is another sheet: cutting out the largest would lose what is on it."""
    if len(outlines) < 2 or cv2.contourArea(outlines[1]) < _ANOTHER * cv2.contourArea(outlines[0]):
        return False
    corners = _corners(outlines[1])
    return corners is not None and _fills(outlines[1], corners)


def _corners(outline: npt.NDArray[Any]) -> Corners | None:
    """The outline's four corners, clockwise from the top left; None if it does not have four."""
    hull = cv2.convexHull(outline)
    length = cv2.arcLength(hull, closed=True)
    for tolerance in (0.02, 0.03, 0.04, 0.06):
        polygon = cv2.approxPolyDP(hull, tolerance * length, closed=True)
        if len(polygon) == 4:
            return _ordered(polygon.reshape(4, 2).astype(np.float32))
    return None


def _ordered(points: Corners) -> Corners:
    center = points.mean(axis=0)
    clockwise = points[np.argsort(np.arctan2(points[:, 1] - center[1], points[:, 0] - center[0]))]
    return np.roll(clockwise, -int(np.argmin(clockwise.sum(axis=1))), axis=0)


def _is_paper(grey: Picture, outline: npt.NDArray[Any], corners: Corners) -> bool:
    area = cv2.contourArea(corners)
    if not (_LEAST_AREA <= area / grey.size <= _MOST_AREA and _fills(outline, corners)):
        return False
    inside = np.zeros(grey.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners).astype(np.int32), 1)
    around = cv2.erode(1 - inside, np.ones((7, 7), np.uint8), borderValue=1) > 0
    if np.count_nonzero(around) < 0.02 * grey.size:
        return False
    contrast = float(np.median(grey[inside > 0])) - float(np.percentile(grey[around], 75))
    return contrast >= _LEAST_CONTRAST and (_roughness(grey, around) >= _LEAST_ROUGHNESS or _is_tilted(corners))


def _fills(outline: npt.NDArray[Any], corners: Corners) -> bool:
    return cv2.contourArea(outline) >= _LEAST_FILL * cv2.contourArea(corners)


def _roughness(grey: Picture, where: npt.NDArray[np.bool_]) -> float:
    steps = np.abs(np.diff(grey.astype(np.int16), axis=1))
    return float(np.mean(np.minimum(steps, 4)[where[:, 1:] & where[:, :-1]]))


def _is_tilted(corners: Corners) -> bool:
    off = np.abs(corners - np.roll(corners, -1, axis=0))
    return bool(np.min(off, axis=1).max() > _LEAST_TILT * np.max(off))
