"""Numbers that a narrow column broke behind a dash: "DS-INV-2024-" and below it "40771285"."""

from collections.abc import Sequence

from serve_app.extraction.facts import PageFacts

# The next line is at most this far below, as a multiple of the height of its letters.
_BELOW = 2.2
# Between the two there are at most so many lines of other columns.
_LINES = 12


def whole_number(page: PageFacts, words: Sequence[int]) -> tuple[int, ...]:
    """The words of a line, with the line that goes on below them if they end in a dash, and with the one above that
    ends in a dash itself."""
    below = _next_line(page, words[-1]) if page.page.words[words[-1]].text.endswith("-") else None
    above = page.once(_broken).get(words[0])
    return (*(() if above is None else (above,)), *words, *(() if below is None else (below,)))


def _broken(page: PageFacts) -> dict[int, int]:
    """The words that go on with another one, each with that other one, which ends in a dash."""
    dashed = [index for index, word in enumerate(page.page.words) if len(word.text) > 1 and word.text.endswith("-")]
    found: dict[int, int] = {}
    for word in dashed:
        if (below := _next_line(page, word)) is not None:
            found.setdefault(below, word)
    return found


def _next_line(page: PageFacts, word: int) -> int | None:
    """The word with a digit right below another, with which it shares the left or the right edge; or that begins where
    the other one's cell does, if it is that cell's last word."""
    upper = page.page.words[word].box
    cell = page.cell_of(word)
    starts = {upper.x0, page.page.words[cell[0]].box.x0} if cell[-1] == word else {upper.x0}
    letter = upper.height * page.page.height / page.page.width
    row = page.row_of(word)
    for index in sorted(other for line in page.lines[max(row - 1, 0) : row + _LINES] for other in line):
        other = page.page.words[index]
        lower = other.box
        shares_edge = min(abs(lower.x1 - upper.x1), *(abs(lower.x0 - start) for start in starts)) < letter
        if lower.is_right_below(upper, _BELOW) and shares_edge and any(map(str.isdigit, other.text)):
            return index
    return None
