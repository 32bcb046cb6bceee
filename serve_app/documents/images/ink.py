"""The dark marks of a page that look like characters: they tell which way its lines run and how large its text is."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from serve_app.documents.images.picture import Picture, in_grey, sheet_side

_WORKING_SIDE = 1200
"""Pixels of the longer side of a sheet: enough to tell lines apart, few enough to be quick."""
_SMALLEST = 4
_LARGEST = 60
"""Height and width of a mark in pixels. Larger ones are rules, frames and pictures."""
_FEWEST = 40
"""Marks. With fewer, nothing can be said about lines."""


@dataclass(frozen=True)
class Ink:
    """`points` are the pixels (x, y) of all marks, `text_height` is their usual height; both in pixels of the
    picture."""

    points: npt.NDArray[np.float32]
    text_height: float


def find_ink(picture: Picture) -> Ink | None:
    """The marks of a picture; None if it has too few."""
    grey = in_grey(picture)
    ratio = min(1.0, _WORKING_SIDE / sheet_side(*grey.shape))
    small = cv2.resize(grey, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    dark = cv2.adaptiveThreshold(small, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 31, 15)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    widths, heights = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]
    fits = (np.minimum(widths, heights) >= 2) & (np.maximum(widths, heights) >= _SMALLEST)
    fits &= np.maximum(widths, heights) <= _LARGEST
    fits[0] = False  # the background
    if np.count_nonzero(fits) < _FEWEST:
        return None
    y, x = np.nonzero(fits[labels])
    sizes = np.maximum(widths, heights)[fits]
    return Ink(np.stack([x, y], axis=1).astype(np.float32) / ratio, float(np.median(sizes)) / ratio)
