"""A picture that can be turned, straightened and cropped, and remembers where its pixels came from."""

from dataclasses import dataclass
from functools import cached_property
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from serve_app.documents.images.ink import Ink, find_ink
from serve_app.documents.images.picture import Picture
from serve_app.domain.document import Homography

Matrix = npt.NDArray[np.float64]
"""A 3 by 3 projective transform of points (x, y) in pixels."""
Corners = npt.NDArray[np.float32]
"""Points (x, y) in pixels: top left, top right, bottom right, bottom left."""


@dataclass(frozen=True)
class View:
    """A picture derived from the one in the file; `to_shown` maps its pixels back to that picture.

    `is_shown` is true for the original picture.
    """

    picture: Picture
    to_shown: Matrix
    shown_size: tuple[int, int]
    """Width and height, in pixels, of the picture in the file."""
    is_shown: bool = False

    @classmethod
    def of(cls, picture: Picture) -> "View":
        return cls(picture, np.eye(3), _size(picture), is_shown=True)

    @cached_property
    def ink(self) -> Ink | None:
        """The marks of the picture; None if it has too few."""
        return find_ink(self.picture)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, in pixels."""
        return _size(self.picture)

    def warped(self, to_new: Matrix, size: tuple[int, int]) -> "View":
        """Apply `to_new`, a transform from this view's pixels to the new one's; uncovered pixels are white."""
        picture = cv2.warpPerspective(
            self.picture, to_new, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_CONSTANT, borderValue=(255,) * 3
        )
        return View(cast(Picture, picture), self.to_shown @ np.linalg.inv(to_new), self.shown_size)

    def turned(self, quarters: int) -> "View":
        """Turn clockwise by quarter turns; exact, pixel by pixel."""
        view = self
        for _ in range(quarters % 4):
            height = view.size[1]
            # (x, y) comes from (y', height - x').
            back = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, height], [0.0, 0.0, 1.0]])
            view = View(np.rot90(view.picture, -1), view.to_shown @ back, view.shown_size)
        return view if view is self else View(np.ascontiguousarray(view.picture), view.to_shown, view.shown_size)

    def rotated(self, degrees: float, scale: float = 1.0) -> "View":
        """Turn counter-clockwise by a small angle and enlarge, on a canvas large enough to hold all of it."""
        width, height = self.size
        rotation = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), degrees, scale), [0.0, 0.0, 1.0]])
        cosine, sine = abs(rotation[0, 0]), abs(rotation[0, 1])
        new_width, new_height = round(width * cosine + height * sine), round(width * sine + height * cosine)
        rotation[0, 2] += (new_width - width) / 2
        rotation[1, 2] += (new_height - height) / 2
        return self.warped(rotation, (new_width, new_height))

    def cut(self, corners: Corners) -> "View":
        """The quadrilateral, straightened to a rectangle."""
        width = max(np.linalg.norm(corners[0] - corners[1]), np.linalg.norm(corners[3] - corners[2]))
        height = max(np.linalg.norm(corners[0] - corners[3]), np.linalg.norm(corners[1] - corners[2]))
        target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cast(Matrix, cv2.getPerspectiveTransform(corners, target))
        return self.warped(matrix, (round(width), round(height)))

    def size_in_points(self, shown_width: float, shown_height: float) -> tuple[float, float]:
        """This view's width and height, given those of the picture in the file; measured at the centre."""
        width, height = self.size
        point = np.array([shown_width / self.shown_size[0], shown_height / self.shown_size[1]])
        center = np.array([width / 2, height / 2])
        across, down = (
            np.linalg.norm((self._shown(center + step) - self._shown(center - step)) * point)
            for step in (np.array([width / 4, 0.0]), np.array([0.0, height / 4]))
        )
        return 2 * float(across), 2 * float(down)

    def _shown(self, place: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        x, y, w = self.to_shown @ np.append(place, 1.0)
        return np.array([x / w, y / w])

    def homography(self) -> Homography | None:
        """The transform from fractions of this view to fractions of the picture as shown; None if they are the same."""
        if self.is_shown:
            return None
        width, height = self.shown_size
        matrix = np.diag([1 / width, 1 / height, 1.0]) @ self.to_shown @ np.diag([*self.size, 1.0])
        return cast(Homography, tuple(float(value) for value in (matrix / matrix[2, 2]).ravel()))


def _size(picture: Picture) -> tuple[int, int]:
    return picture.shape[1], picture.shape[0]
