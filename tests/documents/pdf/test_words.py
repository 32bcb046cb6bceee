"""Characters joined into words, by the gaps between them."""

import numpy as np

from serve_app.documents.pdf.characters import Characters
from serve_app.documents.pdf.words import join_words

WIDTH, HEIGHT = 600.0, 800.0
LETTER, SIZE = 8.0, 14.0


def words_of(written: str, gap: float) -> list[str]:
    """The words of a line whose letters are `gap` points apart; a space is one that PDFium put in, without width."""
    at, boxes = 60.0, []
    for character in written:
        width = 0.0 if character == " " else LETTER
        boxes.append((at / WIDTH, 100 / HEIGHT, (at + width) / WIDTH, (100 + SIZE) / HEIGHT))
        at += width + (0.0 if character == " " else gap)
    codes = np.array([ord(character) for character in written], np.uint32)
    separates = codes == ord(" ")
    baselines, is_odd = np.full(len(written), (100 + SIZE) / HEIGHT), np.zeros(len(written), bool)
    page = Characters(codes, np.array(boxes), baselines, np.arange(len(written)), separates, is_odd)
    return join_words(page, WIDTH, HEIGHT).texts


def test_a_word_whose_letters_are_set_apart_is_whole_where_spaces_were_put_in() -> None:
    assert words_of("C O L OMER", gap=2.7) == ["COLOMER"]
    assert words_of("N E T ZWE R K", gap=2.7) == ["NETZWERK"]


def test_words_of_letters_without_gaps_stay_apart() -> None:
    assert words_of("Rue du Port", gap=0.0) == ["Rue", "du", "Port"]
