"""Words made of the characters of a line."""

import numpy as np
import pytest

from serve_app.documents.ocr.recognition import Letter
from serve_app.documents.ocr.words import words_of_line

QUAD = np.array([[0, 0], [100, 0], [100, 20], [0, 20]], dtype=np.float32)
PICTURE = np.full((20, 100, 3), 255, dtype=np.uint8)


@pytest.mark.parametrize("text", ["", " ", "   "])
def test_a_line_without_characters_has_no_words(text: str) -> None:
    assert words_of_line(QUAD, PICTURE, _letters(text)) == []


def test_spaces_around_the_text_belong_to_no_word() -> None:
    assert [word.text for word in words_of_line(QUAD, PICTURE, _letters(" No 7 "))] == ["No", "7"]


def _letters(text: str) -> list[Letter]:
    return [Letter(character, 0.9, (index + 0.5) / len(text)) for index, character in enumerate(text)]
