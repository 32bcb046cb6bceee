"""Which rows are kept, left out or added so that a table adds up to what the document prints."""

from decimal import Decimal

from serve_app.extraction.candidates.candidate import Place
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.tables.line_items import all_rows, drop_non_items
from serve_app.extraction.tables.missing_rows import with_missing_rows
from serve_app.extraction.tables.row_numbers import RowNumbers
from serve_app.extraction.tables.row_selection import rows_of_sum
from serve_app.extraction.tables.rows import Row
from tests.extraction.test_line_items import D, Lines, T, evidence_of


def row(text: str | None, total: str | None, quantity: str | None = None, price: str | None = None) -> Row:
    numbers = [None if number is None else Decimal(number) for number in (quantity, price, total)]
    return Row(text, RowNumbers(*numbers), Place(0, ()))


def kept(rows: list[Row], *sums: str) -> list[str | None]:
    return [each.description for each in rows_of_sum(rows, [Decimal(each) for each in sums])]


LAMP, DESK, CHAIR = (
    row("Lamp", "14.00", "2", "7.00"),
    row("Desk", "9.00", "1", "9.00"),
    row("Chair", "8.00", "4", "2.00"),
)


def test_a_row_that_is_the_sum_of_a_group_is_left_out() -> None:
    group = row("Furniture", "17.00", "1", "17.00")
    assert kept([LAMP, group, DESK, CHAIR], "31.00") == ["Lamp", "Desk", "Chair"]


def test_discounts_that_the_sum_has_already_are_left_out_together() -> None:
    discounts = [row("Discount", "-2.00"), row("Rebate", "-1.50"), row("Bonus", "-0.25")]
    assert kept([LAMP, *discounts, DESK], "23.00") == ["Lamp", "Desk"]


def test_a_row_without_a_total_is_left_out_before_one_that_has_it() -> None:
    assert kept([LAMP, row("Gross", None, "0.5", "4.00"), DESK], "23.00") == ["Lamp", "Desk"]


def test_rows_that_add_up_stay_whatever_they_are_called() -> None:
    assert kept([LAMP, row("Total", "5.00"), row(None, "-1.00")], "18.00") == ["Lamp", "Total", None]


def test_rows_stay_if_leaving_some_out_does_not_help_or_no_sum_is_known() -> None:
    assert kept([LAMP, DESK, CHAIR], "100.00") == ["Lamp", "Desk", "Chair"]
    assert kept([LAMP, DESK, CHAIR]) == ["Lamp", "Desk", "Chair"]


def completed(lines: Lines, total: str) -> list[str | None]:
    pages = evidence_of(lines)
    rows = with_missing_rows(pages, drop_non_items(all_rows(pages, Style.POINT)), {Decimal(total)}, Style.POINT)
    return [each.description for each in rows]


def test_a_line_that_is_aligned_with_the_rows_and_completes_their_sum_is_a_row() -> None:
    lines: Lines = [
        [(5, f"Cloud|{D}"), (85, f"1.87|{T}")],
        [(7, "Charges"), (85, "1.87")],
        [(5, "Storage"), (85, "2.22")],
        [(7, "Charges"), (85, "2.22")],
    ]
    assert completed(lines, "4.09") == ["Cloud", "Storage"]


def test_a_line_of_another_alignment_or_amount_is_no_row() -> None:
    lines: Lines = [[(5, f"Cloud|{D}"), (85, f"1.87|{T}")], [(9, "Charges"), (85, "2.22")], [(5, "Tax"), (85, "0.35")]]
    assert completed(lines, "4.09") == ["Cloud"]


def test_nothing_is_added_where_several_lines_would_complete_the_sum() -> None:
    lines: Lines = [
        [(5, f"Cloud|{D}"), (85, f"1.87|{T}")],
        [(5, "Storage"), (85, "2.22")],
        [(5, "Network"), (85, "2.22")],
    ]
    assert completed(lines, "4.09") == ["Cloud"]


def test_lines_down_to_their_sum_are_rows_that_no_model_sees() -> None:
    lines: Lines = [
        [(5, "Fare"), (85, "23.30")],
        [(5, "Extras"), (85, "1.00")],
        [(5, "Tip"), (85, "5.00")],
        [(5, "Total"), (85, "29.30")],
    ]
    assert completed(lines, "29.30") == ["Fare", "Extras", "Tip"]
    # Two lines may be anything.
    assert completed(lines[:2], "24.30") == []
    known: Lines = [[(5, f"Fare|{D}"), (85, f"23.30|{T}")], *lines[1:]]
    assert completed(known, "29.30") == ["Fare", "Extras", "Tip"]
