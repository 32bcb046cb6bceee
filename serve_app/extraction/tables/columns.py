"""The columns of a table: cells below each other mean the same, namely what the caption above them says."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

import numpy as np

from serve_app.domain.document import Box
from serve_app.domain.labels import Label
from serve_app.extraction.captions import Caption as Meaning
from serve_app.extraction.evidence import LABELS, Matrix, PageEvidence
from serve_app.extraction.facts.numbers import WORD_GAP, is_beside
from serve_app.extraction.facts.page import split_line
from serve_app.extraction.notation.numbers import Style, ends_in_decimals
from serve_app.extraction.tables.headers import Caption
from serve_app.extraction.tables.numbers import NUMBERS, printed_numbers
from serve_app.extraction.tables.regions import SUMS, Region

# Cells are in one column if they overlap by this share of the narrower one's width.
OVERLAP = 0.5
# How much of a cell's evidence comes from its column.
BORROWED = 0.5
# Cells borrow from a column if at least this share of its cells seem to mean the same.
ALIKE = 0.7
# How much likelier a label is under a caption that names it, and how much less likely under another caption.
CAPTIONED = 10.0
# The probability that a model missed a label because it has never seen such a column.
MISSED = 0.01
# A number is not under a caption if its edges and its centre are all farther away than this share of the page's width.
ASIDE = 0.05
# A text begins under a caption if it is at most this far to its side, as a share of the page's width.
INDENTED = 0.03
# A number beside two captions belongs to neither if the farther one is less than this many times as far away.
BETWEEN = 2.0
# Totals of rows end within this share of the page's width of each other; fewer than so many make no column.
ALIGNED = 0.008
_FEW = 2
# A page has no more columns.
_MOST = 100
_TOTAL = Label.LINE_TOTAL
MONEY = frozenset({Label.LINE_UNIT_PRICE, _TOTAL})
# What has such a caption is no row.
_NO_ROWS = frozenset(
    {Meaning.TOTAL, Meaning.AMOUNT_DUE, Meaning.SUBTOTAL, Meaning.TAX, Meaning.PAID, Meaning.CASH, Meaning.PREVIOUS}
)
_NUMBERS = [LABELS.index(label) for label in NUMBERS]
_DESCRIPTION = LABELS.index(Label.LINE_DESCRIPTION)
_SUMS = [LABELS.index(label) for label in SUMS]


Span = tuple[float, float]
"""The left and the right edge of a cell or a column, as fractions of the page's width."""


def overlap(one: Span, other: Span) -> bool:
    """Whether two cells, or a cell and a column, are above each other."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return shared > OVERLAP * min(one[1] - one[0], other[1] - other[0])


@dataclass(slots=True)
class _Column:
    """Words below each other, all within `span`."""

    span: Span
    words: list[int] = field(default_factory=list)


def with_columns(page: PageEvidence, region: Region, style: Style) -> PageEvidence:
    """The page's evidence, with the numbers of the region borrowing from their captions and columns."""
    captioned = replace(page, inside=_captioned(page, region, style)) if region.captions else page
    inside = captioned.inside.copy()
    for column in _columns(captioned, _numbers_of_rows(captioned, region, style)):
        if _is_of_one_kind(captioned, column.words):
            mean = captioned.inside[column.words].mean(axis=0)
            inside[column.words] = (1 - BORROWED) * captioned.inside[column.words] + BORROWED * mean
    return _with_aligned_totals(replace(page, inside=inside), region, style)


def _with_aligned_totals(page: PageEvidence, region: Region, style: Style) -> PageEvidence:
    """The page's evidence, where amounts that end their lines in the column of the rows' totals are totals, too, if the
    line describes something and prints no other price or total."""
    lines = page.lines[region.start : region.stop]
    edges = [page.page.words[word].box.x1 for line in lines for word in line if page.best_label(word) is _TOTAL]
    if len(edges) < _FEW or max(edges) - min(edges) > ALIGNED:
        return page
    inside = page.inside.copy()
    for line in lines:
        words = _total_in_column(page, line, median(edges), style)
        inside[words] = 0.0
        inside[words, LABELS.index(_TOTAL)] = 1.0
    return replace(page, inside=inside)


def _total_in_column(page: PageEvidence, line: Sequence[int], edge: float, style: Style) -> list[int]:
    """The words of the amount that ends a line at the edge of a column, if the line has no other price or total."""
    labels = {page.best_label(word) for word in line}
    *_, (words, _value) = [((), None), *printed_numbers(page, line, style)]
    is_last = bool(words) and words[-1] == line[-1] and abs(page.page.words[words[-1]].box.x1 - edge) <= ALIGNED
    is_row = labels.isdisjoint(MONEY) and Label.LINE_DESCRIPTION in labels
    is_total = is_last and is_row and ends_in_decimals(page.text(words))
    return list(words) if is_total and _NO_ROWS.isdisjoint(page.captions(words).before) else []


def caption_over(box: Box, captions: Sequence[Caption]) -> Caption | None:
    """The caption above a cell; None if there is none, or if the cell is between two."""
    nearest, *others = sorted(captions, key=lambda column: (_gap(box, column.box), _offset(box, column.box)))
    gap = _gap(box, nearest.box)
    is_between = gap > 0 and bool(others) and _gap(box, others[0].box) < BETWEEN * gap
    return None if is_between or min(gap, _offset(box, nearest.box)) > ASIDE else nearest


