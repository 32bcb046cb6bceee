"""Tidy words in reading order into what a person reads: each once, and whole."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from serve_app.domain.document import Word, union

# This many single letters in a row, evenly spaced, are a letter-spaced word ("I N V O I C E").
_SPACED = 4
# A gap of less than these shares of the height and of the page's usual gap is none ("Gr undbesitz"): some programs
# write kerning as a space.
_NARROW = 0.13
_UNUSUAL = 0.6


def tidy(words: Sequence[Word], width: float, height: float) -> tuple[Word, ...]:
    """Drop words printed twice in one place, and join letter-spaced ones and those that were split without a gap; the
    page is `width` by `height` points."""
    once = _made_whole(_without_overprint(words), width / height)
    if "x" * _SPACED not in "".join("x" if len(word.text) == 1 else " " for word in once):
        return tuple(once)
    return tuple(_joined(once, width / height))


def _without_overprint(words: Sequence[Word]) -> list[Word]:
    kept: list[Word] = []
    for word in words:
        if not kept or word.text != kept[-1].text or not _is_same_place(word, kept[-1]):
            kept.append(word)
    return kept


def _is_same_place(one: Word, other: Word) -> bool:
    a, b = one.box, other.box
    least = min(a.width, a.height) * 0.3
    return abs(a.x0 - b.x0) < least and abs(a.x1 - b.x1) < least and abs(a.y0 - b.y0) < 0.3 * a.height


def _made_whole(words: list[Word], shape: float) -> list[Word]:
    """With the parts of split words joined: the second goes on in small letters after hardly any gap."""
    gaps = [_gap_in_heights(before, word, shape) for before, word in pairwise(words)]
    if not any(gap < _NARROW for gap in gaps if gap is not None):
        return words
    widest = min(_NARROW, _UNUSUAL * median(gap for gap in gaps if gap is not None))
    whole = words[:1]
    for word, gap in zip(words[1:], gaps, strict=True):
        if gap is not None and gap < widest and whole[-1].text[-1].isalpha() and word.text[0].islower():
            whole[-1] = Word(whole[-1].text + word.text, union((whole[-1].box, word.box)))
        else:
            whole.append(word)
    return whole


def _gap_in_heights(before: Word, word: Word, shape: float) -> float | None:
    """The gap between two words that follow each other on a line; None if they do not."""
    size = min(before.box.height, word.box.height)
    if not size or abs(before.box.y_center - word.box.y_center) > 0.2 * size:
        return None
    gap = _gap(before, word) * shape / size
    return gap if 0 <= gap < 1.5 else None


def _joined(words: list[Word], shape: float) -> Iterator[Word]:
    run: list[Word] = []
    for word in words:
        if run and not _goes_on(run, word, shape):
            yield from _closed(run)
            run = []
        run.append(word)
    yield from _closed(run)


def _goes_on(run: list[Word], word: Word, shape: float) -> bool:
    """Whether `word` is the next letter of a letter-spaced word; `shape` is the page's width over its height."""
    before = run[-1]
    if not all(len(neighbour.text) == 1 and neighbour.text.isalpha() for neighbour in (before, word)):
        return False
    size = min(before.box.height, word.box.height)
    gap = _gap(before, word) * shape
    if abs(before.box.y_center - word.box.y_center) > 0.2 * size or not 0 < gap < 1.5 * size:
        return False
    first = _gap(run[0], run[1]) * shape if len(run) > 1 else gap
    return abs(gap - first) < 0.25 * size


def _gap(before: Word, after: Word) -> float:
    return after.box.x0 - before.box.x1


def _closed(run: list[Word]) -> list[Word]:
    if len(run) < _SPACED:
        return run
    return [Word("".join(word.text for word in run), union(word.box for word in run))]
