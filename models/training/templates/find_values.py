"""Find values among the words of a page: texts over several words and lines, dates, amounts."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import pairwise

from models.training.templates.printed import amounts, bare, date_forms, squeezed
from serve_app.domain.document import Box, Page, union
from serve_app.domain.reading_order import group_lines

# The largest gap between words of one text, in line heights.
_GAP = 1.6
# The next line of a text begins at most this far below, in line heights.
_LEADING = 2.4
_LONGEST_DATE = 5
# The largest gap between groups of thousands, in line heights.
_THOUSANDS_GAP = 0.5
_GROUP = re.compile(r"\d{3}(?!\d)")
_EDGES = "()[]{}\"'“”„‘’«»:;,.#*|-–"


@dataclass(frozen=True, slots=True)
class Spot:
    """Words of one page that print one value."""

    page: int
    words: tuple[int, ...]
    box: Box = field(compare=False)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page, its words by line, and the text of each word as it is compared."""

    number: int
    page: Page
    texts: tuple[str, ...]
    line_of: tuple[int, ...]
    lines: tuple[tuple[int, ...], ...]

    @property
    def height(self) -> float:
        """Of a page with the width 1."""
        return self.page.height / self.page.width

    def box(self, words: Collection[int]) -> Box:
        return union(self.page.words[index].box for index in words)

    def after(self, index: int) -> int | None:
        """The word to the right of another in its line, if it is close."""
        line = self.lines[self.line_of[index]]
        place = line.index(index) + 1
        if place == len(line):
            return None
        left, right = self.page.words[index].box, self.page.words[line[place]].box
        room = (right.x0 - left.x1) / (max(left.height, right.height) * self.height)
        return line[place] if room < _GAP else None


def sheets_of(pages: Sequence[Page]) -> tuple[Sheet, ...]:
    """The pages, prepared for seeking."""
    return tuple(_sheet(number, page) for number, page in enumerate(pages))


def _sheet(number: int, page: Page) -> Sheet:
    lines = tuple(tuple(line) for line in group_lines([word.box for word in page.words]))
    line_of = [0] * len(page.words)
    for place, line in enumerate(lines):
        for index in line:
            line_of[index] = place
    return Sheet(number, page, tuple(squeezed(word.text) for word in page.words), tuple(line_of), lines)


def find_text(sheets: Sequence[Sheet], text: str, *, inside: bool = False) -> list[Spot]:
    """Every full printing of `text`, also over several lines. `inside`: also glued behind a caption (`No.:A-12`)."""
    target = squeezed(text)
    spots: list[Spot] = []
    for sheet in sheets:
        taken: set[int] = set()
        # Single-line matches come first: a text that wraps may have taken words of another.
        for wrapped in (False, True):
            for start in range(len(sheet.texts)):
                words = _match(sheet, start, target, inside, wrapped)
                if words and not taken & set(words):
                    taken |= set(words)
                    spots.append(Spot(sheet.number, words, sheet.box(words)))
    return sorted(spots, key=lambda spot: (spot.page, spot.words))


def _match(sheet: Sheet, start: int, target: str, inside: bool, wrapped: bool) -> tuple[int, ...]:
    """The words from `start` on that print `target`, in one line or `wrapped`; none if they do not."""
    for first in _beginnings(sheet.texts[start], target, inside):
        words, rest = [start], _rest(target, first)
        while rest:
            following = _next(sheet, words, rest, wrapped)
            if following is None:
                break
            words.append(following)
            rest = _rest(rest, sheet.texts[following]) or ""
        if rest == "":
            return tuple(words)
    return ()


def _beginnings(text: str, target: str, inside: bool) -> Iterator[str]:
    """The parts of a word with which the value may begin."""
    for part in {text: 0, text.lstrip(_EDGES): 0}:
        if part and _rest(target, part) is not None:
            yield part
    if inside:
        for place, char in enumerate(text[:-1], 1):
            if char in ":#.№°/=" and _rest(target, text[place:]) is not None:
                yield text[place:]


def _rest(target: str, text: str) -> str | None:
    """The rest of `target` after the word `text`; None if the word is not part of it."""
    if not text:
        return None
    if target.startswith(text):
        return target[len(text) :]
    if text.startswith(target) and not text[len(target) :].strip(_EDGES):
        return ""
    if len(text) > 2 and text.endswith("-") and target.startswith(text[:-1]):
        return target[len(text) - 1 :]
    return None


