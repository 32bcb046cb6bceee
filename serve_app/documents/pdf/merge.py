"""Merge two readings of a page: the words of its text layer, and those that only OCR sees."""

from dataclasses import replace

import numpy as np

from serve_app.documents.images.picture import Picture
from serve_app.documents.pdf.projection import Boxes
from serve_app.domain.document import Page, Word
from serve_app.domain.reading_order import reading_order

# An OCR word is new if less than this share of it lies under words of the text layer.
OVERLAP = 0.2


def without_words(picture: Picture, page: Page) -> Picture:
    """The picture of a page with the words of its text layer wiped out, so that OCR does not read them again."""
    height, width = picture.shape[:2]
    wiped = picture.copy()
    for word in page.words:
        x0, x1 = (int(side * width) for side in (word.box.x0, word.box.x1))
        y0, y1 = (int(side * height) for side in (word.box.y0, word.box.y1))
        wiped[y0 : y1 + 1, x0 : x1 + 1] = 255
    return wiped


def merged(layer: Page, ocr: Page) -> Page:
    """The layer's words, plus those of `ocr` in places where it has none, and its codes."""
    known = np.array([(word.box.x0, word.box.y0, word.box.x1, word.box.y1) for word in layer.words]).reshape(-1, 4)
    shown = [replace(word, box=ocr.shown(word.box)) for word in ocr.words]
    words = [*layer.words, *(word for word in shown if _covered(word, known) < OVERLAP)]
    order = reading_order([word.box for word in words])
    codes = tuple(replace(code, box=ocr.shown(code.box)) for code in ocr.codes)
    return replace(layer, words=tuple(words[position] for position in order), codes=codes)


def _covered(word: Word, known: Boxes) -> float:
    """The share of a word's box under `known` boxes."""
    low = np.maximum(known[:, :2], (word.box.x0, word.box.y0))
    high = np.minimum(known[:, 2:], (word.box.x1, word.box.y1))
    shared = (high - low).clip(0).prod(axis=1).sum()
    return float(shared / max(word.box.width * word.box.height, 1e-12))
