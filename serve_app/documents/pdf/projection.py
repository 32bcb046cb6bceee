"""Project PDF user space onto the page as shown."""

import ctypes

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

Boxes = NDArray[np.float64]
"""Rows of x0, y0, x1, y1."""

_GRID = 1_000_000


class Projection:
    """From PDF user space to fractions of the page as shown, taking crop box and rotation into account."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        origin = self._device(page, 0, 0)
        right, up = self._device(page, 1000, 0), self._device(page, 0, 1000)
        self._origin = np.array(origin)
        self._axes = np.array([right, up]) / 1000 - self._origin / 1000

    @staticmethod
    def _device(page: pdfium.PdfPage, x: float, y: float) -> tuple[float, float]:
        column, row = ctypes.c_int(), ctypes.c_int()
        pdfium_c.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, x, y, column, row)
        return column.value / _GRID, row.value / _GRID

    def boxes(self, corners: Boxes) -> Boxes:
        """Boxes (top-left origin) of rectangles given by two opposite corners in user space."""
        one, other = self.points(corners[:, :2]), self.points(corners[:, 2:])
        return np.hstack([np.minimum(one, other), np.maximum(one, other)])

    def points(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points (from the top left) of rows of x and y in user space."""
        projected: NDArray[np.float64] = places @ self._axes + self._origin
        return projected
