"""A document as the models see it: pages of words with boxes."""

from collections.abc import Iterable
from dataclasses import dataclass


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


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all of `boxes`, of which there is at least one."""
    every = list(boxes)
    return Box(
        min(box.x0 for box in every),
        min(box.y0 for box in every),
        max(box.x1 for box in every),
        max(box.y1 for box in every),
    )


@dataclass(frozen=True, slots=True)
class Word:
    """One printed word: no white space inside. `confidence` (0 to 1) is the reader's, 1 for a text layer."""

    text: str
    box: Box
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Page:
    """One page. `number` is 1-based; `width` and `height` are in points; words are in reading order."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """All pages of one file."""

    pages: tuple[Page, ...]

    @property
    def has_text(self) -> bool:
        return any(page.words for page in self.pages)
