"""Words of Arabic and Hebrew are whole and in reading order, however the file has their letters."""

import numpy as np
import pytest

from serve_app.documents.pdf.characters import Characters
from serve_app.documents.pdf.words import join_words
from tests.documents.html.reading import read

WIDTH, HEIGHT = 600.0, 800.0
Placed = tuple[str, float, float]
"""A letter, and where it begins and ends, in points from the left."""


def words_of(*placed: Placed) -> list[str]:
    """The words of letters in the file's order; a space without width is one that PDFium put in."""
    boxes = np.array([(x0 / WIDTH, 0.1, x1 / WIDTH, 0.12) for _, x0, x1 in placed])
    codes = np.array([ord(letter) for letter, *_ in placed], np.uint32)
    count, nothing = len(placed), np.zeros(len(placed), bool)
    return join_words(
        Characters(codes, boxes, np.full(count, 0.12), np.arange(count), codes == ord(" "), nothing), WIDTH, HEIGHT
    ).texts


def test_letters_in_either_order_are_read_from_the_right() -> None:
    logical = [("ש", 90, 97), ("ל", 82, 89), ("ו", 76, 81), ("ם", 66, 75)]
    assert words_of(*logical) == words_of(*reversed(logical)) == ["שלום"]


def test_pieces_that_no_space_separates_are_one_word() -> None:
    assert words_of(("ح", 60, 68), ("ا", 68.5, 71), ("و", 71.5, 77), ("ا", 81, 83), ("ل", 77.2, 81)) == ["الواح"]


@pytest.mark.parametrize(("width", "words"), [(0.0, ["شما"]), (4.0, ["ش", "ما"])])
def test_a_space_that_was_put_in_parts_no_letters_that_touch(width: float, words: list[str]) -> None:
    assert sorted(words_of(("ا", 60, 63), ("م", 63.1, 70), (" ", 70, 70 + width), ("ش", 70.2, 80))) == sorted(words)


def test_letters_of_a_ligature_keep_their_order() -> None:
    assert words_of(("س", 76, 86), ("ل", 70, 73), ("ا", 73, 76), ("م", 60, 69.5)) == ["سلام"]


def test_digits_and_latin_letters_keep_their_order() -> None:
    assert words_of(*((each, 60 + 6 * at, 66 + 6 * at) for at, each in enumerate("-2026-77CN"))) == ["-2026-77CN"]
    assert words_of(*((each, 60 + 6 * at, 66 + 6 * at) for at, each in enumerate("٤٤٧"))) == ["٤٤٧"]


def test_a_line_of_html_has_whole_words() -> None:
    words = sorted(read("<p dir=rtl>مؤسسة الواحة للتجارة").pages[0].words, key=lambda word: -word.box.x1)
    assert [word.text for word in words] == ["مؤسسة", "الواحة", "للتجارة"]
