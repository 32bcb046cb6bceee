"""Rows and columns of sums: what they add up to, and what of it is the total."""

from decimal import Decimal

from serve_app.extraction.evidence import gather
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.choice import Check
from serve_app.extraction.reconcile.equations import added_up_by_rows, ledgers
from tests.extraction.pages import document_of, reading_of
from tests.extraction.test_totals import totals_of


def test_what_a_row_of_sums_adds_up_is_no_total() -> None:
    found = totals_of(
        "~ Rate Net VAT Gross Paid",
        "Power 19% 1209.86|SUBTOTAL 229.87|TAX 1439.73|TOTAL 946.00",
        "Water 7% 324.52 22.72 347.24 264.00",
        "Together ~ 1534.38 252.59 1786.97 1210.00",
    )
    assert found.total is not None
    assert found.tax is not None
    assert (found.total.value, found.tax.value) == (Decimal("1786.97"), Decimal("252.59"))
    assert found.check is Check.NET_AND_TAX


def test_reports_without_rates_of_tax_have_no_row_of_sums() -> None:
    found = totals_of(
        "Claim 13200.00|SUBTOTAL 0.00|TAX 13200.00|TOTAL",
        "Claim 5820.00 3172.50 8992.50",
        "Totals 19020.00 3172.50 22192.50",
    )
    assert found.total is not None
    assert found.total.value == Decimal("13200.00")


def test_what_was_billed_before_is_no_part_of_the_total() -> None:
    found = totals_of(
        "~ Net VAT Gross Retained Payable",
        "So_far 1000.00|SUBTOTAL 190.00|TAX 1190.00|TOTAL -59.50 1130.50",
        "Billed -400.00 -76.00 -476.00 23.80 -452.20",
        "This_invoice 600.00 114.00 714.00 -35.70 678.30",
    )
    assert found.total is not None
    assert found.tax is not None
    assert (found.total.value, found.tax.value) == (Decimal("714.00"), Decimal("114.00"))


def test_what_a_column_of_taxes_comes_to_is_no_total() -> None:
    found = totals_of(
        "Rate Taxable CGST",
        "5 872.20 21.81",
        "12 6493.46 389.61",
        "Total 7365.66 411.42|TOTAL",
        "CGST + SGST 822.84|TAX",
        "Net amount 8188.50",
        line_sum="7365.66",
    )
    assert found.total is not None
    assert found.tax is not None
    assert (found.total.value, found.tax.value) == (Decimal("8188.50"), Decimal("822.84"))


def test_a_sum_of_taxes_is_not_added_to_them() -> None:
    found = totals_of(
        "Tax 39955|TAX_LINE", "Balance 12663", "Total 517768|TOTAL", "8% 26240|TAX_LINE", "10% 13715|TAX_LINE"
    )
    assert found.tax is not None
    assert found.tax.value == Decimal(39955)


def test_two_columns_that_add_up_are_no_row_of_sums() -> None:
    lines = ["Hammer 2.00 20.00|TOTAL", "Nails 3.00 5.00", "Sum 5.00 25.00"]
    pages = gather(document_of(lines), reading_of(lines))
    assert dict(added_up_by_rows(pages, Style.POINT, ledgers(pages, Style.POINT))) == {}
