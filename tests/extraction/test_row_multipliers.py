"""Tills write quantity and price as a product, perhaps in one word."""

from collections.abc import Sequence

import pytest

from serve_app.extraction.numbers import Style
from serve_app.extraction.tables.line_items import Row
from tests.extraction.test_line_items import D, Lines, Q, T, U, rows_of


def numbers(rows: Sequence[Row]) -> list[tuple[str | None, str, str]]:
    return [(row.description, str(row.numbers.quantity), str(row.numbers.unit_price)) for row in rows]


@pytest.mark.parametrize(
    ("written", "quantity", "price", "total"),
    [
        ("1szt*5,69=", "1", "5.69", "5,69"),
        ("2szt.*3,49=", "2", "3.49", "6,98"),
        ("2x1,50", "2", "1.50", "3,00"),
        ("4 x 98,58", "4", "98.58", "394,32"),
        ("3 Stk × 2,10", "3", "2.10", "6,30"),
        ("0,845kg*4,99=", "0.845", "4.99", "4,22"),
        ("2 @ €1,50", "2", "1.50", "3,00"),
    ],
)
class TestProducts:
    def test_behind_a_name_it_is_the_rows(self, written: str, quantity: str, price: str, total: str) -> None:
        described = " ".join(f"{word}|{D}" for word in ("Rye", "bread", *written.split()))
        lines: Lines = [[(5, described), (60, f"{total}|{T}")], [(5, f"Salt|{D}"), (60, f"7,77|{T}")]]
        bread, salt = numbers(rows_of(lines, style=Style.COMMA))
        assert bread == ("Rye bread", quantity, price)
        assert salt == ("Salt", "None", "7.77")

    def test_on_the_line_below_it_is_the_rows(self, written: str, quantity: str, price: str, total: str) -> None:
        lines: Lines = [[(5, f"Rye|{D} bread|{D}"), (60, f"{total}|{T}")], [(8, written)]]
        assert numbers(rows_of(lines, style=Style.COMMA)) == [("Rye bread", quantity, price)]


class TestOthers:
    def test_a_measure_that_does_not_make_the_total_stays_in_the_name(self) -> None:
        lines: Lines = [[(5, f"Tile|{D} 30x60|{D} 2x1.50|{D}"), (60, f"3.00|{T}")]]
        assert numbers(rows_of(lines)) == [("Tile 30x60", "2", "1.50")]

    def test_a_row_that_was_read_keeps_its_numbers(self) -> None:
        cells = [(5, f"Sheet|{D} 1x6.00|{D}"), (40, f"3|{Q}"), (50, f"2.00|{U}"), (60, f"6.00|{T}")]
        assert numbers(rows_of([cells])) == [("Sheet 1x6.00", "3", "2.00")]
