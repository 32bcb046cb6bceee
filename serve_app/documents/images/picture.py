"""How a picture is held in memory."""

import numpy as np
import numpy.typing as npt

_SHEET = 2
"""A sheet of paper, or a screen, is hardly longer than this times its width."""

Picture = npt.NDArray[np.uint8]
"""Rows of pixels: grey (height, width), or RGB (height, width, 3)."""


def sheet_side(one: float, other: float) -> float:
    """The longer of two sides; of a strip such as a till receipt, that of a sheet of its width. Print is as large on a
    long strip as on a short one, so what is scaled to legible print is scaled by this side."""
    return min(max(one, other), _SHEET * min(one, other))
