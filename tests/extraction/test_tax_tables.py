"""Tables of taxes: net, rate and tax of each row or rate, which prove the total and its tax."""

from decimal import Decimal

import pytest

from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.choice import Check
from tests.extraction.test_totals import totals_of


def test_a_table_of_rates_proves_the_total_and_the_tax_that_it_makes() -> None:
    # The lines were misread.
    found = totals_of(
        "Total 367.10|TOTAL",
        "GST|TAX 0.45|TAX",
        "Summary",
        "ZR (0%) 359.20 0.00",
        "SR (6%) 7.45 0.45",
        line_sum="304.60",
    )
    assert found.check is Check.NET_AND_TAX


def test_a_table_of_rates_proves_a_total_although_no_tax_is_found() -> None:
    found = totals_of("Total 24.90|TOTAL", "S = 6 % 23.49 1.41", line_sum="20.00")
    assert found.check >= Check.NET


@pytest.mark.parametrize(
    "row",
    [
        # Another total, a tax that the rate does not make, and one that follows from any rate.
        "SR (6%) 200.00 12.00",
        "SR (6%) 95.00 5.00",
        "SR (5%) 99.99 0.01",
    ],
)
def test_other_tables_prove_nothing(row: str) -> None:
    assert totals_of("Total 100.00|TOTAL", row, line_sum="70.00").check is Check.CONTRADICTED


def test_the_head_of_a_column_may_have_the_sign_of_its_rates() -> None:
    rows = ("Wash ~ 1200.00 ~ 18 ~ 216.00 ~ 1416.00", "Pads ~ 850.00 ~ 18 ~ 153.00 ~ 1003.00")
    found = totals_of("Labour Cost GST (%) GST Total", *rows, "Total 2419.00|TOTAL", "Parts 1416.00|TAX", sure=0.5)
    assert found.tax is not None
    assert (found.tax.value, found.check) == (Decimal("369.00"), Check.NET_AND_TAX)


def test_a_table_of_taxes_needs_no_sign_of_a_percentage() -> None:
    found = totals_of(
        "TOTAL 170,40|TOTAL", "Base IVA Cuota", "133,09 10,00|TAX 13,31", "19,83 21,00|TAX 4,17", style=Style.COMMA
    )
    assert found.tax is not None
    assert (found.tax.value, found.check) == (Decimal("17.48"), Check.NET_AND_TAX)


def test_a_surcharge_on_the_tax_is_part_of_it() -> None:
    found = totals_of("100,00 21,00 21,00 5,20 5,20", "Total 126,20|TOTAL", style=Style.COMMA)
    assert found.tax is not None
    assert found.tax.value == Decimal("26.20")


def test_a_table_of_taxes_may_have_a_column_for_each_rate() -> None:
    found = totals_of(
        "Taux de TVA 20 % 10 % Total", "Base HT 27,10 9,08 36,18", "TVA 5,42 0,91 6,33", "Total TTC 42,51|TOTAL",
        style=Style.COMMA,
    )  # fmt: skip
    assert found.tax is not None
    assert (found.tax.value, found.check) == (Decimal("6.33"), Check.NET_AND_TAX)
