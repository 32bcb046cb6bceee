"""Which words describe a row of a table: beside its numbers, above them or below."""

import pytest

from tests.extraction.test_line_items import Cell, D, Q, T, U, item, rows_of


def test_a_description_belongs_to_the_row_it_is_nearer_to() -> None:
    lines = [
        [(5, f"Lamp|{D}")],
        [(5, f"A-1|{D}"), (50, f"2|{Q}"), (65, f"5.00|{U}")],
        [],
        [(5, f"Desk|{D}")],
        [(5, f"B-2|{D}"), (50, f"1|{Q}"), (65, f"9.00|{U}")],
    ]
    assert [row.description for row in rows_of(lines)] == ["Lamp A-1", "Desk B-2"]


def test_tills_print_what_was_sold_above_what_it_costs() -> None:
    def sold(text: str, quantity: str, price: str, total: str) -> list[list[Cell]]:
        return [[(5, f"{text}|{D}")], [(10, f"{quantity}|{Q} @ {price}|{U}"), (85, f"{total}|{T}")]]

    discount = [(10, "ANY 2 FOR 10"), (85, f"-1.90|{T}")]
    rows = rows_of(
        [
            *sold("Oats", "2", "5.95", "11.90"),
            discount,
            *sold("Kale", "1", "3.40", "3.40"),
            *sold("Bread", "3", "7.80", "23.40"),
        ]
    )
    assert [row.description for row in rows if row.numbers.quantity] == ["Oats", "Kale", "Bread"]


def test_a_note_below_an_item_is_not_that_of_the_next_one() -> None:
    def numbered(*cells: str) -> list[Cell]:
        return [(50, f"{cells[0]}|{Q}"), (65, f"{cells[1]}|{U}"), (85, f"{cells[2]}|{T}")]

    acid, sugar = [(5, f"Citric|{D} acid|{D}")], [(5, f"Sugar|{D} extra|{D}")]
    rows = rows_of(
        [numbered("100", "1.00", "100.00"), acid, [(5, f"Four~{D}")], [(5, f"Boxed|{D}")],
         numbered("50", "1.45", "72.50"), sugar, numbered("10", "2.00", "20.00"), [(5, f"Salt|{D}")]]
    )  # fmt: skip
    assert [row.description for row in rows] == ["Citric acid Boxed", "Sugar extra", "Salt"]


@pytest.mark.parametrize(("edge", "description"), [(5, "Gowns washed"), (12, "washed")])
def test_a_description_begins_where_those_of_the_other_rows_begin(edge: int, description: str) -> None:
    seen = [
        [(5, f"{name}|{D}"), (20, f"ironed|{D}"), *item("", "2", "1.00", "2.00")[1:]]
        for name in ("Sheets", "Towels", "Covers")
    ]
    unseen = [(edge, "Gowns"), (20, f"washed|{D}"), *item("", "3", "1.00", "3.00")[1:]]
    assert rows_of([*seen, unseen])[-1].description == description
