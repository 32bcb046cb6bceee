"""Digits that are printed smaller and higher than those before them are read in their raised form."""

import pytest
from PIL import Image, ImageDraw, ImageFont

from serve_app.documents.ocr.engine import SeenWord
from serve_app.documents.ocr.page import read_page
from serve_app.documents.ocr.raised import with_raised_digits
from serve_app.documents.options import ReadOptions
from serve_app.domain.document import DISPUTED
from tests.documents.images.printed import pixels, text_of

SIZE = 40
FONTS = ["DejaVuSans.ttf", "LiberationSerif-Regular.ttf", "DejaVuSansMono.ttf"]


def line_of(*parts: tuple[str, float, float], font: str = FONTS[0]) -> Image.Image:
    """A line of texts, each with its size and how far it is raised, as shares of the size of the font."""
    image = Image.new("L", (SIZE * 12, SIZE * 3), 255)
    draw, at = ImageDraw.Draw(image), float(SIZE)
    for text, share, rise in parts:
        letters = ImageFont.truetype(font, round(SIZE * share))
        draw.text((at, SIZE * (2 - rise)), text, font=letters, fill=0, anchor="ls")
        at += draw.textlength(text, font=letters) + 1
    return image


def read_as(text: str, image: Image.Image) -> SeenWord:
    """What becomes of the word that fills the picture, if an engine reads it so."""
    (word,) = with_raised_digits([SeenWord(text, 0, 0, image.width, image.height, 0.99)], pixels(image))
    return word


class TestRaisedDigits:
    @pytest.mark.parametrize("font", FONTS)
    @pytest.mark.parametrize("share", [0.45, 0.55, 0.62])
    def test_cents_and_footnote_marks_are_raised(self, font: str, share: float) -> None:
        raised = {"02": "614⁰²", "1": "614¹", "12": "614¹²", "3)": "614³)"}
        for digits, expected in raised.items():
            image = line_of(("614", 1, 0), (digits, share, 0.33), font=font)
            assert read_as(f"614{digits}", image).text == expected

    def test_a_number_of_which_a_part_was_read_as_raised_is_completed(self) -> None:
        image = line_of(("614", 1, 0), ("02", 0.55, 0.33))
        assert {read_as(text, image).text for text in ("61402", "614⁰2", "614º²", "614⁰²")} == {"614⁰²"}

    @pytest.mark.parametrize("font", FONTS)
    @pytest.mark.parametrize("text", ["614.02", "5,868.00", "2025-01-31", "INV-0815", "1'204", "111", "4711/07"])
    def test_digits_on_the_line_stay(self, font: str, text: str) -> None:
        word = read_as(text, line_of((text, 1, 0), font=font))
        assert (word.text, word.confidence) == (text, 0.99)

    @pytest.mark.parametrize(("share", "rise"), [(0.6, 0.0), (0.6, -0.1), (1.0, 0.1), (0.9, 0.05)])
    def test_digits_that_are_only_small_or_only_high_stay(self, share: float, rise: float) -> None:
        assert read_as("61402", line_of(("614", 1, 0), ("02", share, rise))).text == "61402"

    def test_digits_that_stand_out_above_the_line_are_raised_whatever_their_size(self) -> None:
        word = read_as("6141", line_of(("614", 1, 0), ("1", 0.85, 0.35)))
        assert (word.text, word.confidence) == ("614¹", DISPUTED)

    def test_the_edges_of_other_words_and_lines_are_no_digits(self) -> None:
        image = line_of(("19,00 €", 1, 0))
        image.paste(0, (40, 0, 60, 8))
        word, *_ = with_raised_digits([SeenWord("19,00", 30, 0, 168, image.height, 0.99)], pixels(image))
        assert (word.text, word.confidence) == ("19,00", 0.99)

    def test_a_digit_of_which_the_lower_half_is_faded_stays(self) -> None:
        image = line_of(("614.08", 1, 0))
        image.paste(255, (image.width // 2 - 140, 72, image.width, image.height))
        assert read_as("614.08", image).text == "614.08"

    def test_digits_that_may_be_raised_are_not_certain(self) -> None:
        word = read_as("61402", line_of(("614", 1, 0), ("02", 0.75, 0.2)))
        assert (word.text, word.confidence) == ("61402", DISPUTED)

    def test_letters_before_a_raised_digit_are_no_number(self) -> None:
        assert read_as("Ltd3", line_of(("Ltd", 1, 0), ("3", 0.55, 0.33))).text == "Ltd3"

    def test_an_empty_picture_has_none(self) -> None:
        assert read_as("614", Image.new("L", (80, 30), 255)).text == "614"

    def test_a_page_is_read_with_its_raised_cents(self) -> None:
        image = line_of(("614", 1, 0), ("02", 0.6, 0.29), font=FONTS[1])
        page = read_page(pixels(image), 1, 100.0, 25.0, ReadOptions())
        assert text_of(page) == "614⁰²"
