"""Even out light: shadows and glare on photos, grey paper, faint print."""

from typing import cast

import cv2
import numpy as np

from serve_app.documents.images.picture import Picture

_WORKING_SIDE = 400
_EVEN = 24.0
"""Grey levels: a page whose paper varies less is left as it is."""


def even(grey: Picture) -> Picture:
    """A grey picture as if evenly lit: each pixel is divided by the brightness of the paper around it.

    A picture whose paper is evenly bright is returned as it is.
    """
    paper = _paper(grey)
    darkest, lightest = np.percentile(paper, [5, 95])
    if lightest - darkest < _EVEN:
        return grey
    height, width = grey.shape
    everywhere = cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR)
    return cast(Picture, cv2.divide(grey, everywhere, scale=255))


def _paper(grey: Picture) -> Picture:
    """The brightness of the paper without the print on it, at a reduced size."""
    ratio = min(1.0, _WORKING_SIDE / max(grey.shape))
    small = cv2.resize(grey, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    size = max(small.shape) // 20 | 1
    bright = cv2.dilate(small, np.ones((size, size), np.uint8))
    return cast(Picture, cv2.medianBlur(bright, size))