def _gap(one: Box, other: Box) -> float:
    return max(0.0, one.x0 - other.x1, other.x0 - one.x1)


def _offset(one: Box, other: Box) -> float:
    return min(abs(one.x0 - other.x0), abs(one.x1 - other.x1), abs(one.x_center - other.x_center))


def _captioned(page: PageEvidence, region: Region, style: Style) -> Matrix:
    """The evidence of the page, weighted by the captions over the numbers of the region."""
    inside = page.inside.copy()
    for line in page.lines[region.start : region.stop]:
        runs = split_line(page.page, line, WORD_GAP)
        described = {word for run in runs if _is_described(page, run, region) for word in run}
        for word in described:
            inside[word] = _as_description(inside[word])
        for words, _ in printed_numbers(page, line, style):
            if described.issuperset(words):
                continue
            caption = caption_over(page.box(words), region.captions)
            if caption is not None and not _is_amid_words(page, line, words):
                bare = not any(map(str.isalpha, page.text(words)))
                for word in words:
                    inside[word] = _weighted(inside[word], caption, bare=bare)
    return inside


def _is_described(page: PageEvidence, run: Sequence[int], region: Region) -> bool:
    """Whether words are a text in the column of descriptions: the models say so of each, or they begin with a word
    under its caption, and end before the next one."""
    if len(run) < 2 or not any(map(str.isalpha, page.page.words[run[0]].text)):
        return False
    if all(page.best_label(word) is Label.LINE_DESCRIPTION for word in run):
        return True
    captions = sorted(region.captions, key=lambda caption: caption.box.x0)
    box = page.box(run)
    for caption, following in zip(captions, [*captions[1:], None], strict=True):
        if caption.meaning.labels == {Label.LINE_DESCRIPTION} and abs(box.x0 - caption.box.x0) < INDENTED:
            return following is None or box.x1 < following.box.x0
    return False


def _as_description(scores: Matrix) -> Matrix:
    """The scores of a word that is a part of a description: if it is a number, it is none of the row's."""
    kept = scores.copy()
    kept[_NUMBERS] /= CAPTIONED
    kept[_SUMS] /= CAPTIONED
    kept[_DESCRIPTION] = min(1.0, (scores[_DESCRIPTION] + 2 * MISSED) * CAPTIONED)
    result: Matrix = kept / max(1.0, float(kept.sum()))
    return result


def _is_amid_words(page: PageEvidence, line: Sequence[int], words: Sequence[int]) -> bool:
    """Whether a number has words of letters right before and after it, as within a description: "set of 3 lamps"."""
    first, last = line.index(words[0]), line.index(words[-1])
    if first == 0 or last + 1 == len(line):
        return False
    around = (line[first - 1], words[0]), (words[-1], line[last + 1])
    outer = (line[first - 1], line[last + 1])
    return all(is_beside(page.facts, *pair) for pair in around) and all(
        len(page.page.words[word].text) > 1 and page.page.words[word].text.isalpha() for word in outer
    )


def _weighted(scores: Matrix, caption: Caption, *, bare: bool) -> Matrix:
    """Bayes' rule, with the caption as evidence; the remainder to 1 is the probability of no label. A number with
    letters in it ("250g", not `bare`) may describe."""
    weighted = scores.copy()
    labels = caption.meaning.labels
    for label in NUMBERS:
        column = LABELS.index(label)
        weighted[column] = (scores[column] + MISSED) * CAPTIONED if label in labels else scores[column] / CAPTIONED
    if bare and Label.LINE_DESCRIPTION not in labels:
        weighted[_DESCRIPTION] /= CAPTIONED
    if Label.LINE_TOTAL in labels:
        # The document's sums are under it, too.
        weighted[_SUMS] *= CAPTIONED
    nothing = max(0.0, 1.0 - float(scores.sum()))
    result: Matrix = weighted / (float(weighted.sum()) + nothing)
    return result


def _numbers_of_rows(page: PageEvidence, region: Region, style: Style) -> Iterator[tuple[int, ...]]:
    """Numbers on lines that have at least one number that is likely to belong to a row."""
    for line in page.lines[region.start : region.stop]:
        if any(page.best_label(word) in NUMBERS for word in line):
            yield from (words for words, _ in printed_numbers(page, line, style))


def _is_of_one_kind(page: PageEvidence, words: Sequence[int]) -> bool:
    """Whether most words of a column carry the same label; prices above totals, as on a receipt, do not."""
    labels = np.argmax(page.inside[np.ix_(words, _NUMBERS)], axis=1)
    return int(np.bincount(labels).max()) >= ALIKE * len(words)


def _columns(page: PageEvidence, numbers: Iterable[Sequence[int]]) -> list[_Column]:
    columns: list[_Column] = []
    for words in numbers:
        box = page.box(words)
        column = next((column for column in columns if overlap(column.span, (box.x0, box.x1))), None)
        if column is None and len(columns) == _MOST:
            continue
        if column is None:
            column = _Column((box.x0, box.x1))
            columns.append(column)
        column.span = min(column.span[0], box.x0), max(column.span[1], box.x1)
        column.words.extend(words)
    return columns
