"""Measured reading errors (`misreadings.json`): what is misread as what, and what is lost.

A `level` is how much worse than average a document was read: it multiplies all rates.
"""

import json
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from typing import Any

from models.training.generator.core.letter_case import without_accents

_TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("misreadings.json").read_text(encoding="utf-8"))
_READINGS: dict[str, tuple[tuple[str, ...], list[int]]] = {
    char: (tuple(counts), list(accumulate(counts.values()))) for char, (_, counts) in _TABLE["misread"].items()
}
_ADDED_SHARE: float = _TABLE["added"][0]
_ADDED: tuple[tuple[str, ...], list[int]] = tuple(_TABLE["added"][1]), list(accumulate(_TABLE["added"][1].values()))
_LOST: dict[str, float] = _TABLE["word lost"]
_MERGED: dict[str, float] = _TABLE["space lost"]
_SPLIT: dict[str, float] = _TABLE["space made"]
_BOXES: dict[str, list[float]] = _TABLE["boxes"]
# Accented letters are rare in the measurements: this share of them losing the accent is a guess.
_ACCENTS_LOST = 0.01


class _Shares(dict[str, float]):
    """How often each character is misread."""

    def __missing__(self, char: str) -> float:
        self[char] = 0.0 if char.isascii() else _ACCENTS_LOST
        return self[char]


_SHARES = _Shares({char: share for char, (share, _) in _TABLE["misread"].items()})
_CONFIDENCE: dict[bool, list[float]] = {True: _TABLE["confidence"]["right"], False: _TABLE["confidence"]["wrong"]}
_SPLIT_MOST = max(_SPLIT.values())


def draw_level(rng: Random, of: str = "levels") -> float:
    """The level of a document: of its characters, or of its spaces (`space levels`)."""
    return float(rng.choice(_TABLE[of])) * rng.uniform(0.8, 1.25)


def draw_confidence(rng: Random, *, right: bool) -> float:
    """A reader's confidence in a word."""
    values = _CONFIDENCE[right]
    return values[int(rng.random() * len(values))]


def draw_shift(rng: Random, part: str) -> float:
    """How much a box differs from the print: its `height`, `document height`, `down`, `left` or `right`."""
    values = _BOXES[part]
    return values[int(rng.random() * len(values))]


def misread(text: str, level: float, rng: Random) -> str:
    """`text` as read; usually unchanged."""
    chance = level * sum(map(_SHARES.__getitem__, text))
    while text and rng.random() < chance:
        text = garble(text, rng)
        chance *= 0.5
    if rng.random() < level * _ADDED_SHARE * len(text):
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choices(_ADDED[0], cum_weights=_ADDED[1])[0] + text[at:]
    return text


def garble(text: str, rng: Random) -> str:
    """`text` with one character misread, drawn by how often each is."""
    weights = [_SHARES[char] for char in text]
    if not any(weights):
        return text
    at = rng.choices(range(len(text)), weights)[0]
    char = text[at]
    if char in _READINGS:
        readings, weighted = _READINGS[char]
        return text[:at] + rng.choices(readings, cum_weights=weighted)[0] + text[at + 1 :]
    return text[:at] + without_accents(char) + text[at + 1 :]


def lost_share(text: str) -> float:
    """How often a word of this length is not found at all."""
    return _LOST[str(min(len(text), 4)) if any(char.isalnum() for char in text) else "mark"]


def _kind(before: str, after: str) -> str:
    return "letters" if before.isalnum() and after.isalnum() else "mark"


def merged_share(left: str, right: str) -> float:
    """How often the space between two words is lost."""
    return _MERGED[_kind(left[-1], right[0])]


def split_place(text: str, level: float, rng: Random) -> int | None:
    """Where a word is cut in two, mostly nowhere."""
    drawn = rng.random()
    if drawn >= level * _SPLIT_MOST * (len(text) - 1):
        return None
    shares = [_SPLIT[_kind(*pair)] for pair in pairwise(text)]
    if drawn >= level * sum(shares):
        return None
    return rng.choices(range(1, len(text)), shares)[0]
