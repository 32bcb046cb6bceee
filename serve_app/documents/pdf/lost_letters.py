"""Letters that are drawn but have no meaning in the file: subset fonts sometimes leave one out of their map."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.cut import cut_out
from serve_app.documents.ocr.engines import engine
from serve_app.documents.ocr.stopwatch import running
from serve_app.documents.options import OcrOptions
from serve_app.domain.document import DISPUTED, Page, Word

LOST = "\ufffd"
"""Stands for such a letter in a word."""
_AROUND = 0.12
# A picture is believed from this confidence on.
_SURE = 0.6
# A font may draw two letters as one glyph.
_MOST_LETTERS = 3


def has_lost_letters(page: Page) -> bool:
    """Whether a word lacks one of its letters."""
    return any(LOST in word.text for word in page.words)


def without_lost_letters(page: Page) -> Page:
    """The page, whose words without all their letters are `DISPUTED`."""
    return _with_words(page, _disputed)


def with_letters_of(picture: Picture, page: Page, options: OcrOptions) -> Page:
    """The page with the lost letters as its picture shows them, where that shows the others as the file has them;
    elsewhere as `without_lost_letters`."""
    with running():
        return _with_words(page, partial(_seen, picture, options))


def _with_words(page: Page, found: Callable[[Word], Word]) -> Page:
    return replace(page, words=tuple(found(word) if LOST in word.text else word for word in page.words))


def _disputed(word: Word) -> Word:
    return replace(word, text=word.text.replace(LOST, ""), confidence=DISPUTED)


def _seen(picture: Picture, options: OcrOptions, word: Word) -> Word:
    ((text, confidence),) = engine(options).read_lines([cut_out(picture, word.box, _AROUND)])
    letters = "".join(text.split())
    fits = "".join(f"(?:.{{1,{_MOST_LETTERS}}})" if letter == LOST else re.escape(letter) for letter in word.text)
    if confidence < _SURE or not re.fullmatch(fits, letters):
        return _disputed(word)
    return replace(word, text=letters, confidence=confidence)
