"""Earlier versions of a PDF. Editors append what they change to the file, so the file still has what it said before.

Signatures, filled forms, notes and attachments are appended in the same way: they add to a page. Only where digits of
an earlier version are gone was a value replaced.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray

from serve_app.documents.limits import Limits
from serve_app.documents.pdf.ink import rendered_small
from serve_app.documents.pdf.layer_assessment import Verdict
from serve_app.documents.pdf.pdfium import loaded, opened
from serve_app.documents.pdf.text_layer import read_layer
from serve_app.documents.progress import step_done
from serve_app.domain.document import (
    DISPUTED,
    MOST_CONFLICTS,
    Box,
    Conflict,
    ConflictKind,
    Page,
    Word,
)
from serve_app.domain.errors import DocumentError

_END = re.compile(rb"startxref\s{1,9}(\d{1,12})\s{1,9}%%EOF")
_LINEARIZED = b"/Linearized"
# So many of the oldest and of the newest versions, and the first pages, are compared.
_OLDEST = _NEWEST = 3
_MOST_PAGES = 10
# Where more words differ, the page is another one.
_MOST_CHANGES = 60
_SAME_PAGE = 0.35
# A form that is filled gets more words than an account that is added.
_MOST_ADDED = 12
# Fewer digits are no value.
_LEAST_DIGITS = 2
# A value stands where the one stood that it replaces, in fractions of the page.
_BESIDE, _BELOW = 0.25, 0.03
# Of a word under a change, and of two words in one place.
_UNDER = 0.5
_TOUCHES = 0.2
# Grey values (of 255) of ink, and of how much lighter its place is without it; the share of a word's ink.
_INK = 160
_LIGHTER = 80
_GONE = 0.15
# Where more of the words lost ink, and more than so many, it is another picture.
_LOST_SHARE, _LOST_WORDS = 1 / 3, 3


@dataclass(frozen=True, slots=True)
class _Look:
    """A page of a version: the words of its text layer, and what it looks like. `is_picture`: pictures or shapes show
    what it says."""

    words: tuple[Word, ...]
    grey: NDArray[np.uint8]
    is_picture: bool


@dataclass(frozen=True, slots=True)
class _Change:
    """A place that looks different since an earlier version, as fractions of the page as shown."""

    kind: ConflictKind
    box: Box
    other: str | None = None


def earlier_versions(data: bytes) -> list[int]:
    """The lengths of earlier versions at the beginning of a file: the oldest and the newest ones, newest first."""
    ends = [found for found in _END.finditer(data) if 0 < int(found[1]) < found.start()]
    if _LINEARIZED in data[:1024]:
        # Its first part is no version: the file is written with its first page first.
        ends = [found for found in ends if not _is_first_part(data, found)]
    lengths = [found.end() for found in reversed(ends[:-1])]
    return lengths if len(lengths) <= _OLDEST + _NEWEST else [*lengths[:_NEWEST], *lengths[-_OLDEST:]]


def compared_with_earlier(data: bytes, limits: Limits, pages: Sequence[Page]) -> list[Page]:
    """The pages with conflicts where an earlier version says something else: a word with replaced digits is
    `DISPUTED`."""
    lengths, compared = earlier_versions(data), list(pages)
    now = _looks(data, limits, [page.number for page in pages if page.number <= _MOST_PAGES]) if lengths else {}
    for length in lengths if now else ():
        before = _looks(data[:length], limits, range(1, _MOST_PAGES + 1))
        compared = [_compared(page, now[page.number], before) if page.number in now else page for page in compared]
    return compared


def _is_first_part(data: bytes, found: re.Match[bytes]) -> bool:
    """Whether the table of what comes first in a linearized file ends here: it goes on where the file does."""
    start = int(found[1])
    previous = re.search(rb"/Prev\s{0,9}(\d{1,12})", data[start : found.start()])
    return previous is not None and int(previous[1]) > found.end()


def _looks(data: bytes, limits: Limits, numbers: Sequence[int]) -> dict[int, _Look]:
    """By number, pages of a version; none if it cannot be read."""
    try:
        with opened(data, limits) as file:
            return {number: _look(file, number) for number in numbers if number <= len(file)}
    except DocumentError:
        return {}


def _look(file: pdfium.PdfDocument, number: int) -> _Look:
    with loaded(file, number - 1) as page:
        grey = rendered_small(page)
    layer = read_layer(file, number)
    step_done()
    is_picture = layer.assessment.is_scan or layer.assessment.verdict is not Verdict.LAYER
    return _Look(layer.page.words, grey, is_picture)


def _compared(page: Page, now: _Look, earlier: Mapping[int, _Look]) -> Page:
    before = _same_page(page.number, now, earlier)
    if before is None:
        return page
    changes = [*_changes(before.words, now.words), *_replaced_ink(page, before, now)]
    changes.sort(key=lambda change: change.kind is ConflictKind.ADDED)
    conflicts, words = list(page.conflicts), list(page.words)
    for index, word in enumerate(words):
        change = _change_at(page.shown(word.box), changes) if _has_value(word.text) else None
        if change is None or len(conflicts) >= MOST_CONFLICTS or any(each.box == word.box for each in conflicts):
            continue
        conflicts.append(Conflict(change.kind, word.box, word.text, change.other))
        if change.kind is ConflictKind.REPLACED:
            words[index] = replace(word, confidence=min(word.confidence, DISPUTED))
    return replace(page, words=tuple(words), conflicts=tuple(conflicts))


def _same_page(number: int, now: _Look, earlier: Mapping[int, _Look]) -> _Look | None:
    """The page of an earlier version that this one was made of: pages may have been added before it."""
    texts = Counter(word.text for word in now.words)
    shared = {other: _share_of(texts, each) for other, each in earlier.items()}
    best = max(shared, key=lambda other: (shared[other], other == number), default=None)
    return earlier[best] if best is not None and shared[best] >= _SAME_PAGE else None


def _share_of(texts: Counter[str], other: _Look) -> float:
    """How much of the other page is on this one; of a scan, which has no words, all may be."""
    before = Counter(word.text for word in other.words)
    return (texts & before).total() / before.total() if before else _SAME_PAGE


def _changes(before: Sequence[Word], now: Sequence[Word]) -> list[_Change]:
    """What the text layers say: words that are new since the earlier version, with those that they replace."""
    gone, added = list(_missing_in(now, before)), list(_missing_in(before, now))
    if max(len(gone), len(added)) > _MOST_CHANGES:
        return []
    # Forms have zeros where nothing was filled in yet.
    gone = [word for word in gone if set(word.text) & set("123456789")]
    added = [word for word in added if not _is_split_otherwise(word, before, now)]
    replaced = _paired(added, gone)
    changes = [_Change(ConflictKind.REPLACED, added[at].box, gone[of].text) for at, of in replaced.items()]
    others = [word for at, word in enumerate(added) if at not in replaced]
    is_form = len(others) > _MOST_ADDED
    return [*changes, *(_Change(ConflictKind.ADDED, word.box) for word in others if not is_form)]


def _paired(added: Sequence[Word], gone: Sequence[Word]) -> dict[int, int]:
    """By new word, the one that it stands in place of: each the nearest."""
    pairs = sorted(
        (_distance(one.box, other.box), at, of)
        for at, one in enumerate(added)
        for of, other in enumerate(gone)
        if _is_near(one.box, other.box)
    )
    replaced: dict[int, int] = {}
    for _, at, of in pairs:
        if at not in replaced and of not in replaced.values():
            replaced[at] = of
    return replaced


def _is_near(one: Box, other: Box) -> bool:
    return abs(one.x_center - other.x_center) < _BESIDE and abs(one.y_center - other.y_center) < _BELOW


def _missing_in(others: Sequence[Word], words: Sequence[Word]) -> Iterator[Word]:
    """Words with a value that the others do not have, or not so often."""
    counts = Counter(word.text for word in others)
    for word in words:
        counts[word.text] -= 1
        if counts[word.text] < 0 and _has_value(word.text):
            yield word


def _has_value(text: str) -> bool:
    return sum(map(str.isdecimal, text)) >= _LEAST_DIGITS


def _is_split_otherwise(word: Word, before: Sequence[Word], now: Sequence[Word]) -> bool:
    """Whether the same characters stood there in other words."""
    earlier = [each for each in before if _shared(each.box, word.box) > _TOUCHES]
    later = [each for each in now if any(_shared(each.box, other.box) > _TOUCHES for other in earlier)]
    return bool(earlier) and _in_one(earlier) == _in_one(later)


def _in_one(words: Sequence[Word]) -> str:
    return "".join(word.text for word in sorted(words, key=lambda word: word.box.x0))


def _distance(one: Box, other: Box) -> float:
    return abs(one.x_center - other.x_center) + abs(one.y_center - other.y_center)


def _shared(one: Box, other: Box) -> float:
    """How much of the smaller box lies under the other one."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    least = min(one.width * one.height, other.width * other.height)
    return max(width, 0.0) * max(height, 0.0) / max(least, 1e-12)


def _change_at(box: Box, changes: Sequence[_Change]) -> _Change | None:
    return next((change for change in changes if _shared(box, change.box) >= _UNDER), None)


def _replaced_ink(page: Page, before: _Look, now: _Look) -> list[_Change]:
    """What the pictures say of a page that is one: words where ink of an earlier version is gone."""
    if not now.is_picture or before.grey.shape != now.grey.shape:
        return []
    ink = before.grey < _INK
    gone = ink & (now.grey.astype(np.int16) - before.grey > _LIGHTER)
    boxes = [page.shown(word.box) for word in page.words if _has_value(word.text)]
    found = [box for box in boxes if _lost_ink(ink, gone, box)]
    if len(found) > max(_LOST_WORDS, _LOST_SHARE * len(boxes)):
        return []
    return [_Change(ConflictKind.REPLACED, box) for box in found]


def _lost_ink(ink: NDArray[np.bool_], gone: NDArray[np.bool_], box: Box) -> bool:
    height, width = ink.shape
    place = np.s_[int(box.y0 * height) : int(box.y1 * height) + 1, int(box.x0 * width) : int(box.x1 * width) + 1]
    return bool(gone[place].sum() > _GONE * max(ink[place].sum(), 1))
