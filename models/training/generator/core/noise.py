"""Makes words look as if read by OCR from a scan or a photograph."""

from dataclasses import dataclass, replace
from math import radians, tan
from random import Random

from models.training.generator.core.dress import without_accents
from models.training.generator.core.spots import Spot, as_lines

_CONFUSIONS: dict[str, tuple[str, ...]] = {
    "0": ("O", "o", "D", "8"), "O": ("0", "Q"), "o": ("0", "c"), "1": ("l", "I", "i", "7"),
    "l": ("1", "I", "|"), "I": ("l", "1", "|"), "5": ("S", "s", "6"), "S": ("5", "$"), "8": ("B", "3", "6"),
    "B": ("8", "R"), "6": ("G", "b", "5"), "2": ("Z", "z"), "Z": ("2",), "9": ("g", "q", "4"), "3": ("8", "5"),
    "4": ("A", "9"), "7": ("1", "T"), "m": ("rn", "nn"), "n": ("ri", "m"), "w": ("vv",), "u": ("ü", "v"),
    "c": ("e", "o"), "e": ("c", "o"), "h": ("b", "li"), "a": ("o", "e"), "t": ("f", "r"), "i": ("l", "j", "!"),
    "g": ("q", "9"), "r": ("n",), ".": (",", "", "·"), ",": (".", ""), ":": (".", ";", ""), "-": ("—", "~", ""),
    "/": ("1", "l", "I"), "€": ("E", "C", "€"), "£": ("E", "f"), "ä": ("a", "å"), "ö": ("o", "0"),
    "ü": ("u", "ii"), "ß": ("B", "ss"), "é": ("e",), "è": ("e",), "à": ("a",), "ç": ("c",), "ñ": ("n",),
    "ş": ("s",), "ğ": ("g",), "ı": ("i", "1"), "İ": ("I",), "ł": ("l", "t"), "ó": ("o",), "ą": ("a",),
    "ę": ("e",), "ż": ("z",), "ř": ("r",), "š": ("s",), "č": ("c",), "ž": ("z",), "ý": ("y",), "í": ("i",),
    "á": ("a",), "ů": ("u",), "ě": ("e",), "ã": ("a",), "õ": ("o",), "H": ("N",), "N": ("M", "H"),
    "D": ("0", "O"), "C": ("G", "("), "E": ("F", "B"), "T": ("7", "I"), "M": ("N", "W"), "$": ("S", "5"),
    "#": ("H", "%"), "₹": ("?", "R", "3", "7"), "₺": ("t", "b", "₤"), "¥": ("Y", "V"), "%": ("96", "%", "X"),
}  # fmt: skip

# Marks of which rules are made: readers take most rules for drawings.
_RULE = frozenset("-=_*.~")


@dataclass(frozen=True, slots=True)
class Noise:
    """How bad a reading is: chances for each word, and the geometry of the scan."""

    garble: float
    split: float
    merge: float
    drop: float
    jitter: float
    slope: float
    shear: float
    zoom: float
    aside: float
    down: float
    confidence: float
    perspective: tuple[float, float] = (0.0, 0.0)
    lines: float = 0.0
    spaceless: float = 0.0
    twice: float = 0.0
    plain: bool = False
    rules: bool = True


def draw_noise(rng: Random) -> Noise:
    """A reading between clean and poor; poor ones are rare."""
    level = rng.choice((0.15, 0.3, 0.5, 0.8, 1.2, 2.0))
    zoom = rng.uniform(0.86, 1.0) if rng.random() < 0.4 else 1.0
    degrees = max(-2.0, min(2.0, rng.gauss(0, 0.35))) if rng.random() < 0.6 else 0.0
    return Noise(
        garble=0.02 * level,
        split=0.008 * level,
        merge=0.01 * level,
        drop=0.006 * level,
        jitter=0.25 * level,
        slope=tan(radians(degrees)),
        shear=rng.gauss(0, 0.004),
        zoom=zoom,
        aside=rng.uniform(0, 1 - zoom),
        down=rng.uniform(0, 1 - zoom),
        confidence=max(0.55, 0.97 - 0.1 * level),
        perspective=(rng.gauss(0, 0.05), rng.gauss(0, 0.05)) if rng.random() < 0.3 else (0.0, 0.0),
        lines=rng.choice((0.0, 0.9, 1.0)),
        spaceless=rng.choice((0.0, 0.0, 0.01, 0.04, 0.15)),
        twice=0.002 * level if rng.random() < 0.3 else 0.0,
        plain=rng.random() < 0.12,
        rules=rng.random() < 0.3,
    )


