"""Read words with their boxes, and what readers of whole lines do to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from serve_app.domain.labels import Label

# By how much of its height a piece's box is too high: measured roughly on the service's own readings of pictures.
_SWELLS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.6, 1.0)


@dataclass(slots=True)
class Spot:
    """A word with its box in points."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    label: Label | None
    entity: int
    confidence: float = 1.0


def as_lines(spots: Sequence[Spot], share: float, spaceless: float, rng: Random) -> list[Spot]:
    """The words as a reader of whole lines gives them.

    Such a reader finds pieces of lines and cuts them into words: all words of a piece are equally high, and their
    widths follow the number of their characters; boxes of skewed or crowded pieces are up to twice as high as the
    print. `share` is the share of lines treated so; `spaceless` the chance of each space to be lost.
    """
    result: list[Spot] = []
    for piece in _pieces(spots):
        if rng.random() < share:
            _spread(piece, rng)
        if spaceless and len(piece) > 1:
            piece = _without_spaces(piece, spaceless, rng)
        result += piece
    return result


def _pieces(spots: Sequence[Spot]) -> Iterator[list[Spot]]:
    """Runs of words on one line with no more than a wide space between them."""
    piece: list[Spot] = []
    for spot in spots:
        if piece:
            last = piece[-1]
            height = last.y1 - last.y0
            near = abs(last.y1 - spot.y1) < height * 0.4 and -1 < spot.x0 - last.x1 < height * 1.2
            if not near:
                yield piece
                piece = []
        piece.append(spot)
    if piece:
        yield piece


def _spread(piece: list[Spot], rng: Random) -> None:
    """Gives all words the piece's height, and each a width by its number of characters."""
    left, right = piece[0].x0, piece[-1].x1
    top, bottom = min(spot.y0 for spot in piece), max(spot.y1 for spot in piece)
    swell = (bottom - top) * rng.choice(_SWELLS) / 2
    top, bottom = top - swell, bottom + swell
    step = (right - left) / (sum(len(spot.text) for spot in piece) + len(piece) - 1)
    x = left
    for spot in piece:
        width = step * len(spot.text)
        wobble = rng.uniform(-0.3, 0.3) * step if len(piece) > 1 else 0.0
        spot.x0, spot.x1, spot.y0, spot.y1 = x + wobble, x + width + wobble, top, bottom
        x += width + step


def _without_spaces(piece: list[Spot], chance: float, rng: Random) -> list[Spot]:
    """Some neighbours become one word: it is what its labelled part is; two different values stay apart."""
    result = [piece[0]]
    for spot in piece[1:]:
        last = result[-1]
        mergeable = last.label is None or spot.label is None or last.entity == spot.entity
        if not mergeable or rng.random() > chance:
            result.append(spot)
            continue
        told = last if last.label is not None else spot
        result[-1] = Spot(
            last.text + spot.text, last.x0, last.y0, spot.x1, max(last.y1, spot.y1), told.label, told.entity
        )
    return result
