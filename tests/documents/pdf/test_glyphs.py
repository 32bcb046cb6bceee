"""Digits that are set higher than what they follow are no digits of the number, and leaders are no part of words."""

import numpy as np
import pytest
from reportlab.pdfgen.canvas import Canvas

from serve_app.documents.pdf.glyphs import raised_digits
from tests.documents.pdf.test_text import texts_of
from tests.support.pdfs import drawn


def line_of(*parts: tuple[str, float, float]) -> bytes:
    """A line of texts, each with its font size and how far it is raised, in points."""

    def draw(canvas: Canvas) -> None:
        at = 72.0
        for text, size, rise in parts:
            canvas.setFont("Helvetica", size)
            canvas.drawString(at, 700 + rise, text)
            at += canvas.stringWidth(text, "Helvetica", size)

    return drawn(draw)


@pytest.mark.parametrize(("size", "rise"), [(5, 5), (6, 4), (7, 4), (9, 4), (10, 4)])
def test_digits_that_are_raised_have_the_raised_form(size: float, rise: float) -> None:
    assert texts_of(line_of(("Total 614", 10, 0), ("02", size, rise), (" USD", 10, 0))) == ["Total", "614⁰²", "USD"]
    assert texts_of(line_of(("Total 5.00", 10, 0), ("1", size, rise))) == ["Total", "5.00¹"]


@pytest.mark.parametrize(("size", "rise"), [(7, 0), (10, 0), (12, 0), (7, -2), (10, 1)])
def test_digits_of_another_size_on_the_line_are_part_of_the_number(size: float, rise: float) -> None:
    assert texts_of(line_of(("Total 614", 10, 0), (".02", size, rise))) == ["Total", "614.02"]


@pytest.mark.parametrize(("rise", "raised"), [(0.0, False), (4.0, True)])
def test_digits_behind_a_font_with_tall_lines_are_raised_by_their_baseline_only(rise: float, raised: bool) -> None:
    hyphen, digit = (0.0, 80.0, 4.0, 100.0), (4.0, 84.0 - rise, 9.0, 95.0 - rise)
    baselines = np.array([95.0, 95.0 - rise])
    found = raised_digits(np.array([ord("-"), ord("2")], np.uint32), np.array([hyphen, digit]), baselines)
    assert found.tolist() == [False, raised]


def test_letters_that_are_raised_stay_letters() -> None:
    assert texts_of(line_of(("May 12", 10, 0), ("th", 6, 4), (" 2025", 10, 0))) == ["May", "12th", "2025"]


def test_leaders_part_a_caption_from_its_amount() -> None:
    assert texts_of(line_of((f"Subtotal{'.' * 40}312.80", 10, 0))) == ["Subtotal", "312.80"]
    assert texts_of(line_of((f"Subtotal{' .' * 20} $312.80", 10, 0))) == ["Subtotal", "$312.80"]
    assert texts_of(line_of((f"Tip{'_' * 12}9.40", 10, 0))) == ["Tip", "9.40"]


def test_dots_and_lines_without_an_amount_stay() -> None:
    assert texts_of(line_of(("and so on... Signed ________", 10, 0))) == ["and", "so", "on...", "Signed", "________"]
