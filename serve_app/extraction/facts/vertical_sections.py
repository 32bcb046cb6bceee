"""What stands beside a heading of a party that is set vertically: its section, and the name that the section shows."""

from collections.abc import Iterator, Sequence
from itertools import chain

from serve_app.domain.document import Box
from serve_app.extraction.facts.page import PageFacts, Words
from serve_app.extraction.knowledge import WordPattern
from serve_app.extraction.parties.legal_forms import is_only_legal_form

# A section reaches so much further up and down than its heading, as a share of the heading's height.
_REACH = 0.5
# The caption of a name, in one word with it, and by itself: "名称:阿克米有限公司", "상호:", "상호(법인명)".
_CAPTION_AND_NAME = WordPattern(r"{names.captions}[:：]\S")
_CAPTION = WordPattern(r"{names.captions}(?:[:：]?$|[(（])")
# A caption in two or three lines has its name beside any of them.
_CAPTION_LINES = 2
_PERSON = WordPattern(r"{parties.person}[:：]?")


def label_beside(page: PageFacts, words: Sequence[int]) -> Words:
    """The vertical heading in whose section some words stand; empty if they are in none."""
    if any(words[0] in label for label in page.vertical_labels):
        return ()
    box = page.box(words)
    left = (label for label in page.vertical_labels if _is_beside(page.box(label), box))
    return max(left, key=lambda label: page.box(label).x0, default=())


def _is_beside(label: Box, box: Box) -> bool:
    reach = _REACH * label.height
    return box.x0 > label.x_center and label.y0 - reach < box.y_center < label.y1 + reach


def first_row(page: PageFacts, label: Words) -> int:
    """The index of the first line of a vertical heading's section."""
    return next((page.row_of(line[0][0]) for line in _lines(page, label)), page.row_of(label[0]))


def name_beside(page: PageFacts, label: Words) -> Words:
    """The name that the section of a vertical heading shows behind or beside a caption."""
    lines = list(_lines(page, label))
    for row, line in enumerate(lines):
        for at, cell in enumerate(line):
            first = page.text(cell[:1])
            if _CAPTION_AND_NAME.match(first):
                return cell
            if _CAPTION.match(first):
                below = chain(*lines[row + 1 : row + 1 + _CAPTION_LINES])
                right = (other for other in below if page.box(other).x0 > page.box(cell).x1)
                names = (_name_in(page, words) for words in (cell[1:], *line[at + 1 :], *right))
                return next(filter(None, names), ())
    return ()


def _lines(page: PageFacts, label: Words) -> Iterator[tuple[Words, ...]]:
    """The cells of a section, line by line."""
    lines = (tuple(cell for cell in cells if label_beside(page, cell) == label) for cells in page.cells_by_row)
    return filter(None, lines)


def _name_in(page: PageFacts, words: Words) -> Words:
    """Words without what goes on with a caption before a name, and without a person's behind it."""
    texts = [page.page.words[word].text for word in words]
    start = next((at for at, text in enumerate(texts) if not _is_bracketed(text)), len(texts))
    end = next((at for at in range(start, len(texts)) if _PERSON.fullmatch(texts[at])), len(texts))
    return words[start:end]


def _is_bracketed(text: str) -> bool:
    return text[:1] in "(（" and text[-1:] in ")）" and not is_only_legal_form(text)
