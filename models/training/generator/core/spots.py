"""Words with their boxes, and what readers of whole lines do to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from random import Random

from models.training.generator.core.misreadings import draw_shift, merged_share
from serve_app.domain.labels import Label

# The ends of shorter words were not measured.
_LONG = 3


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


def as_lines(spots: Sequence[Spot], height: float, spaces: float, rng: Random, *, even: bool) -> list[Spot]:
    """The words as a reader of whole lines gives them.

    Such a reader finds pieces of lines and cuts them into words: all words of a piece have the same height, and if
    `even`, their widths follow their number of characters. Boxes are higher or lower than the print by `height`
    (a logarithm) all over the document, and a little more or less from piece to piece. `spaces` is the level at which
    spaces are lost.
    """
    result: list[Spot] = []
    for piece in _pieces(spots):
        if even:
            _spread(piece)
        _shift(piece, height, rng)
        result += _without_spaces(piece, spaces, rng) if spaces and len(piece) > 1 else piece
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


def _spread(piece: list[Spot]) -> None:
    """Gives all words the height of the piece, and a width by their number of characters."""
    left, right = piece[0].x0, piece[-1].x1
    top, bottom = min(spot.y0 for spot in piece), max(spot.y1 for spot in piece)
    step = (right - left) / (sum(len(spot.text) for spot in piece) + len(piece) - 1)
    x = left
    for spot in piece:
        width = step * len(spot.text)
        spot.x0, spot.x1, spot.y0, spot.y1 = x, x + width, top, bottom
        x += width + step


def _shift(piece: list[Spot], height: float, rng: Random) -> None:
    """Changes the height of a piece, and moves it and the ends of its words, by measured amounts."""
    grow = exp(height + draw_shift(rng, "height"))
    down = draw_shift(rng, "down")
    for spot in piece:
        high, letter = spot.y1 - spot.y0, (spot.x1 - spot.x0) / len(spot.text)
        middle = (spot.y0 + spot.y1) / 2 + down * high
        spot.y0, spot.y1 = middle - high * grow / 2, middle + high * grow / 2
        left, right = draw_shift(rng, "left"), draw_shift(rng, "right")
        if len(spot.text) >= _LONG:
            spot.x0, spot.x1 = spot.x0 + left * letter, spot.x1 + right * letter


def _without_spaces(piece: list[Spot], level: float, rng: Random) -> list[Spot]:
    """Joins some neighbours into one word with the label of its labelled part; different values stay apart."""
    result = [piece[0]]
    for spot in piece[1:]:
        last = result[-1]
        mergeable = last.label is None or spot.label is None or last.entity == spot.entity
        if not mergeable or rng.random() > level * merged_share(last.text, spot.text):
            result.append(spot)
            continue
        labelled = last if last.label is not None else spot
        result[-1] = Spot(
            last.text + spot.text, last.x0, last.y0, spot.x1, max(last.y1, spot.y1), labelled.label, labelled.entity
        )
    return result
