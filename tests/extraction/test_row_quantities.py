"""A cell may say how many of an item were bought, and for how much each, in the words of columns."""

import pytest

from serve_app.extraction.tables.row_quantities import stated_quantity


class TestStatedQuantity:
    @pytest.mark.parametrize(
        ("text", "quantity"),
        [("Qty 14", "14"), ("Menge: 2,5", "2,5"), ("Qty：28", "28"), ("Aantal x 3", "3")],
    )
    def test_is_what_stands_behind_its_caption(self, text: str, quantity: str) -> None:
        assert stated_quantity(text) == quantity

    @pytest.mark.parametrize("text", ["Amount 14", "Qty 14 kg", "KS-007", "Qty 3 | Colour: 7", "Qty", "14"])
    def test_is_nothing_else(self, text: str) -> None:
        assert stated_quantity(text) is None
