"""Which way the lines of text run, judged by how the ink gathers in rows."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from serve_app.documents.images.ink import Ink

Points = npt.NDArray[np.float32]

_NEARLY_LEVEL = np.arange(-8.0, 8.5, 0.5)
_MOST_SKEW = 15.0
_COARSE, _FINE = 1.0, 0.1
_LEAST_SKEW = 0.3
"""Degrees. A smaller skew does no harm, and turning a picture costs sharpness."""
_CLEARLY = 1.05
"""How much more concentrated the ink must be along the found angle than along the horizontal."""
_MOST_POINTS = 60_000


def skew(ink: Ink) -> float:
    """Degrees by which the lines fall to the right (clockwise); 0.0 if they are level or it is unclear."""
    points = _sample(ink.points)
    bins = _bin(ink.text_height)
    coarse = _best(points, np.arange(-_MOST_SKEW, _MOST_SKEW + _COARSE, _COARSE), bins)
    angle = _best(points, np.arange(coarse - _COARSE, coarse + _COARSE, _FINE), bins)
    if abs(angle) < _LEAST_SKEW or _gathered(points, angle, bins) < _CLEARLY * _gathered(points, 0.0, bins):
        return 0.0
    return angle


def upward_share(ink: Ink) -> float:
    """How certain it is that the lines run along the height of the picture rather than its width, from 0 to 1."""
    along = max(_profile_steps(ink.points[:, ::-1], ink.text_height))
    return along / (along + max(_profile_steps(ink.points, ink.text_height)))


def clarity(ink: Ink) -> float:
    """How clearly the ink forms nearly level lines along the width, regardless of its amount."""
    points = _sample(ink.points)
    profiles = [_profile(points, angle, _bin(ink.text_height)) for angle in _NEARLY_LEVEL]
    return float(max(np.square(np.diff(profile)).sum() / np.square(profile).sum() for profile in profiles))


def _profile_steps(points: Points, text_height: float) -> Iterator[float]:
    return (_gathered(_sample(points), angle, _bin(text_height)) for angle in _NEARLY_LEVEL)


def _sample(points: Points) -> Points:
    return points[:: max(1, len(points) // _MOST_POINTS)]


def _best(points: Points, angles: npt.NDArray[np.float64], bins: float) -> float:
    return float(max(angles, key=lambda angle: _gathered(points, angle, bins)))


def _gathered(points: Points, degrees: float, bins: float) -> float:
    """How much neighbouring rows of pixels differ in ink if rows slope down by `degrees`.

    Source: Postl's skew criterion, the squared differences of a projection profile.
    """
    return float(np.square(np.diff(_profile(points, degrees, bins))).sum())


def _profile(points: Points, degrees: float, bins: float) -> npt.NDArray[np.float64]:
    radians = np.radians(degrees)
    rows = (points[:, 1] * np.cos(radians) - points[:, 0] * np.sin(radians)) / bins
    return np.bincount((rows - rows.min()).astype(np.int64)).astype(np.float64)


def _bin(text_height: float) -> float:
    """Height in pixels of a profile row: fine enough to tell lines from the white between them."""
    return max(text_height / 4, 1.0)
