"""Cells: words of a line that stand together, apart from the rest of the line."""

from collections.abc import Iterator, Sequence

from serve_app.domain.document import Page

# Words further apart than this many times the line's height belong to different cells.
APART = 1.5


def split_line(page: Page, line: Sequence[int], apart: float = APART) -> Iterator[tuple[int, ...]]:
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


def _is_apart(page: Page, left: int, right: int, apart: float) -> bool:
    one, other = page.words[left].box, page.words[right].box
    # Boxes are fractions of the page: heights are brought to the unit of widths.
    height = max(one.height, other.height) * page.height / page.width
    return other.x0 - one.x1 > apart * height
