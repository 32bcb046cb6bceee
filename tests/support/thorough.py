"""How much the longest tests try: a part that ends soon, or with `make test-thorough` all of it."""

import os
from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

T = TypeVar("T")

Scheme = Literal["light", "dark"]

THOROUGH = os.environ.get("THOROUGH") == "1"
_ONE_OF = 8

LOOKS: Sequence[tuple[int, Scheme]] = (
    [(360, "dark"), (1280, "light"), (360, "light"), (1280, "dark")] if THOROUGH else [(360, "dark"), (1280, "light")]
)
"""Widths and schemes in which screens are held against WCAG: each of both at least once."""


def part_of(places: Sequence[int], turn: int) -> Sequence[int]:
    """Every eighth place, beginning at another one each turn; all of them in a thorough run."""
    return places if THOROUGH else places[turn % _ONE_OF :: _ONE_OF]


def some_of(cases: Mapping[str, T]) -> Mapping[str, T]:
    """Every third of cases that are alike; all of them in a thorough run."""
    return cases if THOROUGH else dict(list(cases.items())[::3])
