"""Tills write quantity and price as a product, perhaps in one word."""

from collections.abc import Sequence

import pytest

from serve_app.extraction.notation.numbers import Style
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


class TestPriceFirst:
    @pytest.mark.parametrize("written", ["@98×2点", "98円 x 2", "¥98×2", "@ 98 x 2"])
    def test_a_sign_of_money_shows_which_number_is_the_price(self, written: str) -> None:
        lines: Lines = [[(5, f"Water|{D}"), (60, f"196|{T}")], [(8, written)]]
        assert numbers(rows_of(lines)) == [("Water", "2", "98")]

    def test_also_where_a_model_took_them_the_other_way_round(self) -> None:
        lines: Lines = [[(5, f"Water|{D}"), (30, f"98|{Q}"), (40, f"2|{U}"), (60, f"196|{T}")], [(8, "@98×2点")]]
        assert numbers(rows_of(lines)) == [("Water", "2", "98")]


class TestOthers:
    def test_a_measure_that_does_not_make_the_total_stays_in_the_name(self) -> None:
        lines: Lines = [[(5, f"Tile|{D} 30x60|{D} 2x1.50|{D}"), (60, f"3.00|{T}")]]
        assert numbers(rows_of(lines)) == [("Tile 30x60", "2", "1.50")]

    def test_a_row_that_was_read_keeps_its_numbers(self) -> None:
        cells = [(5, f"Sheet|{D} 1x6.00|{D}"), (40, f"3|{Q}"), (50, f"2.00|{U}"), (60, f"6.00|{T}")]
        assert numbers(rows_of([cells])) == [("Sheet 1x6.00", "3", "2.00")]


class TestColumns:
    @pytest.mark.parametrize("heads", [("Pieces", "Area m²"), ("Qty", "m²")])
    def test_of_pieces_and_area_side_by_side_the_one_that_is_priced_counts(self, heads: tuple[str, str]) -> None:
        head = [(5, "Description"), (35, heads[0]), (48, heads[1]), (65, "Price"), (85, "Amount")]
        priced = (("Oak", "12", "18.60", "42.50", "790.50"), ("Skirting", "30", "66.00", "6.20", "409.20"))
        rows: Lines = [
            [(5, f"{name}|{D}"), (35, f"{pieces}|{Q}"), (48, f"{area}|{Q}"), (65, f"{price}|{U}"), (85, f"{total}|{T}")]
            for name, pieces, area, price, total in priced
        ]
        assert numbers(rows_of([head, *rows])) == [("Oak", "18.60", "42.50"), ("Skirting", "66.00", "6.20")]

    def test_thousands_apart_by_a_blank_are_one_number(self) -> None:
        cells = [(5, f"Floor|{D}"), (40, f"12|{Q}"), (52, f"1|{U} 234,50|{U}"), (80, f"14|{T} 814,00|{T}")]
        assert numbers(rows_of([cells], style=Style.COMMA)) == [("Floor", "12", "1234.50")]
