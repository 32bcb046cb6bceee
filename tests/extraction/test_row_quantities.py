"""A cell may say how many of an item were bought, and for how much each, in the words of columns."""

import pytest

from serve_app.extraction.tables.row_quantities import stated_quantity


class TestStatedQuantity:
    @pytest.mark.parametrize(
        ("text", "quantity", "price"),
        [
            ("Qty 14", "14", ""),
            ("Menge: 2,5", "2,5", ""),
            ("Qty：28", "28", ""),
            ("Aantal x 3", "3", ""),
            ("Množství: 42 kg | Cena/ks: 189,00", "42", "189,00"),
            ("Qty 3 | Price each: £4.50", "3", "4.50"),
        ],
    )
    def test_is_what_stands_behind_its_caption(self, text: str, quantity: str, price: str) -> None:
        assert stated_quantity(text) == (quantity, price)

    @pytest.mark.parametrize("text", ["Amount 14", "Qty 14 kg", "KS-007", "Qty 3 | Colour: 7", "Qty", "14"])
    def test_is_nothing_else(self, text: str) -> None:
        assert stated_quantity(text) is None
