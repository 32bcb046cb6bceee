"""Small pictures of the places of a page where a value is printed."""

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import cv2
import numpy as np

from models.evaluation.presence import stands
from serve_app.documents.images.picture import Picture
from serve_app.documents.options import ReadOptions
from serve_app.documents.pictures import show_page
from serve_app.domain.document import Box, Page, union
from serve_app.domain.errors import DocumentError
from serve_app.domain.reading_order import group_lines

_WIDTH = 720
"""Pixels of a picture, at most."""
_ABOVE = 0.025
"""What is shown above and below a value, in parts of the page; beside it is all of the line, with its caption."""
_QUALITY = 60
_GREEN, _RED = (70, 150, 30), (50, 50, 220)
_FRAME = 0.0015
_NEAR = 0.2
"""Places on one page are in one picture if they are no further apart, in parts of its height."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on a page (1-based) as its file shows it, where the true or the given value is printed."""

    page: int
    box: tuple[float, float, float, float]
    is_true: bool


def spots_of_lines(name: str, value: Any, pages: Sequence[Page]) -> Iterator[Spot]:
    """The first line that prints the value of a field."""
    if name == "currency":
        return
    for page in pages:
        for line in group_lines([word.box for word in page.words]):
            words = [page.words[index] for index in line]
            if stands(name, value, [" ".join(word.text for word in words)]):
                box = page.shown(union(word.box for word in words))
                yield Spot(page.number, (box.x0, box.y0, box.x1, box.y1), is_true=True)
                return


def crops(data: bytes, spots: Sequence[Spot], otherwise: Sequence[int], options: ReadOptions) -> tuple[str, ...]:
    """Pictures (data URIs) of the spots, true values framed in green, given ones in red; without spots, of
    the whole of the pages `otherwise`. None of what cannot be drawn."""
    try:
        if not spots:
            return tuple(_uri(_page(data, number, options)) for number in otherwise)
        groups = [group for number in sorted({spot.page for spot in spots}) for group in _near(spots, number)]
        return tuple(_crop(_page(data, group[0].page, options), group) for group in groups)
    except DocumentError:
        return ()


def _near(spots: Sequence[Spot], number: int) -> list[list[Spot]]:
    """The spots of a page, from its top, those that are near each other together."""
    groups: list[list[Spot]] = []
    for spot in sorted((spot for spot in spots if spot.page == number), key=lambda spot: spot.box[1]):
        if groups and spot.box[1] - groups[-1][0].box[1] <= _NEAR:
            groups[-1].append(spot)
        else:
            groups.append([spot])
    return groups


@lru_cache(maxsize=2)
def _page(data: bytes, number: int, options: ReadOptions) -> Picture:
    shown = np.frombuffer(show_page(data, number, options), np.uint8)
    return cast(Picture, cv2.imdecode(shown, cv2.IMREAD_COLOR))


def _crop(page: Picture, spots: Sequence[Spot]) -> str:
    height, width = page.shape[:2]
    framed, frame = page.copy(), max(1, round(_FRAME * width))
    # The true value comes last, so that its frame is seen where both are one place.
    for spot in sorted(spots, key=lambda spot: spot.is_true):
        corners = _pixels(Box(*spot.box), width, height, frame)
        cv2.rectangle(framed, corners[:2], corners[2:], _GREEN if spot.is_true else _RED, frame)
    around = union(Box(*spot.box) for spot in spots)
    wide = Box(0, around.y0 - _ABOVE, 1, around.y1 + _ABOVE)
    x0, y0, x1, y1 = _pixels(wide, width, height, 0)
    return _uri(framed[y0:y1, x0:x1])


def _pixels(box: Box, width: int, height: int, margin: int) -> tuple[int, int, int, int]:
    x0, y0 = max(0, round(box.x0 * width) - margin), max(0, round(box.y0 * height) - margin)
    return x0, y0, min(width, round(box.x1 * width) + margin), min(height, round(box.y1 * height) + margin)


def _uri(picture: Picture) -> str:
    height, width = picture.shape[:2]
    scale = min(1.0, _WIDTH / width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
    return f"data:image/jpeg;base64,{base64.b64encode(jpeg.tobytes()).decode()}"
