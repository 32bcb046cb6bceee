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


@pytest.mark.parametrize(("second", "words"), [("B", ["AA", "BB"]), ("b", ["AAbb"])])
def test_more_white_than_usual_before_a_capital_parts_words(second: str, words: list[str]) -> None:
    picture = PICTURE.copy()
    # Letters 8 pixels wide and high, one pixel apart, and four between the words.
    starts = (10, 19, 31, 40)
    for start in starts:
        picture[6:14, start : start + 8] = 0
    letters = [
        Letter(text, position=(at + 4) / 100, confidence=0.9)
        for text, at in zip(f"AA{second}{second}", starts, strict=True)
    ]
    assert [word.text for word in words_of_line(QUAD, picture, letters)] == words


def _letters(text: str) -> list[Letter]:
    return [
        Letter(character, position=(index + 0.5) / len(text), confidence=0.9) for index, character in enumerate(text)
    ]
