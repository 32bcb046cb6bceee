"""Cells: words of a line that stand together, apart from the rest of the line."""

from collections.abc import Iterator, Sequence

from serve_app.extraction.evidence import PageEvidence

# Words further apart than this many times the line's height belong to different cells.
APART = 1.5


def cells(page: PageEvidence) -> Iterator[tuple[int, ...]]:
    """The cells of a page, line by line, each as word indices."""
    for line in page.lines:
        yield from cells_of(page, line)


def cell_of(page: PageEvidence, word: int) -> tuple[int, ...]:
    """The cell that holds a word."""
    return next(cell for cell in cells_of(page, page.line_of(word)) if word in cell)


def cells_of(page: PageEvidence, line: Sequence[int], apart: float = APART) -> Iterator[tuple[int, ...]]:
    """The cells of one line, from left to right; words further `apart` than this many times their height are of
    different ones."""
    cell: list[int] = []
    for word in line:
        if cell and _is_apart(page, cell[-1], word, apart):
            yield tuple(cell)
            cell = []
        cell.append(word)
    if cell:
        yield tuple(cell)


def _is_apart(page: PageEvidence, left: int, right: int, apart: float) -> bool:
    one, other = page.page.words[left].box, page.page.words[right].box
    # Boxes are fractions of the page: heights are brought to the unit of widths.
    height = max(one.height, other.height) * page.page.height / page.page.width
    return other.x0 - one.x1 > apart * height
