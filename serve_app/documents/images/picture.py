"""How a picture is held in memory."""

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
"""Rows of pixels: grey (height, width), or RGB (height, width, 3)."""
