"""Headings of parties that stand beside their section, one sign below another: "购买方信息", "공급자"."""

import re
from collections.abc import Sequence
from itertools import pairwise

from serve_app.domain.document import Box, Page, Word
from serve_app.extraction.knowledge import WordPattern

_SIGN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SIGNS = re.compile(rf"{_SIGN.pattern}{{1,2}}")
_HEADING = WordPattern("{parties.buyer|parties.seller}")
# A word is upright if it is so many times as high as wide.
_UPRIGHT = 1.5
# A sign is at most this far below the one above it, as a multiple of that one's height, and this many times as far as
# the one before.
_BELOW, _FURTHER = 2.0, 1.4
# Signs that stand below one another begin or have their centres within this (of the page's width).
_ALIGNED = 0.01
# Signs that may are looked for in columns that are so wide, and in those beside them.
_COLUMN = 0.02


def vertical_labels(page: Page) -> tuple[tuple[int, ...], ...]:
    """The words of each heading of a party that is set vertically."""
    stacked = (_from_heading(page, stack) for stack in _stacks(page))
    return (*filter(None, stacked), *((at,) for at, word in enumerate(page.words) if _is_upright(page, word)))


def _is_upright(page: Page, word: Word) -> bool:
    """Whether a heading in one word is higher than wide: its signs stand below one another."""
    is_heading = _SIGN.match(word.text) is not None and _HEADING.match(word.text) is not None
    return is_heading and word.box.height * page.height > _UPRIGHT * word.box.width * page.width


def _stacks(page: Page) -> list[list[int]]:
    """The signs of a page that stand below one another."""
    signs = [word for word, printed in enumerate(page.words) if _SIGNS.fullmatch(printed.text)]
    stacks: list[list[int]] = []
    lowest: dict[int, list[int]] = {}
    for word in sorted(signs, key=lambda sign: page.words[sign].box.y0):
        box = page.words[word].box
        column = int(box.x_center / _COLUMN)
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
    aside = min(abs(box.x0 - last.x0), abs(box.x_center - last.x_center))
    return is_below and aside < _ALIGNED and steps[-1] < _FURTHER * steps[0]


def _from_heading(page: Page, stack: Sequence[int]) -> tuple[int, ...]:
    """A stack from its heading on, which takes more than one of its words; empty if it has none."""
    for start, word in enumerate(stack):
        found = _HEADING.match("".join(page.words[each].text for each in stack[start:]))
        if found and len(found[0]) > len(page.words[word].text):
            return tuple(stack[start:])
    return ()
