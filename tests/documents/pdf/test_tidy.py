"""Words of a text layer as a person reads them."""

from collections.abc import Sequence

from serve_app.documents.pdf.tidy import tidy
from serve_app.domain.document import Box, Word

WIDTH, HEIGHT = 600.0, 800.0


def line(*parts: tuple[str, float]) -> list[Word]:
    """Words of height 10 and of 5 a letter, each with the gap after it."""
    words, x = [], 50.0
    for text, gap in parts:
        end = x + 5 * len(text)
        words.append(Word(text, Box(x / WIDTH, 100 / HEIGHT, end / WIDTH, 110 / HEIGHT)))
        x = end + gap
    return words


def tidied(words: Sequence[Word]) -> list[str]:
    return [word.text for word in tidy(words, WIDTH, HEIGHT)]


def test_a_word_that_kerning_split_is_whole() -> None:
    words = line(("Das", 2.8), ("Taxiunter", 1.1), ("nehmen", 2.8), ("fährt", 2.8), ("Gäste", 0))
    (_, joined, *_) = tidy(words, WIDTH, HEIGHT)
    assert tidied(words) == ["Das", "Taxiunternehmen", "fährt", "Gäste"]
    assert (joined.box.x0, joined.box.x1) == (words[1].box.x0, words[2].box.x1)


def test_words_that_stand_close_everywhere_stay_apart() -> None:
    assert tidied(line(("tight", 1.1), ("lines", 1.2), ("stay", 1.1), ("readable", 0))) == [
        *("tight", "lines", "stay", "readable")
    ]


def test_names_and_numbers_that_nearly_touch_stay_apart() -> None:
    words = line(("Mr.", 1.0), ("Dunn", 3), ("owes", 3), ("EUR", 1.0), ("12", 1.0), ("today", 0))
    assert tidied(words) == ["Mr.", "Dunn", "owes", "EUR", "12", "today"]
