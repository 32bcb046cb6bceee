"""The heads of tables: lines of captions, and what each caption says about the column below."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations

from serve_app.domain.document import Box, union
from serve_app.domain.labels import Label
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.facts.numbers import WORD_GAP, has_gap, is_beside
from serve_app.extraction.tables.captions import Meaning, longest, meaning_of, tokens

# At least this share of the words of a line of captions is known, and less in the lines right above and below.
COVERED = 0.5
COVERED_BESIDE = 0.3
# A head goes on for less than so many lines above and below one of them.
_LINES = 8
# What is in no head: a number, or a caption that is followed by its value.
_NO_CAPTION = re.compile(r"\d|:(?:\s|$)")

_VALUES = frozenset({Label.LINE_QUANTITY, Label.LINE_UNIT_PRICE, Label.LINE_TOTAL})
_MONEY = frozenset({Label.LINE_UNIT_PRICE, Label.LINE_TOTAL})
_THINGS = frozenset({Label.LINE_DESCRIPTION, Label.LINE_QUANTITY})


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption and its place on the page."""

    meaning: Meaning
    box: Box


@dataclass(frozen=True, slots=True)
class Head:
    """The captions of a table, from left to right; `first` and `last` are the indices of its printed lines."""

    first: int
    last: int
    captions: tuple[Caption, ...]

    @property
    def is_of_items(self) -> bool:
        """Whether it is the head of what was sold: a price or a sum, and the things or their number."""
        return any(
            one.meaning.labels & _MONEY and other.meaning.labels & _THINGS
            for one, other in permutations(self.captions, 2)
        )


def heads(page: PageEvidence) -> list[Head]:
    """The heads of the page's tables, from top to bottom: of items, of taxes, of discounts."""
    found: list[Head] = []
    lines = [_captions(page, line) for line in page.lines]
    for index in range(len(lines)):
        # Two captions may be a caption and its value ("Description: Pro rate"), unless they are all there is.
        seed = _captions(page, page.lines[index], COVERED if len(lines[index]) > 2 else 1.0)
        if not _stand_apart(page, seed) or (found and index <= found[-1].last):
            continue
        first, last = _extent(lines, index)
        stacked = _stacked([word for line in lines[first : last + 1] for word in line])
        head = Head(first, last, tuple(_distinguished(stacked)))
        if head.is_of_items or sum(caption.meaning.is_tax for caption in head.captions) > 1:
            found.append(head)
    return found


def _stand_apart(page: PageEvidence, captions: Sequence[Caption]) -> bool:
    """Whether the captions of a line stand in more than one column."""
    return any(not has_gap(page.facts, left.box, right.box, WORD_GAP) for left, right in pairwise(captions))


def _captions(page: PageEvidence, line: Sequence[int], covered: float = COVERED_BESIDE) -> list[Caption]:
    """The captions of a line; none if they are less than `covered` of the line."""
    if _NO_CAPTION.search(page.text(line)):
        return []
    written = [(word, token) for word in page.facts.as_read(line) for token in tokens(page.page.words[word].text)]
    captions, known, start = [], 0, 0
    while start < len(written):
        length, meaning = _longest(page, written[start : start + longest()])
        if meaning is not None:
            captions.append(Caption(meaning, page.box([word for word, _ in written[start : start + length]])))
            known += length
        start += length
    captions.sort(key=lambda caption: caption.box.x0)
    return captions if known >= covered * len(written) else []


def _longest(page: PageEvidence, written: Sequence[tuple[int, str]]) -> tuple[int, Meaning | None]:
    """The number of tokens of the longest caption that the tokens begin with, and its meaning; 1 and None if there is
    none."""
    for length in range(len(written), 0, -1):
        meaning = meaning_of(tuple(token for _, token in written[:length]))
        words = [word for word, _ in written[:length]]
        if meaning is not None and all(is_beside(page.facts, *pair) for pair in pairwise(words)):
            return length, meaning
    return 1, None


def _extent(lines: Sequence[Sequence[Caption]], index: int) -> tuple[int, int]:
    """The lines of captions around a line, first and last."""
    first = last = index
    while first > max(0, index - _LINES) and lines[first - 1]:
        first -= 1
    while last + 1 < min(len(lines), index + _LINES) and lines[last + 1]:
        last += 1
    return first, last


def _stacked(captions: Sequence[Caption]) -> Iterator[Caption]:
    """The captions of several lines, from left to right; of those above each other, the most telling one."""
    groups: list[list[Caption]] = []
    for caption in sorted(captions, key=lambda caption: caption.box.x_center):
        group = next((near for near in groups if _is_under(caption, near[-1])), None)
        if group is None:
            groups.append([caption])
        else:
            group.append(caption)
    for group in groups:
        distinctive = max(
            group,
            key=lambda caption: (bool(caption.meaning.labels), caption.meaning.is_tax, -len(caption.meaning.labels)),
        )
        yield Caption(distinctive.meaning, union(caption.box for caption in group))


def _is_under(one: Caption, other: Caption) -> bool:
    """Whether two captions are above each other: on different lines, and overlapping."""
    apart = one.box.y0 >= other.box.y_center or other.box.y0 >= one.box.y_center
    return apart and min(one.box.x1, other.box.x1) > max(one.box.x0, other.box.x0)


def _distinguished(captions: Iterable[Caption]) -> Iterator[Caption]:
    """The captions with ambiguities resolved: an ambiguous one does not mean a label that another caption means for
    certain; if two mean the same, one of them must mean a label that no caption names."""
    captions = list(captions)
    certain = Counter(
        label for caption in captions if len(caption.meaning.labels) == 1 for label in caption.meaning.labels
    )
    unnamed = _VALUES.difference(*(caption.meaning.labels for caption in captions))
    for caption in captions:
        labels = caption.meaning.labels
        if len(labels) > 1:
            labels = labels - certain.keys() or labels
        elif any(certain[label] > 1 for label in labels & _VALUES):
            labels = labels | unnamed
        yield replace(caption, meaning=replace(caption.meaning, labels=labels))
