"""Clean up what an engine took for words."""

from collections.abc import Sequence

from serve_app.documents.images.picture import Picture
from serve_app.documents.ocr.engine import SeenWord
from serve_app.domain.document import Box, Word

_LEAST_CONFIDENCE = 0.05
_LEAST_OF_SIGNS = 0.5
"""For a "word" without letters or digits: mostly rules, borders and specks."""
_FILL = "|_~=¦│─═—–-.·•*°'`\"“”‘’,:;^<>«»\\/()[]{}"
"""Characters that rules, frames and dirt are misread as."""


def clean(seen: Sequence[SeenWord], picture: Picture) -> list[Word]:
    """The words, with boxes in fractions of the picture; drops whatever is not a word."""
    words = [_word(line, text, picture) for line in seen for text in line.text.split() if _is_word(line, text)]
    return [word for word in words if word.box.width > 0 and word.box.height > 0]


def _is_word(seen: SeenWord, text: str) -> bool:
    if any(map(str.isalnum, text)):
        return seen.confidence >= _LEAST_CONFIDENCE
    is_rule = len(text) > 2 and all(character in _FILL for character in text)
    return seen.confidence >= _LEAST_OF_SIGNS and not is_rule


def _word(seen: SeenWord, text: str, picture: Picture) -> Word:
    height, width = picture.shape[:2]
    x0, x1 = (min(max(x / width, 0.0), 1.0) for x in (seen.x0, seen.x1))
    y0, y1 = (min(max(y / height, 0.0), 1.0) for y in (seen.y0, seen.y1))
    return Word(text, Box(x0, y0, x1, y1), min(max(seen.confidence, 0.0), 1.0))
