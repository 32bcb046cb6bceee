"""A text layer compared with the page's picture: a scanner may have misread digits, or a font be wrong about them."""

from collections.abc import Sequence
from dataclasses import replace

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.cut import cut_out
from serve_app.documents.ocr.engines import engine
from serve_app.documents.ocr.stopwatch import running
from serve_app.documents.options import OcrOptions
from serve_app.domain.document import DISPUTED, MOST_CONFLICTS, Conflict, ConflictKind, Page, Word

# What is cut out around a word, as a share of its height: descenders, but no ink of its neighbours.
_AROUND = 0.12
# A reading of the picture is believed from this confidence on; one of more or fewer digits may be a word cut in two.
_SURE = 0.6
_VERY_SURE = 0.9


def checked(page: Page, picture: Picture, options: OcrOptions, *, is_layer_likely: bool = True) -> Page:
    """The page, whose words with digits are as the picture shows them; where the layer has other digits, a word's
    confidence is `DISPUTED`. So it is, unless the layer is likely to be right, where the picture is not clear.
    Other digits of the picture that a word gets are a conflict."""
    places = [index for index, word in enumerate(page.words) if _digits(word.text)]
    with running():
        seen = engine(options).read_lines([cut_out(picture, page.words[index].box, _AROUND) for index in places])
    words, conflicts = list(page.words), list(page.conflicts)
    for index, (text, confidence) in zip(places, seen, strict=True):
        layer = words[index]
        words[index] = _compared(layer, _digits(text), confidence, is_layer_likely)
        if words[index].text != layer.text:
            conflicts.append(Conflict(ConflictKind.TEXT_LAYER, layer.box, words[index].text, layer.text))
    return replace(page, words=tuple(words), conflicts=tuple(conflicts[:MOST_CONFLICTS]))


def _compared(word: Word, seen: str, confidence: float, is_layer_likely: bool) -> Word:
    layer, disputed = _digits(word.text), replace(word, confidence=DISPUTED)
    if seen == layer:
        return word
    if not seen or confidence < _SURE:
        return word if is_layer_likely else disputed
    if len(seen) == len(layer):
        return replace(disputed, text=_with_digits(word.text, seen))
    return word if is_layer_likely and confidence < _VERY_SURE else disputed


def _digits(text: str) -> str:
    return "".join(character for character in text if character.isascii() and character.isdecimal())


def _with_digits(text: str, digits: Sequence[str]) -> str:
    """The text with other digits in the places of its own."""
    others = iter(digits)
    return "".join(next(others) if _digits(character) else character for character in text)
