"""A page rendered small and grey: where its ink is, and which words explain it."""

from dataclasses import dataclass
from math import sqrt

import cv2
import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray

from serve_app.documents.images.picture import sheet_side
from serve_app.documents.pdf.projection import Boxes

# Pixels of the longer side of a sheet: 100 dpi of A4, at which small print still stands out from the paper.
_SIDE = 1200
# Of a page, however long it is.
_MOST_PIXELS = 30_000_000
# Difference of neighbouring grey values (of 255) that counts as an edge.
EDGE = 40
# Height of a printed line in pixels, from small print to headings.
_LINE = (5, 45)


@dataclass(frozen=True, slots=True)
class Ink:
    """Edges of a rendered page: present wherever something can be seen, dark on light or light on dark."""

    edges: NDArray[np.uint8]

    @property
    def is_blank(self) -> bool:
        return float(self.edges.mean()) < 2e-5

    def below(self, boxes: Boxes) -> NDArray[np.bool_]:
        """Whether something can be seen inside each box."""
        sums = cv2.integral(self.edges)
        x0, y0, x1, y1 = self._pixels(boxes)
        found: NDArray[np.bool_] = (sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]) >= 2
        return found

    def unexplained(self, boxes: Boxes) -> tuple[float, int]:
        """What looks like print but lies under none of `boxes`: its share of all such ink, and the number of pieces."""
        words = np.zeros_like(self.edges)
        for x0, y0, x1, y1 in zip(*self._pixels(boxes), strict=True):
            grown = (y1 - y0) // 4 + 1
            words[max(0, y0 - grown) : y1 + grown, max(0, x0 - grown) : x1 + grown] = 1
        labels, ink = self._pieces()
        size = np.bincount(labels[self.edges > 0], minlength=len(ink))
        inside = np.bincount(labels[(self.edges & words) > 0], minlength=len(ink))
        outside = ink & (inside < 0.5 * size)
        total = int(size[ink].sum())
        return (float(size[outside].sum() / total) if total else 0.0), int(outside.sum())

    def _pieces(self) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
        """Connected pieces of about a word each, and which of them have the size and shape of print."""
        joined = cv2.morphologyEx(self.edges, cv2.MORPH_CLOSE, np.ones((1, 5), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
        width, height, area = (stats[:, column] for column in (2, 3, 4))
        ink = (height >= _LINE[0]) & (height <= _LINE[1]) & (width >= 3) & (width < 30 * height)
        ink &= area > 0.2 * width * height
        ink[0] = False
        return labels.astype(np.int32), ink

    def _pixels(self, boxes: Boxes) -> tuple[NDArray[np.intp], ...]:
        height, width = self.edges.shape
        low = np.floor(boxes[:, :2] * (width, height)).astype(np.intp)
        high = np.ceil(boxes[:, 2:] * (width, height)).astype(np.intp)
        return low[:, 0], low[:, 1], high[:, 0].clip(0, width), high[:, 1].clip(0, height)


def rendered_small(page: pdfium.PdfPage) -> NDArray[np.uint8]:
    """The page in grey."""
    width, height = (max(side, 1.0) for side in page.get_size())
    scale = min(_SIDE / sheet_side(width, height), sqrt(_MOST_PIXELS / (width * height)))
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False)
    try:
        grey: NDArray[np.uint8] = bitmap.to_numpy().copy()
    finally:
        bitmap.close()
    return grey[:, :, 0] if grey.ndim == 3 else grey


def ink_of(page: pdfium.PdfPage) -> Ink:
    """Render the page and find its edges."""
    grey = rendered_small(page)
    gradient = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return Ink((gradient > EDGE).astype(np.uint8))
