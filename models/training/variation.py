"""Variations of a real page, so that a few hundred documents can be seen many times without being learned by heart."""

import re
from dataclasses import replace
from random import Random

from models.training.labelled import Labelled, LabelledDocument
from serve_app.domain.document import Box, Document, Page, Word
from serve_app.domain.labels import OUTSIDE, UNKNOWN

# Dates and times keep their digits: others would make days and hours that do not exist.
_DATE_OR_TIME = re.compile(r"\d{1,4}([./:-])\d{1,2}(\1\d{1,4})?|(19|20)\d\d")
_MOST_LOST = 0.04
_SMALLEST = 0.85


def varied(labelled: Labelled, rng: Random) -> LabelledDocument:
    """The document with other digits, slightly moved and scaled, and without some unlabelled words.

    Equal numbers stay equal, so repeated sums still match; arithmetic no longer holds, but the token models do not
    look at it.
    """
    digits = _other_digits(rng)
    pages, tags = [], []
    for page, page_tags in zip(labelled.document.pages, labelled.tags, strict=True):
        page, page_tags = _thinned(page, page_tags, rng)
        move = _Move.draw(rng)
        words = tuple(replace(word, text=_redrawn(word.text, digits), box=move.of(word.box)) for word in page.words)
        pages.append(replace(page, words=words))
        tags.append(page_tags)
    return LabelledDocument(Document(tuple(pages)), tuple(tags))


def _other_digits(rng: Random) -> dict[int, int]:
    """A permutation of 1 to 9 for `str.translate`; 0 stays, so that round sums stay round."""
    return str.maketrans("123456789", "".join(rng.sample("123456789", 9)))


def _redrawn(text: str, digits: dict[int, int]) -> str:
    return text if _DATE_OR_TIME.search(text) else text.translate(digits)


def _thinned(page: Page, tags: tuple[str, ...], rng: Random) -> tuple[Page, tuple[str, ...]]:
    """The document without a few unlabelled words."""
    share = rng.uniform(0, _MOST_LOST)
    kept = [index for index, tag in enumerate(tags) if tag not in (OUTSIDE, UNKNOWN) or rng.random() >= share]
    words: tuple[Word, ...] = tuple(page.words[index] for index in kept)
    return replace(page, words=words), tuple(tags[index] for index in kept)


class _Move:
    """A change of scale and place that keeps every box on the page."""

    def __init__(self, x_scale: float, y_scale: float, x_shift: float, y_shift: float) -> None:
        self._scale = x_scale, y_scale
        self._shift = x_shift * (1 - x_scale), y_shift * (1 - y_scale)

    @classmethod
    def draw(cls, rng: Random) -> "_Move":
        return cls(rng.uniform(_SMALLEST, 1), rng.uniform(_SMALLEST, 1), rng.random(), rng.random())

    def of(self, box: Box) -> Box:
        (width, height), (right, down) = self._scale, self._shift
        return Box(box.x0 * width + right, box.y0 * height + down, box.x1 * width + right, box.y1 * height + down)
