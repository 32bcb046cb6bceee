"""Captions of values: the words before them on the line, and those above."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from serve_app.domain.evidence import UNITS
from serve_app.extraction.own_fields.page_lines import Line, PageLines, is_gap, is_space

_WORDS = 5
_BEFORE, _BELOW = 3500, 600
"""How far a value stands right of its caption, and below it, in `evidence.UNITS`."""
_FUZZY = 6
"""Letters from which on one of them may be misread."""
MIN_LIKENESS = 0.6
_APART = 0.92
"""What is set apart from a caption may be the caption of the next column: a value below it counts for more."""


class Caption(NamedTuple):
    """The letters of a caption, and where its value stands."""

    letters: str
    is_above: bool


class Place(NamedTuple):
    """A value may begin at a word of a line, for this caption; `likeness` is from 0 to 1."""

    line: int
    word: int
    caption: Caption
    likeness: float


def words_before(line: Line, word: int) -> Line:
    """The caption of the value that begins at this word: words without digits, not set apart from each other."""
    start = word
    while start > 0 and word - start < _WORDS:
        before = line[start - 1]
        is_first = start == word
        if before.has_digit or line[word].x0 - before.x1 > _BEFORE:
            break
        if not is_first and (before.ends_caption or is_gap(before, line[start])):
            break
        start -= 1
    return line[start:word]


def words_above(page: PageLines, number: int, x0: int, x1: int) -> Line:
    """The caption above what stands on a line between `x0` and `x1`: the nearest words over it that no gap parts."""
    top = page.lines[number][0].y0
    for line in reversed(page.lines[:number]):
        over = [place for place, word in enumerate(line) if word.x0 < x1 and word.x1 > x0]
        if not over or line[over[0]].middle >= top:
            continue
        if top - line[over[0]].y1 > _BELOW:
            break
        start = over[0]
        while start > 0 and not is_gap(line[start - 1], line[start]):
            start -= 1
        found = page.segment(page.lines.index(line), start)
        return [] if any(word.has_digit for word in found) else found[:_WORDS]
    return []


def letters_in(words: Line) -> str:
    """The letters of a caption."""
    return "".join(word.letters for word in words)


def likeness(one: str, other: str) -> float:
    """How much of the longer of two captions is the shorter one, which ends or begins it; 0 if it does neither."""
    shorter, longer = sorted((one, other), key=len)
    if not shorter or not (longer.endswith(shorter) or longer.startswith(shorter) or _is_misread(shorter, longer)):
        return 0.0
    return len(shorter) / len(longer)


class Heading(NamedTuple):
    """A caption over a column, from its left to its right edge. The headings beside it end at `left` and begin at
    `right`."""

    caption: Caption
    x0: int
    x1: int
    left: int
    right: int
    likeness: float


class Captions:
    """Known captions, by which values are found."""

    def __init__(self, captions: Sequence[Caption]) -> None:
        self._by_letters: Mapping[str, list[Caption]] = _grouped(captions)
        self._longest = max(map(len, self._by_letters), default=0)
        # By length and first or last letter: one letter may be misread.
        self._fuzzy: dict[tuple[int, str], list[str]] = defaultdict(list)
        for letters in self._by_letters:
            if len(letters) >= _FUZZY:
                for key in _fuzzy_keys(letters):
                    self._fuzzy[key].append(letters)

    def places(self, page: PageLines) -> Iterator[Place]:
        """Where values of these captions may begin on a page."""
        for number, line in enumerate(page.lines):
            for start, end, letters in self._printed(line):
                for caption in self._by_letters[letters]:
                    yield from _after(page, number, (start, end), caption)

    def headings(self, page: PageLines, table: int) -> Iterator[Heading]:
        """Those over the table whose first row begins with this line."""
        top = page.lines[table][0].y0
        for line in page.lines[:table]:
            if top - _BELOW < line[0].y1 and line[0].middle < top:
                for start, end, letters in self._printed(line):
                    for caption in self._by_letters[letters]:
                        if caption.is_above:
                            yield heading_of(line, start, end, caption)

    def _printed(self, line: Line) -> Iterator[tuple[int, int, str]]:
        """From which word to which a caption is printed, and the caption."""
        for start in range(len(line)):
            letters = ""
            for end in range(start, min(start + _WORDS, len(line))):
                letters += line[end].letters
                if len(letters) > self._longest + 1:
                    break
                known = self._known(letters)
                # What a value is glued to is no caption of another.
                if known and line[end].letters and line[start].letters:
                    yield start, end + 1, known

    def _known(self, letters: str) -> str:
        if letters in self._by_letters:
            return letters
        for length in (len(letters) - 1, len(letters), len(letters) + 1):
            for end in {letters[0], letters[-1]} if letters else ():
                for known in self._fuzzy.get((length, end), ()):
                    if _is_misread(known, letters):
                        return known
        return ""


def _after(page: PageLines, number: int, printed: tuple[int, int], caption: Caption) -> Iterator[Place]:
    _, end = printed
    line = page.lines[number]
    if caption.is_above:
        yield from _below(page, number, printed, caption)
        return
    while end < len(line) and not any(map(str.isalnum, line[end].text)):
        end += 1
    if end < len(line) and line[end].x0 - line[end - 1].x1 < _BEFORE:
        whole = letters_in(words_before(line, end)) or caption.letters
        is_apart = not line[end - 1].ends_caption and is_gap(line[end - 1], line[end])
        yield Place(number, end, caption, likeness(caption.letters, whole) * (_APART if is_apart else 1))


def _below(page: PageLines, number: int, printed: tuple[int, int], caption: Caption) -> Iterator[Place]:
    start, end = printed
    line = page.lines[number]
    x0, x1, bottom = line[start].x0, line[end - 1].x1, line[start].y1
    for lower in range(number + 1, len(page.lines)):
        words = page.lines[lower]
        if words[0].y0 - bottom > _BELOW:
            return
        over = [place for place, word in enumerate(words) if word.x0 < x1 and word.x1 > x0 and word.middle > bottom]
        if over:
            first = over[0]
            while first > 0 and not is_gap(words[first - 1], words[first]):
                first -= 1
            yield Place(lower, first, caption, _wholeness(line, start, end))
            return


def heading_of(line: Line, start: int, end: int, caption: Caption) -> Heading:
    """What is printed from one word of a line to another, as the heading of a column."""
    left = line[start - 1].x1 if start else 0
    right = line[end].x0 if end < len(line) else UNITS
    is_whole = (start == 0 or not is_space(line[start - 1], line[start])) and (
        end == len(line) or not is_space(line[end - 1], line[end])
    )
    return Heading(caption, line[start].x0, line[end - 1].x1, left, right, 1.0 if is_whole else MIN_LIKENESS)


def heading_over(page: PageLines, table: int, x0: int, x1: int) -> tuple[Line, Heading] | None:
    """The nearest words over what stands between `x0` and `x1` in the table whose first row begins with this line."""
    top = page.lines[table][0].y0
    for line in reversed(page.lines[:table]):
        over = [place for place, word in enumerate(line) if word.x0 < x1 and word.x1 > x0]
        if not over or line[over[0]].middle >= top:
            continue
        start, end = over[0], over[-1] + 1
        while start > 0 and is_space(line[start - 1], line[start]):
            start -= 1
        while end < len(line) and is_space(line[end - 1], line[end]):
            end += 1
        words = line[start:end]
        if top - words[0].y1 > _BELOW or any(word.has_digit for word in words) or len(words) > _WORDS:
            return None
        return words, heading_of(line, start, end, Caption(letters_in(words), is_above=True))
    return None


def under(page: PageLines, lines: range, heading: Heading) -> tuple[int, int] | None:
    """The line and the word with which the value of a row begins in the column of a heading."""
    for number in lines:
        words = page.lines[number]
        over = [place for place, word in enumerate(words) if word.x0 < heading.x1 and word.x1 > heading.x0]
        if over:
            first = over[0]
            while first > 0 and words[first - 1].x0 >= heading.left and not is_gap(words[first - 1], words[first]):
                first -= 1
            return number, first
    return None


def _wholeness(line: Line, start: int, end: int) -> float:
    """How sure these words are no part of another caption."""
    is_whole = (start == 0 or is_gap(line[start - 1], line[start])) and (
        end == len(line) or is_gap(line[end - 1], line[end])
    )
    return 1.0 if is_whole else MIN_LIKENESS


def _grouped(captions: Sequence[Caption]) -> dict[str, list[Caption]]:
    found: dict[str, list[Caption]] = defaultdict(list)
    for caption in dict.fromkeys(captions):
        if caption.letters:
            found[caption.letters].append(caption)
    return dict(found)


def _fuzzy_keys(letters: str) -> set[tuple[int, str]]:
    return {(len(letters), letters[0]), (len(letters), letters[-1])}


def _is_misread(one: str, other: str) -> bool:
    """Whether two long captions differ in one letter, or one has a letter more."""
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < _FUZZY or len(longer) - len(shorter) > 1:
        return False
    same = next((at for at, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    rest = shorter[same:] if len(shorter) < len(longer) else shorter[same + 1 :]
    return longer[same + 1 :] == rest
