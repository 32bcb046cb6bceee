"""Makes words look as if read by OCR from a scan or a photograph."""

from dataclasses import dataclass, replace
from math import radians, tan
from random import Random

from models.training.generator.core.letter_case import without_accents
from models.training.generator.core.misreadings import (
    draw_confidence,
    draw_level,
    draw_shift,
    lost_share,
    misread,
    split_place,
)
from models.training.generator.core.spots import Spot, as_lines

# Characters that rules are made of: readers take most rules for drawings.
_RULE = frozenset("-=_*.~")


@dataclass(frozen=True, slots=True)
class Noise:
    """How bad a reading is, and the geometry of the scan. The levels are those of `misreadings`."""

    level: float
    spaces: float
    height: float
    slope: float
    shear: float
    zoom: float
    aside: float
    down: float
    perspective: tuple[float, float] = (0.0, 0.0)
    lines: bool = True
    twice: float = 0.0
    plain: bool = False
    rules: bool = True


def draw_noise(rng: Random) -> Noise:
    """A reading of a quality drawn from the measured ones, of a page placed at random on the scanner."""
    zoom = rng.uniform(0.86, 1.0) if rng.random() < 0.4 else 1.0
    degrees = max(-2.0, min(2.0, rng.gauss(0, 0.35))) if rng.random() < 0.6 else 0.0
    return Noise(
        level=draw_level(rng),
        spaces=draw_level(rng, "space levels"),
        height=draw_shift(rng, "document height"),
        slope=tan(radians(degrees)),
        shear=rng.gauss(0, 0.004),
        zoom=zoom,
        aside=rng.uniform(0, 1 - zoom),
        down=rng.uniform(0, 1 - zoom),
        perspective=(rng.gauss(0, 0.05), rng.gauss(0, 0.05)) if rng.random() < 0.3 else (0.0, 0.0),
        lines=rng.random() < 0.7,
        twice=0.002 if rng.random() < 0.2 else 0.0,
        plain=rng.random() < 0.12,
        rules=rng.random() < 0.3,
    )


def _split(spot: Spot, at: int) -> list[Spot]:
    middle = spot.x0 + (spot.x1 - spot.x0) * at / len(spot.text)
    return [replace(spot, text=spot.text[:at], x1=middle - 0.3), replace(spot, text=spot.text[at:], x0=middle + 0.3)]


def _misread(spots: list[Spot], noise: Noise, rng: Random) -> list[Spot]:
    result: list[Spot] = []
    for spot in spots:
        if rng.random() < lost_share(spot.text):
            continue
        text = misread(spot.text, noise.level, rng)
        if not text:
            continue
        spot.confidence = draw_confidence(rng, right=text == spot.text)
        spot.text = text
        at = split_place(text, noise.spaces, rng)
        result += [spot] if at is None else _split(spot, at)
    return result


def _warp(spot: Spot, noise: Noise, width: float, height: float) -> None:
    """Moves a spot as a skewed page does."""
    _tilt(spot, noise, width, height)
    x, y = (spot.x0 + spot.x1) / 2, (spot.y0 + spot.y1) / 2
    down = (x - width / 2) * noise.slope
    aside = (y - height / 2) * (noise.shear - noise.slope)
    grow = abs(noise.slope) * (spot.x1 - spot.x0) / 2
    left, top, zoom = noise.aside * width, noise.down * height, noise.zoom
    spot.x0 = (spot.x0 + aside) * zoom + left
    spot.x1 = (spot.x1 + aside) * zoom + left
    spot.y0 = (spot.y0 + down - grow) * zoom + top
    spot.y1 = (spot.y1 + down + grow) * zoom + top


def _tilt(spot: Spot, noise: Noise, width: float, height: float) -> None:
    """Perspective: one end of the page is farther away, so it is smaller."""
    across, along = noise.perspective
    if across == along == 0.0:
        return
    x, y = (spot.x0 + spot.x1) / 2 / width - 0.5, (spot.y0 + spot.y1) / 2 / height - 0.5
    shrink = 1 / (1 + abs(across) / 2 + abs(along) / 2 + across * x + along * y)
    spot.x0, spot.x1 = ((edge - width / 2) * shrink + width / 2 for edge in (spot.x0, spot.x1))
    spot.y0, spot.y1 = ((edge - height / 2) * shrink + height / 2 for edge in (spot.y0, spot.y1))


def _strays(noise: Noise, rng: Random, width: float, height: float) -> list[Spot]:
    """Marks that are not text: edges, stamps and dirt read as characters."""
    strays = []
    for _ in range(int(rng.expovariate(1) * noise.level)):
        x, y, size = rng.uniform(0, width * 0.97), rng.uniform(0, height * 0.97), rng.uniform(3, 14)
        text = rng.choice(("|", "_", "-", ".", "~", "'", "—", "=", "°", "i", "a", "®", "\\", "”", "oe", "Il", "*"))
        strays.append(Spot(text, x, y, x + size * 0.6 * len(text), y + size, None, 0))
    return strays


def _shadow(spot: Spot, rng: Random) -> Spot:
    """A word found twice: the second box is slightly offset from the first."""
    x, y = rng.uniform(-2, 2), rng.uniform(-2, 2)
    return replace(spot, x0=spot.x0 + x, x1=spot.x1 + x, y0=spot.y0 + y, y1=spot.y1 + y)


def disturb(spots: list[Spot], noise: Noise, rng: Random, width: float, height: float) -> list[Spot]:
    """The words of a page as OCR would give them."""
    if not noise.rules:
        spots = [spot for spot in spots if spot.label is not None or not set(spot.text) <= _RULE]
    if noise.plain:
        plain = ((spot, without_accents(spot.text)) for spot in spots)
        spots = [replace(spot, text=text) for spot, text in plain if text]
    spots = as_lines(spots, noise.height, noise.spaces, rng, even=noise.lines)
    result = _misread(spots, noise, rng) + _strays(noise, rng, width, height)
    result += [_shadow(spot, rng) for spot in result if noise.twice and rng.random() < noise.twice]
    for spot in result:
        _warp(spot, noise, width, height)
    return result
