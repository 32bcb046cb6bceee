"""The text layer that a scanner put under its picture, compared with the picture: digits of one may be misread."""

from collections.abc import Sequence
from dataclasses import replace

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.engines import engine
from serve_app.documents.ocr.stopwatch import running
from serve_app.documents.options import OcrOptions
from serve_app.domain.document import DISPUTED, Page, Word

# What is cut out around a word, as a share of its height: descenders, but no ink of its neighbours.
_AROUND = 0.12
# A reading of the picture is believed from this confidence on; one of more or fewer digits may be a word cut in two.
_SURE = 0.6
_VERY_SURE = 0.9


def checked(page: Page, picture: Picture, options: OcrOptions) -> Page:
    """The page, whose words with digits are as the picture shows them; where the layer has other digits, a word's
    confidence is `DISPUTED`."""
    places = [index for index, word in enumerate(page.words) if _digits(word.text)]
    with running():
        seen = engine(options).read_lines([_cut(picture, page.words[index]) for index in places])
    words = list(page.words)
    for index, (text, confidence) in zip(places, seen, strict=True):
        words[index] = _compared(words[index], _digits(text), confidence)
    return replace(page, words=tuple(words))


def _compared(word: Word, seen: str, confidence: float) -> Word:
    layer = _digits(word.text)
    if seen == layer or not seen or confidence < _SURE:
        return word
    if len(seen) == len(layer):
        return replace(word, text=_with_digits(word.text, seen), confidence=DISPUTED)
    return replace(word, confidence=DISPUTED) if confidence >= _VERY_SURE else word


def _digits(text: str) -> str:
    return "".join(character for character in text if character.isascii() and character.isdecimal())


def _with_digits(text: str, digits: Sequence[str]) -> str:
    """The text with other digits in the places of its own."""
    others = iter(digits)
    return "".join(next(others) if _digits(character) else character for character in text)


def _cut(picture: Picture, word: Word) -> Picture:
    height, width = picture.shape[:2]
    margin = _AROUND * word.box.height * height
    x0, x1 = word.box.x0 * width - margin, word.box.x1 * width + margin
    y0, y1 = word.box.y0 * height - margin, word.box.y1 * height + margin
    left, top = max(0, int(x0)), max(0, int(y0))
    return picture[top : max(top + 1, int(y1) + 1), left : max(left + 1, int(x1) + 1)]
