"""A document as the models see it: pages of words with boxes."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from serve_app.domain.einvoice import EInvoice
from serve_app.domain.einvoice_validation import Validation

# Row by row: (x', y', w') = matrix · (x, y, 1), then x = x'/w', y = y'/w'.
Homography = tuple[float, float, float, float, float, float, float, float, float]
DISPUTED = 0.4
"""The confidence of a word of which the file has two versions: too low for a value that is certain."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in fractions (0 to 1) of its page, measured from the page's top-left corner."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def x_center(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def y_center(self) -> float:
        return (self.y0 + self.y1) / 2

    def shares_column(self, other: "Box") -> bool:
        """Whether a part of the page's width belongs to both: one may be above the other."""
        return self.x0 < other.x1 and other.x0 < self.x1

    def is_right_below(self, upper: "Box", heights: float) -> bool:
        """Whether another box is above this one, by less than so many heights of the higher one."""
        return 0 < self.y_center - upper.y_center < heights * max(upper.height, self.height)


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box that contains all of `boxes`, which must not be empty."""
    first, *others = boxes
    x0, y0, x1, y1 = first.x0, first.y0, first.x1, first.y1
    # Conditions take a fourth of the time of `min`, and boxes are joined often.
    for box in others:
        x0 = box.x0 if box.x0 < x0 else x0
        y0 = box.y0 if box.y0 < y0 else y0
        x1 = box.x1 if box.x1 > x1 else x1
        y1 = box.y1 if box.y1 > y1 else y1
    return Box(x0, y0, x1, y1)


@dataclass(frozen=True, slots=True)
class Word:
    """One printed word, without white space. `confidence` (0 to 1) is the reader's; it is 1 for a text layer."""

    text: str
    box: Box
    confidence: float = 1.0


class TextSource(StrEnum):
    """Where the words of a page come from."""

    TEXT_LAYER = "text_layer"
    OCR = "ocr"


@dataclass(frozen=True, slots=True)
class PrintedCode:
    """A machine-readable code on a page, such as a QR code: the text that it encodes, and where it is."""

    text: str
    box: Box


class ConflictKind(StrEnum):
    """`replaced`: an earlier version of the file showed other digits. `added`: an earlier version did not show it.
    `text_layer`: the text layer has other digits than the picture."""

    REPLACED = "replaced"
    ADDED = "added"
    TEXT_LAYER = "text_layer"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A word of which the file has two versions: `text` is the one that the page shows, `other` is the other one, None
    if it is unknown."""

    kind: ConflictKind
    box: Box
    text: str
    other: str | None = None


MOST_CONFLICTS = 100
"""Of one page."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page, upright. `number` is 1-based; `width` and `height` are in points; words are in reading order.

    A page that was rotated or straightened before it was read has `to_shown`: it maps fractions of this upright page to
    fractions of the page as its file shows it. `picture` (PNG) is set only while a model that looks at pages reads. A
    page that `runs_on` begins only because the one before is full, not because its author began one: HTML has no pages.
    """

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    source: TextSource = TextSource.TEXT_LAYER
    to_shown: Homography | None = None
    picture: bytes | None = field(default=None, repr=False)
    codes: tuple[PrintedCode, ...] = ()
    runs_on: bool = False
    conflicts: tuple[Conflict, ...] = ()

    def shown(self, box: Box) -> Box:
        """The box on the page as its file shows it: the smallest upright one that contains all four corners."""
        if self.to_shown is None:
            return box
        corners = [_project(self.to_shown, x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
        xs, ys = [min(max(x, 0.0), 1.0) for x, _ in corners], [min(max(y, 0.0), 1.0) for _, y in corners]
        return Box(min(xs), min(ys), max(xs), max(ys))


def _project(matrix: Homography, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f, g, h, i = matrix
    scale = g * x + h * y + i
    return (a * x + b * y + c) / scale, (d * x + e * y + f) / scale


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a document was read from: the key of the stored file, and its pages (1-based, inclusive), if not all."""

    file_key: str
    pages: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """All pages of one file, and its electronic invoice. `origin` allows a page to be read again.

    `is_einvoice`: the file is the electronic invoice itself, and the pages were made from it; else it is embedded.
    """

    pages: tuple[Page, ...]
    einvoice: EInvoice | None = None
    origin: Origin | None = None
    is_einvoice: bool = False
    validation: Validation | None = None
    """What published rules say of the electronic invoice; None if they were not asked."""

    @property
    def has_text(self) -> bool:
        return any(page.words for page in self.pages)

    def section(self, first: int, last: int) -> "Document":
        """The pages from `first` to `last` (1-based, inclusive) as a document of their own, numbered from 1.

        An embedded e-invoice describes its file as a whole, so a section has none.
        """
        return Document(
            tuple(replace(page, number=number) for number, page in enumerate(self.pages[first - 1 : last], 1))
        )
