"""Visible words that stand in one place."""

import pytest

from serve_app.documents.options import ReadOptions
from serve_app.documents.pdf import read_pdf
from serve_app.documents.pdf.overlaps import with_overlaps_disputed
from serve_app.domain.document import DISPUTED, Box, Word
from tests.support.pdfs import page_of


def disputed(content: str) -> set[str]:
    (page,) = read_pdf(page_of(content), ReadOptions()).pages
    return {word.text for word in page.words if word.confidence == DISPUTED}


def at(x: float, y: float, text: str, size: int = 12) -> str:
    return f"0 g BT /F1 {size} Tf {x} {y} Td ({text}) Tj ET "


def cover(x: float, width: float) -> str:
    return f"1 g {x} 697 {width} 14 re f "


LINE = at(60, 730, "Invoice 2024-117") + at(60, 700, "Date")


class TestValuesInOnePlace:
    def test_cover_that_leaves_a_digit_of_the_old_date_disputes_both(self) -> None:
        assert disputed(LINE + at(100, 700, "13.05.2024") + cover(107, 70) + at(104, 700, "27.06.2025")) == {
            "13.05.2024",
            "27.06.2025",
        }

    def test_new_value_a_little_above_the_old_one_disputes_both(self) -> None:
        assert disputed(LINE + at(100, 700, "1,450.00") + at(100, 702, "9,820.00")) >= {"1,450.00"}

    def test_text_over_a_value_disputes_the_value(self) -> None:
        assert "1,450.00" in disputed(LINE + at(100, 700, "1,450.00") + at(103, 701, "settled"))


class TestUsualPages:
    def test_value_over_a_hidden_one_is_not_disputed(self) -> None:
        assert disputed(LINE + at(100, 700, "13.05.2024") + cover(98, 80) + at(100, 700, "27.06.2025")) == set()

    def test_value_printed_twice_is_not_disputed(self) -> None:
        assert disputed(LINE + at(100, 700, "1,450.00") + at(100.6, 700, "1,450.00")) == set()

    def test_stamp_across_a_value_does_not_dispute_it(self) -> None:
        assert disputed(LINE + at(100, 700, "1,450.00") + at(90, 696, "PAID 4", size=40)) == set()

    @pytest.mark.parametrize("step", [9, 14])
    def test_lines_that_touch_are_not_disputed(self, step: int) -> None:
        assert disputed(LINE + at(100, 700, "1,450.00") + at(100, 700 - step, "9,820.00")) == set()


class TestLimits:
    def test_no_words(self) -> None:
        assert with_overlaps_disputed([]) == []

    def test_tall_word_beside_many_costs_little(self) -> None:
        words = [Word("7", Box(0.1, row / 9000, 0.2, row / 9000 + 0.0001)) for row in range(9000)]
        tall = Word("8", Box(0, 0, 1, 1))
        assert with_overlaps_disputed([tall, *words]) == [tall, *words]