def garble(text: str, rng: Random) -> str:
    """`text` with one or two characters misread."""
    for _ in range(1 if rng.random() < 0.85 else 2):
        if not text:
            break
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(_CONFUSIONS.get(text[at], (text[at],))) + text[at + 1 :]
    return text


def _split(spot: Spot, rng: Random) -> list[Spot]:
    at = rng.randrange(1, len(spot.text))
    middle = spot.x0 + (spot.x1 - spot.x0) * at / len(spot.text)
    return [replace(spot, text=spot.text[:at], x1=middle - 0.3), replace(spot, text=spot.text[at:], x0=middle + 0.3)]


def _mergeable(left: Spot, right: Spot) -> bool:
    near = abs(left.y0 - right.y0) < 1 and 0 <= right.x0 - left.x1 < (left.y1 - left.y0) * 0.6
    return near and (left.label is None or right.label is None or left.entity == right.entity)


def _merge(left: Spot, right: Spot) -> Spot:
    told = left if left.label is not None else right
    return Spot(
        left.text + right.text,
        left.x0,
        min(left.y0, right.y0),
        right.x1,
        max(left.y1, right.y1),
        told.label,
        told.entity,
    )


def _misread(spots: list[Spot], noise: Noise, rng: Random) -> list[Spot]:
    result: list[Spot] = []
    for spot in spots:
        draw = rng.random()
        if draw < noise.garble:
            text = garble(spot.text, rng)
            if text:
                result.append(replace(spot, text=text))
        elif draw < noise.garble + noise.split and len(spot.text) > 2:
            result += _split(spot, rng)
        elif draw < noise.garble + noise.split + noise.merge and result and _mergeable(result[-1], spot):
            result[-1] = _merge(result[-1], spot)
        elif draw > 1 - noise.drop and len(spot.text) < 4 and spot.label is None:
            continue
        else:
            result.append(spot)
    return result


def _warp(spot: Spot, noise: Noise, rng: Random, width: float, height: float) -> None:
    """Moves a spot as a skewed page does, and a little at random."""
    _tilt(spot, noise, width, height)
    x, y = (spot.x0 + spot.x1) / 2, (spot.y0 + spot.y1) / 2
    down = (x - width / 2) * noise.slope + rng.gauss(0, noise.jitter)
    aside = (y - height / 2) * (noise.shear - noise.slope) + rng.gauss(0, noise.jitter)
    grow = abs(noise.slope) * (spot.x1 - spot.x0) / 2
    left, top, zoom = noise.aside * width, noise.down * height, noise.zoom
    spot.x0 = (spot.x0 + aside) * zoom + left
    spot.x1 = (spot.x1 + aside) * zoom + left
    spot.y0 = (spot.y0 + down - grow) * zoom + top
    spot.y1 = (spot.y1 + down + grow) * zoom + top
    sure = rng.random() < noise.confidence
    spot.confidence = round(rng.uniform(0.96, 1.0) if sure else rng.uniform(0.25, 0.96), 2)


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
    """Marks that are no text: edges, stamps and dirt read as characters."""
    strays = []
    for _ in range(int(rng.expovariate(1) * noise.garble * 100)):
        x, y, size = rng.uniform(0, width * 0.97), rng.uniform(0, height * 0.97), rng.uniform(3, 14)
        text = rng.choice(("|", "_", "-", ".", "~", "'", "—", "=", "°", "i", "a", "®", "\\", "”", "oe", "Il", "*"))
        strays.append(Spot(text, x, y, x + size * 0.6 * len(text), y + size, None, 0))
    return strays


def _shadow(spot: Spot, rng: Random) -> Spot:
    """A word found twice: the second box lies a little beside the first."""
    x, y = rng.uniform(-2, 2), rng.uniform(-2, 2)
    return replace(spot, x0=spot.x0 + x, x1=spot.x1 + x, y0=spot.y0 + y, y1=spot.y1 + y)


def disturb(spots: list[Spot], noise: Noise, rng: Random, width: float, height: float) -> list[Spot]:
    """The words of a page as OCR would give them."""
    if not noise.rules:
        spots = [spot for spot in spots if spot.label is not None or not set(spot.text) <= _RULE]
    if noise.plain:
        spots = [replace(spot, text=without_accents(spot.text)) for spot in spots]
    if noise.lines or noise.spaceless:
        spots = as_lines(spots, noise.lines, noise.spaceless, rng)
    result = _misread(spots, noise, rng) + _strays(noise, rng, width, height)
    result += [_shadow(spot, rng) for spot in result if noise.twice and rng.random() < noise.twice]
    for spot in result:
        _warp(spot, noise, rng, width, height)
    return result
