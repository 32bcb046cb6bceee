"""Characters joined into words, by the gaps between them."""

import numpy as np

from serve_app.documents.pdf.characters import Characters
from serve_app.documents.pdf.words import join_words

WIDTH, HEIGHT = 600.0, 800.0
LETTER, SIZE = 8.0, 14.0


def words_of(written: str, gap: float) -> list[str]:
    """The words of a line whose letters are `gap` points apart; a space is one that PDFium put in, without width, and
    a bar one that it dropped, narrowed by kerning."""
    at, boxes = 60.0, []
    kept = written.replace("|", "")
    for before, character in zip(" " + written, written, strict=False):
        if character == "|":
            continue
        at += 1.9 if before == "|" else 0.0
        width = 0.0 if character == " " else LETTER
        boxes.append((at / WIDTH, 100 / HEIGHT, (at + width) / WIDTH, (100 + SIZE) / HEIGHT))
        at += width + (0.0 if character == " " else gap)
    codes = np.array([ord(character) for character in kept], np.uint32)
    separates = codes == ord(" ")
    baselines, is_odd = np.full(len(kept), (100 + SIZE) / HEIGHT), np.zeros(len(kept), bool)
    page = Characters(codes, np.array(boxes), baselines, np.arange(len(kept)), separates, is_odd)
    return join_words(page, WIDTH, HEIGHT).texts


def test_a_word_whose_letters_are_set_apart_is_whole_where_spaces_were_put_in() -> None:
    assert words_of("C O L OMER", gap=2.7) == ["COLOMER"]
    assert words_of("N E T ZWE R K", gap=2.7) == ["NETZWERK"]


def test_words_of_letters_without_gaps_stay_apart() -> None:
    assert words_of("Rue du Port", gap=0.0) == ["Rue", "du", "Port"]


def test_a_lone_gap_between_letters_that_touch_is_a_space() -> None:
    assert words_of("CASA|AZUL", gap=0.0) == ["CASA", "AZUL"]
    assert words_of("A|AGUA", gap=0.0) == ["A", "AGUA"]


def test_a_narrow_gap_between_digits_groups_thousands() -> None:
    assert words_of("12|500", gap=0.0) == ["12500"]


def test_gaps_between_letters_that_do_not_touch_are_no_spaces() -> None:
    assert words_of("CASA|AZUL", gap=0.8) == ["CASAAZUL"]