def _next(sheet: Sheet, words: Sequence[int], rest: str, wrapped: bool) -> int | None:
    """The next word of a text: right of the last one, or below in the next line of the same cell."""
    right = sheet.after(words[-1])
    if right is not None and _rest(rest, sheet.texts[right]) is not None:
        return right
    if not wrapped:
        return None
    box, last = sheet.box(words), sheet.page.words[words[-1]].box
    best: tuple[float, int] | None = None
    for line in sheet.lines[sheet.line_of[words[-1]] + 1 :]:
        for index in line:
            other = sheet.page.words[index].box
            below = (other.y0 - last.y0) / last.height
            if below > _LEADING:
                return best[1] if best else None
            overlaps = other.x0 < box.x1 + 0.02 and other.x1 > box.x0 - 0.02
            if below > 0.5 and overlaps and _rest(rest, sheet.texts[index]) is not None:
                far = below + abs(other.x0 - box.x0)
                best = min(best, (far, index)) if best else (far, index)
    return best[1] if best else None


def find_date(sheets: Sequence[Sheet], value: date) -> list[Spot]:
    """Every printing of a date, in whatever usual form."""
    forms = date_forms(value)
    spots = []
    for sheet in sheets:
        taken: set[int] = set()
        for start in range(len(sheet.texts)):
            words = _date_at(sheet, start, forms)
            if words and not taken & set(words):
                taken |= set(words)
                spots.append(Spot(sheet.number, words, sheet.box(words)))
    return spots


def _date_at(sheet: Sheet, start: int, forms: frozenset[str]) -> tuple[int, ...]:
    """The words from `start` on that print the date; a caption may be glued to the first (`Date:1.2.2024`)."""
    first = sheet.page.words[start].text
    text = first.rsplit(":", 1)[-1] if bare(first) not in forms else first
    words = [start]
    found: tuple[int, ...] = ()
    while bare(text):
        if bare(text) in forms:
            found = tuple(words)
        following = sheet.after(words[-1])
        if following is None or len(words) == _LONGEST_DATE:
            break
        words.append(following)
        text = f"{text} {sheet.page.words[following].text}"
    return found


def find_amounts(
    sheets: Sequence[Sheet], values: Collection[Decimal], marks: frozenset[str], taken: Collection[tuple[int, int]]
) -> list[tuple[Spot, frozenset[Decimal]]]:
    """Every printing of one of `values` with the values that it may be; numbers in parts (`1 234,56`) come first."""
    target = frozenset(values)
    found = []
    for sheet in sheets:
        free = [index for index in range(len(sheet.texts)) if (sheet.number, index) not in taken]
        used: set[int] = set()
        for count in (4, 3, 2, 1):
            for start in free:
                words = _run(sheet, start, count)
                if words is None or used & set(words) or not set(words) <= set(free):
                    continue
                text = " ".join(sheet.page.words[index].text for index in words)
                hits = amounts(text, marks) & target
                if hits and (count == 1 or _in_parts(sheet, words, marks)):
                    used |= set(words)
                    found.append((Spot(sheet.number, words, sheet.box(words)), hits))
    return found


def _run(sheet: Sheet, start: int, count: int) -> tuple[int, ...] | None:
    words = [start]
    while len(words) < count:
        following = sheet.after(words[-1])
        if following is None:
            return None
        words.append(following)
    return tuple(words)


def _in_parts(sheet: Sheet, words: Sequence[int], marks: frozenset[str]) -> bool:
    """Whether words are groups of thousands, close to each other, or a sign before a number."""
    texts = [sheet.page.words[index].text for index in words]
    boxes = [sheet.page.words[index].box for index in words]
    rooms = [(right.x0 - left.x1) / (left.height * sheet.height) for left, right in pairwise(boxes)]
    groups = texts[1:] if texts[0] in "-−–(" else texts
    head = groups[0].casefold().lstrip("-−–(")
    for mark in sorted(marks, key=len, reverse=True):
        head = head.removeprefix(mark)
    whole = head.isdigit() and len(head) <= 3 and max(rooms) < _THOUSANDS_GAP
    return len(groups) == 1 or (whole and all(_GROUP.match(group) for group in groups[1:]))
