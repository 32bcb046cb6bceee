"""Find lines of text: the PP-OCR detector, a network with differentiable binarization.

Source: Liao et al., Real-time Scene Text Detection with Differentiable Binarization (2019), with the constants
published with the PP-OCR models.
"""

from collections.abc import Iterator
from math import sqrt
from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt

from serve_app.documents.images.ink import find_ink
from serve_app.documents.images.picture import Picture, sheet_side
from serve_app.documents.ocr.networks import Network
from serve_app.documents.progress import step_done

Quad = npt.NDArray[np.float32]
"""Corners (x, y) of a line in pixels: top left, top right, bottom right, bottom left, in reading direction."""

Chances = npt.NDArray[np.float32]
"""For each pixel, how likely it is to be text, 0 to 1."""

_INK = 0.3
"""Above this, the network's map shows text."""
_LEAST_SCORE = 0.5
_UNCLIP = 1.6
"""The network marks the core of a line; its outline lies this times area / perimeter further out."""
_SMALLEST = 3.0
"""Pixels of the map: lower marks are specks."""
_SIDE_STEP = 32
_TEXT_HEIGHT = 10.0
"""Pixels: the usual height of characters at which lines are found. More is not needed, and time grows with the area."""
_LONG_SIDE = (736, 1920)
"""Minimum pixels of the longer side, and maximum of that of a sheet."""
_MOST_PIXELS = 12_000_000
"""Of a scaled picture, however long it is: 300 lines of a receipt have a quarter."""
_MOST_ENLARGED = 3.0
_STRIP = 1536
"""Pixels of the longer side of what the network sees at once of a longer picture."""
_OVERLAP = 128
"""Pixels that neighbouring strips share: several lines, so that each line is seen whole by one of them."""


class Detector:
    """Finds lines of text in RGB pictures."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def lines(self, picture: Picture) -> list[Quad]:
        scaled = _scaled(picture)
        chances = self._chances(scaled)
        self._network.release()
        back = np.array([picture.shape[1] / scaled.shape[1], picture.shape[0] / scaled.shape[0]], np.float32)
        return [quad * back for quad in _quads(chances)]

    def _chances(self, scaled: Picture) -> Chances:
        """The network's map of a picture. One that is longer than a sheet is seen in overlapping strips, whose maps
        are joined in the middle of what they share: a line at a seam is in the map once."""
        height, width = scaled.shape[:2]
        if max(height, width) <= _LONG_SIDE[1]:
            return self._look(scaled)
        chances, axis = np.empty((height, width), np.float32), int(width > height)
        along = np.moveaxis(chances, axis, 0)
        for start in _starts(max(height, width)):
            seen = self._look(scaled.take(range(start, start + _STRIP), axis))
            seam = start + _OVERLAP // 2 if start else 0
            along[seam : start + _STRIP] = np.moveaxis(seen, axis, 0)[seam - start :]
            step_done()
        return chances

    def _look(self, scaled: Picture) -> Chances:
        values = (scaled[:, :, ::-1].astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)[np.newaxis]
        (chances,) = self._network.run(np.ascontiguousarray(values))
        return cast(Chances, chances[0].copy())


def _starts(length: int) -> list[int]:
    """Where strips begin: all are equally long, because an engine prepares itself anew for each size."""
    return [*range(0, length - _STRIP, _STRIP - _OVERLAP), length - _STRIP]


def _scaled(picture: Picture) -> Picture:
    """The picture at the size for finding text, its sides multiples of what the network accepts."""
    height, width = picture.shape[:2]
    ink = find_ink(picture)
    ratio = _TEXT_HEIGHT / ink.text_height if ink else 1.0
    least, most = _LONG_SIDE[0] / max(height, width), _LONG_SIDE[1] / sheet_side(height, width)
    ratio = min(max(ratio, least), most, _MOST_ENLARGED, sqrt(_MOST_PIXELS / (height * width)))
    size = [max(_SIDE_STEP, round(side * ratio / _SIDE_STEP) * _SIDE_STEP) for side in (width, height)]
    method = cv2.INTER_AREA if ratio < 1 else cv2.INTER_CUBIC
    return cast(Picture, cv2.resize(picture, size, interpolation=method))


def _quads(chances: Chances) -> Iterator[Quad]:
    mask = cv2.dilate((chances > _INK).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        rectangle = cv2.minAreaRect(contour)
        if min(rectangle[1]) >= _SMALLEST and _score(chances, cv2.boxPoints(rectangle)) >= _LEAST_SCORE:
            yield _ordered(cv2.boxPoints(_unclipped(rectangle)))


def _unclipped(rectangle: Any) -> Any:
    (center, (width, height), angle) = rectangle
    margin = width * height * _UNCLIP / (2 * (width + height))
    return center, (width + 2 * margin, height + 2 * margin), angle


def _score(chances: Chances, points: npt.NDArray[Any]) -> float:
    """The mean probability within the corners."""
    x0, y0 = np.maximum(np.floor(points.min(axis=0)).astype(int), 0)
    x1, y1 = np.ceil(points.max(axis=0)).astype(int) + 1
    part = chances[y0:y1, x0:x1]
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(points - (x0, y0)).astype(np.int32)], 1)
    return float(cv2.mean(part, mask)[0])


def _ordered(points: npt.NDArray[Any]) -> Quad:
    """Corners clockwise from the top left."""
    by_x = points[np.argsort(points[:, 0], kind="stable")]
    top_left, bottom_left = sorted(by_x[:2], key=lambda point: float(point[1]))
    top_right, bottom_right = sorted(by_x[2:], key=lambda point: float(point[1]))
    return np.array([top_left, top_right, bottom_right, bottom_left], np.float32)
