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
from serve_app.documents.ocr.networks import Network, values_of
from serve_app.documents.ocr.strips import strips
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
_WIDTHS = 8
"""Widths from one power of two to the next: print is then a sixteenth larger or smaller than it should be, at most."""
_TEXT_HEIGHT = 10.0
"""Pixels: the usual height of characters at which lines are found. More is not needed, and time grows with the area."""
_LONG_SIDE = (736, 1920)
"""Minimum pixels of the longer side, and maximum of that of a sheet."""
_MOST_PIXELS = 12_000_000
"""Of a scaled picture, however long it is: 300 lines of a receipt have a quarter."""
_MOST_ENLARGED = 3.0


class Detector:
    """Finds lines of text in pictures."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def lines(self, picture: Picture, text_height: float | None = None) -> list[Quad]:
        """The outlines of the lines in a picture; `text_height` as for `OcrEngine.read`."""
        scaled = _scaled(picture, text_height or _text_height(picture))
        chances = self._chances(scaled)
        back = np.array([picture.shape[1] / scaled.shape[1], picture.shape[0] / scaled.shape[0]], np.float32)
        return [quad * back for quad in _quads(chances)]

    def _chances(self, scaled: Picture) -> Chances:
        """The network's map of a picture, which it sees in strips. They lie across it, or along it if it is longer on
        its side than a sheet."""
        height, width = scaled.shape[:2]
        chances, axis = np.zeros((height, width), np.float32), int(width > _LONG_SIDE[1])
        along = np.moveaxis(chances, axis, 0)
        for strip in strips(scaled, axis):
            seen = np.moveaxis(self._look(scaled.take(range(strip.start, strip.stop), axis)), axis, 0)
            along[strip.first : strip.last] = seen[strip.first - strip.start : strip.last - strip.start]
            step_done()
        return chances

    def _look(self, scaled: Picture) -> Chances:
        (chances,) = self._network.run(np.ascontiguousarray(values_of(scaled)[np.newaxis]))
        return cast(Chances, chances[0].copy())


def _text_height(picture: Picture) -> float:
    ink = find_ink(picture)
    return ink.text_height if ink else _TEXT_HEIGHT


def _scaled(picture: Picture, text_height: float) -> Picture:
    """The picture at the size for finding text, its sides multiples of what the network accepts."""
    height, width = picture.shape[:2]
    ratio = _TEXT_HEIGHT / text_height
    least, most = _LONG_SIDE[0] / max(height, width), _LONG_SIDE[1] / sheet_side(height, width)
    ratio = min(max(ratio, least), most, _MOST_ENLARGED, sqrt(_MOST_PIXELS / (height * width)))
    across = _width(width * ratio)
    ratio = across / width
    size = (across, max(_SIDE_STEP, round(height * ratio / _SIDE_STEP) * _SIDE_STEP))
    method = cv2.INTER_AREA if ratio < 1 else cv2.INTER_CUBIC
    return cast(Picture, cv2.resize(picture, size, interpolation=method))


def _width(natural: float) -> int:
    """The width at which a picture is seen, of which there are few, for the same reason as strips are equally long."""
    step = max(_SIDE_STEP, (1 << round(natural).bit_length()) // (2 * _WIDTHS))
    return max(step, round(natural / step) * step)


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
