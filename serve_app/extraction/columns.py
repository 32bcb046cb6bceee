"""The columns of a table: cells under one another mean the same, so each cell borrows from its column."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from serve_app.domain.labels import Label
from serve_app.extraction.evidence import PageEvidence
from serve_app.extraction.numbers import Style, parse_number

NUMBERS = (Label.LINE_QUANTITY, Label.LINE_UNIT_PRICE, Label.LINE_TOTAL)
# Cells stand under one another when they share this much of the narrower one's width.
OVERLAP = 0.5
# How much of a cell's evidence comes from its column.
BORROWED = 0.5


@dataclass(slots=True)
class _Column:
    """Words under one another; `x0` and `x1` hold all of them."""

    x0: float
    x1: float
    words: list[int] = field(default_factory=list)

    def holds(self, x0: float, x1: float) -> bool:
        shared = min(self.x1, x1) - max(self.x0, x0)
        return shared > OVERLAP * min(self.x1 - self.x0, x1 - x0)


def with_columns(page: PageEvidence, style: Style) -> PageEvidence:
    """The page's evidence with the numbers of table rows averaged with their columns'."""
    inside = page.inside.copy()
    for column in _columns(page, _numbers_of_rows(page, style)):
        if len(column.words) > 1:
            mean = page.inside[column.words].mean(axis=0)
            inside[column.words] = (1 - BORROWED) * page.inside[column.words] + BORROWED * mean
    return replace(page, inside=inside)


def _numbers_of_rows(page: PageEvidence, style: Style) -> list[int]:
    """Words that are numbers, on lines with a number that a model takes for a row's."""
    return [
        word
        for line in page.lines
        if any(page.best_label(word) in NUMBERS for word in line)
        for word in line
        if parse_number(page.page.words[word].text, style) is not None
    ]


def _columns(page: PageEvidence, words: Sequence[int]) -> list[_Column]:
    columns: list[_Column] = []
    for word in words:
        box = page.page.words[word].box
        column = next((one for one in columns if one.holds(box.x0, box.x1)), None)
        if column is None:
            column = _Column(box.x0, box.x1)
            columns.append(column)
        column.x0, column.x1 = min(column.x0, box.x0), max(column.x1, box.x1)
        column.words.append(word)
    return columns
