"""Headings of parties that stand beside their section, one sign below another: "购买方信息", "공급자"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from serve_app.domain.document import Box, Page
from serve_app.extraction.knowledge import WordPattern

_SIGNS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,2}")
_HEADING = WordPattern("{parties.buyer|parties.seller}")
# A sign is at most this far below the one above it, as a multiple of that one's height, and this many times as far as
# the one before.
_BELOW, _FURTHER = 2.0, 1.4
# Signs that stand below one another have their centres within this (of the page's width).
_ALIGNED = 0.01


def vertical_labels(page: Page) -> tuple[tuple[int, ...], ...]:
    """The words of each heading of a party that is set vertically."""
    return tuple(filter(None, (_from_heading(page, stack) for stack in _stacks(page))))


def _stacks(page: Page) -> list[list[int]]:
    """The signs of a page that stand below one another."""
    signs = [word for word, printed in enumerate(page.words) if _SIGNS.fullmatch(printed.text)]
    stacks: list[list[int]] = []
    lowest: dict[int, list[int]] = {}
    for word in sorted(signs, key=lambda sign: page.words[sign].box.y0):
        box = page.words[word].box
        column = int(box.x_center / _ALIGNED)
        near = (lowest[at] for at in (column - 1, column, column + 1) if at in lowest)
        above = next((stack for stack in near if _goes_on([page.words[sign].box for sign in stack[-2:]], box)), None)
        if above is None:
            lowest[column] = [word]
            stacks.append(lowest[column])
        else:
            above.append(word)
    return stacks


def _goes_on(upper: Sequence[Box], box: Box) -> bool:
    """Whether a stack goes on with the sign in a box: below its last one, as far as that from the one before it."""
    last = upper[-1]
    steps = [lower.y_center - higher.y_center for higher, lower in pairwise([*upper, box])]
    is_below = last.y1 < box.y_center and box.y0 - last.y1 < _BELOW * last.height
    return is_below and abs(box.x_center - last.x_center) < _ALIGNED and steps[-1] < _FURTHER * steps[0]


def _from_heading(page: Page, stack: Sequence[int]) -> tuple[int, ...]:
    """A stack from its heading on, which takes more than one of its words; empty if it has none."""
    for start, word in enumerate(stack):
        found = _HEADING.match("".join(page.words[each].text for each in stack[start:]))
        if found and len(found[0]) > len(page.words[word].text):
            return tuple(stack[start:])
    return ()
