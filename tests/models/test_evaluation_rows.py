"""Given line items stand beside the true ones that they are most like."""

import json
from decimal import Decimal
from pathlib import Path

from models.evaluation.record import FILE, Earlier, Scored, read_outcomes, read_values
from models.evaluation.rows import paired_rows, row_text, scores_rows
from serve_app.domain.invoice import Confidence, LineItem


def row(description: str | None, quantity: str | None, price: str | None) -> LineItem:
    numbers = [None if text is None else Decimal(text) for text in (quantity, price)]
    return LineItem(description=description, quantity=numbers[0], unit_price=numbers[1], confidence=Confidence.MID)


NAIL = {"description": "Nails 40 mm", "quantity": 3, "unit_price": 2.5}
ROPE = {"description": "Rope", "quantity": 1, "unit_price": 19.0}


class TestPairs:
    def test_right_rows_come_in_the_order_of_the_truth(self) -> None:
        pairs = paired_rows([NAIL, ROPE], [row("Rope", "1", "19.00"), row("Nails 40 mm", "3", "2.50")])
        assert [(pair.is_right, pair.place, pair.wrong_cells) for pair in pairs] == [(True, 1, []), (True, 0, [])]

    def test_a_row_with_one_wrong_cell_stands_for_the_true_one(self) -> None:
        (pair,) = paired_rows([NAIL], [row("Nails 40 mm", "3", "25")])
        assert (pair.is_right, pair.wrong_cells) == (False, ["unit_price"])
        assert pair.level is Confidence.MID

    def test_a_row_that_is_like_no_true_one_is_invented(self) -> None:
        missed, invented = paired_rows([NAIL], [row("Delivery", "1", "9")])
        assert (missed.given, invented.true) == (None, None)
        assert (missed.given_text, invented.given_text) == (None, "Delivery | 1 | 9")

    def test_each_given_row_is_used_once(self) -> None:
        pairs = paired_rows([NAIL, NAIL], [row("Nails 40 mm", "3", None)])
        assert [pair.given is None for pair in pairs] == [False, True]

    def test_a_price_may_be_printed_for_several_units(self) -> None:
        (pair,) = paired_rows([{**ROPE, "_basis_quantity": 100}], [row("Rope", "2", "0.19")])
        assert pair.wrong_cells == ["quantity"]

    def test_cells_that_the_truth_leaves_out_are_not_compared(self) -> None:
        (pair,) = paired_rows([{"description": "Rope", "quantity": 1}], [row("Rope", "2", "3")])
        assert pair.wrong_cells == ["quantity"]


def test_numbers_of_a_row_are_written_without_needless_zeros() -> None:
    assert row_text({"description": None, "quantity": Decimal("100.00"), "unit_price": 0.5}) == "- | 100 | 0.5"


def test_rows_that_are_not_printed_or_not_known_are_not_scored() -> None:
    assert scores_rows({"line_items": []})
    assert not scores_rows({"line_items": [], "_not_printed": ["line_items"]})
    assert not scores_rows({"amount": 1})


def test_an_earlier_run_without_rows_has_header_fields_only(tmp_path: Path) -> None:
    field = {"right": True, "given": "5.00", "level": "high"}
    lines = [{}, {"rows": [{"right": False, "given": "Rope | 2 | 3", "level": "mid"}]}]
    documents = [
        {"name": f"{n}.pdf", "invoices": [{"fields": {"tax": field}, "lines": each}]} for n, each in enumerate(lines)
    ]
    (tmp_path / FILE).write_text(json.dumps({"documents": documents}))
    assert read_outcomes(tmp_path) == {Scored("0.pdf", 0, "tax"): True, Scored("1.pdf", 0, "tax"): True}
    assert read_values(tmp_path)[Scored("1.pdf", 0, "line_items", 0)] == Earlier(False, "Rope | 2 | 3", "mid")
