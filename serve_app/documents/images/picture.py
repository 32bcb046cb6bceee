"""How a picture is held in memory."""

from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

_SHEET = 2
"""A sheet of paper, or a screen, is hardly longer than this times its width."""

Picture = npt.NDArray[np.uint8]
"""Rows of pixels: grey (height, width), or RGB (height, width, 3)."""


_FAR = 16
"""Pixels between those that are looked at first for colour."""


def in_grey(picture: Picture) -> Picture:
    """The grey of a picture."""
    return picture if picture.ndim == 2 else cast(Picture, cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))


def grey_if_colourless(picture: Picture) -> Picture:
    """A picture whose pixels are all grey, as many scanners make them, with one value for each instead of three equal
    ones: work on it takes a third. Any other picture is unchanged."""
    few = picture[::_FAR, ::_FAR]
    if picture.ndim == 2 or np.any(few != few[:, :, :1]):
        return picture
    red, green, blue = cv2.split(picture)
    return cast(Picture, red) if np.array_equal(red, green) and np.array_equal(red, blue) else picture


def sheet_side(one: float, other: float) -> float:
    """The longer of two sides; of a strip such as a till receipt, that of a sheet of its width. Print is as large on a
    long strip as on a short one, so what is scaled to legible print is scaled by this side."""
    return min(max(one, other), _SHEET * min(one, other))
