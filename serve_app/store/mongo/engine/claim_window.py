"""Where a process begins to claim among the first rows of a queue."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_MOST_ROWS = 1_000
_NARROWER = 7 / 8


class ClaimWindow:
    """Processes that claim at the same moment find the same first rows, and all but one of them come too late.

    So each takes some at random from a window, as many times larger than what it wants as others compete with it: the
    window doubles when others took most of what it chose, and shrinks by an eighth when not. A process that claims
    alone takes rows exactly in their order; a row at the front is passed over only by claims that run beside others.
    """

    def __init__(self) -> None:
        self._width = 1.0

    def rows(self, wanted: int) -> int:
        """How many rows to look at."""
        return max(wanted, min(int(wanted * self._width), _MOST_ROWS))

    def choose(self, found: Sequence[T], wanted: int) -> list[T]:
        """Those of the rows in the window to claim, in their order."""
        chosen = random.sample(range(len(found)), min(wanted, len(found)))
        return [found[number] for number in sorted(chosen)]

    def adapt(self, wanted: int, found: int, chosen: int, claimed: int) -> None:
        """Note how many of the chosen rows others left. Looking at more rows than are due would find no others."""
        if 2 * claimed >= chosen:
            self._width = max(1.0, self._width * _NARROWER)
        elif found >= self.rows(wanted):
            self._width = min(2 * self._width, max(1.0, _MOST_ROWS / wanted))
