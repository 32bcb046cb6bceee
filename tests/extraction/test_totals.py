"""Which of the printed sums are the total and the tax."""

from decimal import Decimal

import pytest

from serve_app.extraction.evidence import gather
from serve_app.extraction.notation.numbers import Style
from serve_app.extraction.reconcile.candidates import Sums, Table
from serve_app.extraction.reconcile.choice import Check, Choice, best_choice
from serve_app.extraction.reconcile.equations import ledgers
from tests.extraction.pages import document_of, reading_of


def totals_of(*lines: str, sure: float = 0.9, style: Style = Style.POINT, line_sum: str | None = None) -> Choice:
    pages = gather(document_of(lines), reading_of(lines, sure=sure))
    tables = [Table((), Decimal(line_sum) if line_sum else None)]
    return best_choice(Sums(pages, style, tables))


def test_a_row_of_sums_shows_its_tax_under_no_caption() -> None:
    found = totals_of(
        "Goods Allowance Freight Net Tax Rate Total",
        "1062,60 15,00 -21,55 1056,05 200,65 19,0 1256,70|TOTAL",
        style=Style.COMMA,
    )
    assert found.tax is not None
    assert (found.tax.value, found.check) == (Decimal("200.65"), Check.NET_AND_TAX)


def test_the_row_of_a_credit_note_has_negative_sums() -> None:
    found = totals_of("-7,90 0,23 -7,67 -1,12 -8,79|TOTAL", style=Style.COMMA)
    assert found.tax is not None
    assert found.tax.value == Decimal("-1.12")


def test_a_row_of_a_list_is_no_row_of_sums() -> None:
    # Two numbers that make the third, of which the smaller is no tax: it is half of the other.
    found = totals_of("Hammer 20.00 10.00 30.00", "Total 30.00|TOTAL")
    assert found.tax is None


def test_the_sums_of_the_invoice_that_a_credit_note_corrects_are_not_its_own() -> None:
    own = ("Neto -100,00|SUBTOTAL", "IVA 21 % -21,00|TAX", "Total -121,00|TOTAL")
    original = "Importe original factura VF24: base 500,00|SUBTOTAL cuota 105,00|TAX total 605,00|TOTAL"
    found = totals_of(*own, original, style=Style.COMMA)
    assert found.total is not None
    assert found.total.value == Decimal("-121.00")
    # A stamp on the paper says nothing of sums.
    stamped = totals_of("ORIGINAL", "Total 605,00|TOTAL", style=Style.COMMA)
    assert stamped.total is not None


def test_what_is_paid_is_the_total_after_rounding() -> None:
    found = totals_of(
        "Total 100.62|TOTAL", "Rounding adjustment -0.02|ROUNDING", "Total after rounding 100.60|TOTAL", "VISA 100.60"
    )
    assert found.total is not None
    assert found.total.value == Decimal("100.60")


def test_a_total_before_is_not_made_by_a_rounding_of_the_wrong_sign() -> None:
    found = totals_of("Total 8.48|TOTAL", "Rounding -0.02|ROUNDING", "Amount due 8.50|TOTAL")
    assert found.total is not None
    assert found.total.value in (Decimal("8.48"), Decimal("8.50"))


def test_a_tax_is_no_adjustment() -> None:
    found = totals_of(
        "Food subtotal 20.78|SUBTOTAL", "Bev subtotal 0.00", "Food tax 1.25|SHIPPING", "Bev tax 0.00|TAX",
        "Total 22.03|TOTAL", sure=0.6,
    )  # fmt: skip
    assert found.tax is not None
    assert found.tax.value != 0


def test_two_levies_of_one_amount_are_both_taxes() -> None:
    found = totals_of(
        "Subtotal 2,000.00|SUBTOTAL", "NHIL (2.5%) 50.00|TAX_LINE", "GETFund Levy (2.5%) 50.00|SHIPPING",
        "VAT (15%) 300.00|TAX_LINE", "Total 2,400.00|TOTAL", sure=0.8,
    )  # fmt: skip
    assert found.tax is not None
    assert found.tax.value == 400


RECEIPT = ("Coffee 3.30", "VAT 19% 0.53|TAX", "Total 3.30|TOTAL")


def test_the_rate_proves_a_tax_that_the_prices_include() -> None:
    assert totals_of(*RECEIPT, line_sum="3.30").check is Check.NET_AND_TAX


def test_a_rate_proves_nothing_against_the_lines() -> None:
    assert totals_of(*RECEIPT, line_sum="2.00").check is not Check.NET_AND_TAX


def test_the_rounded_total_counts_though_only_the_rounding_names_it() -> None:
    found = totals_of(
        "Total sales incl GST RM 13.58|TOTAL", "Rounding adjustment RM .02", "Rounding RM 13.60", "Cash RM 14.00"
    )
    assert found.total is not None
    assert found.total.value == Decimal("13.60")


@pytest.mark.parametrize(
    "lines",
    [
        ["Subtotal RM53.60|SUBTOTAL", "Cash RM100.00|TOTAL", "Change RM46.40", "6% GST RM3.03|TAX"],
        ["Total 7.50", "Pay 20.00|TOTAL", "Change 12.50"],
        ["Amount incl GST 5.25|TOTAL", "Accepted total 10.00|TOTAL", "Your change 4.75"],
    ],
)
def test_cash_of_which_change_is_given_is_no_total(lines: list[str]) -> None:
    found = totals_of(*lines, sure=0.6)
    assert found.total is not None
    assert found.total.value in {Decimal("53.60"), Decimal("7.50"), Decimal("5.25")}


def test_a_discount_in_percent_explains_what_is_due() -> None:
    lines = ("Subtotal 754.00", "Discount 7%", "Amount due 701.22|TOTAL")
    found = totals_of(*lines, sure=0.6, line_sum="754.00")
    assert found.total is not None
    assert (found.total.value, found.check) == (Decimal("701.22"), Check.NET)
    # Where nothing is called a discount, the percentage explains nothing.
    unnamed = totals_of(lines[0], "7%", lines[2], sure=0.6, line_sum="754.00")
    assert unnamed.total is not None
    assert (unnamed.total.value, unnamed.check) != (Decimal("701.22"), Check.NET)


@pytest.mark.parametrize(
    ("line", "tax"),
    [
        ("(varav moms 25%: 122:-) (varav moms 6%: 3:-)", "125"),
        ("(TTC, dont 18,83 € de TVA)", "18.83"),
        ("(gross, including 18,83 € VAT)", "18.83"),
    ],
)
def test_the_taxes_that_brackets_say_are_included_are_added(line: str, tax: str) -> None:
    found = totals_of("Summa: 668,50:-|TOTAL", line, style=Style.COMMA).tax
    assert found is not None
    assert found.value == Decimal(tax)


@pytest.mark.parametrize("line", ["Total GBP - 12.50|TOTAL", "Total 12.50|TOTAL CR"])
def test_a_sign_of_its_own_makes_an_amount_negative(line: str) -> None:
    found = totals_of(line)
    assert found.total is not None
    assert found.total.value == Decimal("-12.50")


def test_a_dash_behind_a_caption_is_no_sign() -> None:
    found = totals_of("Total - 12.50|TOTAL")
    assert found.total is not None
    assert found.total.value == Decimal("12.50")


def test_the_costs_of_shipping_are_no_tax() -> None:
    found = totals_of("Subtotal 112.70|SUBTOTAL", "Shipping 10.00|TAX", "Total 122.70|TOTAL", sure=0.3)
    assert found.tax is None or found.tax.score < 0.12
    assert found.check is Check.NET


def test_sums_that_add_up_by_accident_prove_no_tax() -> None:
    lines = ("Compute 1.87|SUBTOTAL", "Storage 2.22|TAX", "VAT 0.00|TAX", "Total 4.09|TOTAL")
    found = totals_of(*lines, sure=0.6)
    assert found.tax is not None
    assert found.tax.value == 0
    # A discount may leave less than what is taxed.
    discounted = totals_of("Subtotal 200.00|SUBTOTAL", "Discount -180.00", "Tax 14.00|TAX", "Total 34.00|TOTAL")
    assert discounted.check is Check.NET_AND_TAX


def test_taxes_with_spaces_in_their_thousands_are_added_though_no_model_sees_them() -> None:
    found = totals_of(
        "Netto 52 240,00|SUBTOTAL",
        "Mva. 12 % av 22 680,00 ~ 2 721,60",
        "Mva. 25 % av 29 560,00 ~ 7 390,00",
        "Totalt 62 351,60|TOTAL",
        style=Style.COMMA,
    )
    assert found.total is not None
    assert found.tax is not None
    assert (found.total.value, found.tax.value) == (Decimal("62351.60"), Decimal("10111.60"))


def test_a_column_that_adds_up_proves_a_sum_whatever_its_lines_are_called() -> None:
    found = totals_of(
        "Zwischensumme ~ ~ 960,43|SUBTOTAL", "Family-Gutschein ~ ~ -25,00", "Summe ~ ~ 935,43|TOTAL",
        "enthaltene MwSt. 19,00% 149,35|TAX", style=Style.COMMA, line_sum="960.43",
    )  # fmt: skip
    assert found.tax is not None
    assert (found.tax.value, found.check) == (Decimal("149.35"), Check.NET_AND_TAX)


def test_all_taxes_in_the_column_of_a_total_are_its_tax() -> None:
    found = totals_of(
        "Subtotal ~ ~ ~ 1753.00|SUBTOTAL", "GST 5% ~ ~ 87.65|TAX", "PST 7% on goods: 49.56", "Total ~ ~ ~ 1890.21|TOTAL"
    )
    assert found.tax is not None
    assert (found.tax.value, found.check) == (Decimal("137.21"), Check.NET_AND_TAX)


@pytest.mark.parametrize(
    "lines", [("Total 80.00|TOTAL", "Paid -30.00", "Left 50.00"), ("A 25.00", "B 25.00", "C 50.00")]
)
def test_payments_and_twice_the_same_prove_nothing(lines: tuple[str, ...]) -> None:
    assert ledgers(gather(document_of(lines), reading_of(lines)), Style.POINT) == []


def test_a_sum_to_which_a_tax_is_added_below_is_not_the_total() -> None:
    found = totals_of(
        "Gross ~ total 5184.00|TOTAL", "Less discount ~ -155.52", "Taxable value ~ 5028.48", "VAT 5% ~ 251.42|TAX",
        "Grand total ~ 5279.90|TOTAL", line_sum="5184.00",
    )  # fmt: skip
    assert found.total is not None
    assert found.total.value == Decimal("5279.90")


def test_nothing_is_a_tax_where_the_issuer_charges_none() -> None:
    lines = ["Arbeit 314.30", "Auslagen 24.30|TAX", "Summe 338.60|TOTAL"]
    assert totals_of(*lines, line_sum="314.30").tax is not None
    assert totals_of(*lines, "Kleinunternehmer nach § 19 UStG", line_sum="314.30").tax is None


def test_what_nothing_calls_a_tax_is_none() -> None:
    found = totals_of(
        "Winter fund 250.00", "Processing cost 7.80|SHIPPING", "Total gift 257.80|TOTAL", line_sum="250.00"
    )
    assert found.tax is None


def test_more_than_was_paid_in_cash_is_not_the_total() -> None:
    found = totals_of(
        "Gross amount 450.00|TOTAL", "Less discount 64.29", "Amount due 385.71|TOTAL", "Cash 500.00", "Change 114.29",
        sure=0.6,
    )  # fmt: skip
    assert found.total is not None
    assert found.total.value == Decimal("385.71")


CREDIT_NOTE = (
    "Credit note ~ ~ ~ ~",
    "CREDITS OUR INVOICE",
    "Invoice No: INV1127740|INVOICE_NUMBER",
    "Goods 1,932.30|SUBTOTAL VAT 386.46|TAX",
    "Invoice total: 2,318.76|TOTAL",
    "~", "~",
    "Net 505.42|SUBTOTAL",
    "VAT 101.08|TAX",
    "Total credit 606.50|TOTAL",
)  # fmt: skip


def test_a_section_about_the_corrected_invoice_has_none_of_the_sums() -> None:
    found = totals_of(*CREDIT_NOTE)
    assert found.total is not None
    assert found.tax is not None
    assert (found.total.value, found.tax.value) == (Decimal("606.50"), Decimal("101.08"))


CORRECTION = (
    "Faktura korygująca",
    "{before}",
    "Najem 31 118,00 3658,00",
    "Netto 3658,00|SUBTOTAL VAT 841,34|TAX Brutto 4499,34|TOTAL",
    "{after}",
    "Najem 22 118,00 2596,00",
    "Netto 2596,00|SUBTOTAL VAT 597,08|TAX Brutto 3193,08|TOTAL",
    "{difference}",
    "Netto -1062,00|SUBTOTAL VAT -244,26|TAX Brutto -1306,26|TOTAL",
)


@pytest.mark.parametrize(
    ("before", "after", "difference"),
    [
        ("Przed korektą", "Po korekcie", "Korekta (różnica)"),
        ("Było:", "Powinno być:", "Różnica:"),
        ("Before correction", "After correction", "Difference"),
    ],
)
def test_a_correction_has_the_sums_of_what_changes(before: str, after: str, difference: str) -> None:
    """It also prints those of the invoice as it was, and as it is now."""
    lines = (line.format(before=before, after=after, difference=difference) for line in CORRECTION)
    found = totals_of(*lines, style=Style.COMMA)
    assert found.total is not None
    assert found.tax is not None
    assert (found.total.value, found.tax.value) == (Decimal("-1306.26"), Decimal("-244.26"))


def test_a_correction_without_a_difference_has_the_sums_as_they_are_now() -> None:
    lines = (line.format(before="Przed korektą", after="Po korekcie") for line in CORRECTION[:-2])
    found = totals_of(*lines, style=Style.COMMA)
    assert found.total is not None
    assert found.total.value == Decimal("3193.08")


def test_what_is_taxed_is_no_tax() -> None:
    found = totals_of(
        "KDV Matrahı (%10,00) 100,00|SUBTOTAL", "Hesaplanan KDV (%10,00) 10,00|TAX_LINE",
        "KDV Matrahı (%20,00) 30,00|TAX_LINE", "Hesaplanan KDV (%20,00) 6,00|TAX_LINE", "Toplam 146,00|TOTAL",
        style=Style.COMMA,
    )  # fmt: skip
    assert found.tax is not None
    assert found.tax.value == Decimal("16.00")


@pytest.mark.parametrize("one", ["1", "1,00"])
def test_sums_at_a_printed_rate_are_not_invoiced(one: str) -> None:
    found = totals_of(
        "Netto 3704,36|SUBTOTAL 15769,83|SUBTOTAL", "VAT 852,00|TAX 3627,05|TAX", "Razem 4556,36|TOTAL 19396,88|TOTAL",
        "Do zapłaty 4556,36|TOTAL EUR", f"{one} EUR = 4,2571 PLN", style=Style.COMMA,
    )  # fmt: skip
    assert found.total is not None
    assert found.total.value == Decimal("4556.36")


def test_thousands_apart_by_a_space_may_have_three_decimals() -> None:
    found = totals_of(
        "Total HT 4 485,050|SUBTOTAL", "TVA 838,760|TAX", "Total TTC (TND) 5 323,810|TOTAL", style=Style.COMMA
    )
    assert found.total is not None
    assert found.total.value == Decimal("5323.810")


@pytest.mark.parametrize("caption", ["IRPF 15%", "Retenciones IVA", "Ritenuta d'acconto 15%", "Withholding tax 15%"])
def test_what_the_buyer_withholds_is_no_tax_of_the_invoice(caption: str) -> None:
    found = totals_of("Subtotal 1240.00|SUBTOTAL", f"{caption} -186.00|TAX", "Total 1054.00|TOTAL")
    assert (found.tax, found.check) == (None, Check.NET)


def test_a_tax_beside_what_is_withheld_is_the_tax() -> None:
    found = totals_of(
        "Subtotal 16450.00|SUBTOTAL", "IVA 2632.00|TAX", "Retenciones IVA 148.00|TAX", "Total 18934.00|TOTAL"
    )
    assert found.tax is not None
    assert (found.tax.value, found.check) == (Decimal("2632.00"), Check.NET_AND_TAX)


def test_what_is_withheld_in_the_column_of_a_total_is_no_part_of_its_tax() -> None:
    lines = ("Base imponible 2317.00", "IVA 21% 486.57|TAX", "IRPF -15% -347.55|TAX", "Total ~ 2456.02|TOTAL")
    (column,) = ledgers(gather(document_of(lines), reading_of(lines)), Style.POINT)
    assert (column.equation.total, column.equation.tax) == (Decimal("2456.02"), Decimal("486.57"))


@pytest.mark.parametrize(
    ("bracket", "tax"),
    [
        ("(includes £34.18 VAT)", "34.18"),
        ("(inkl. 34.18 € 19% MwSt.)", "34.18"),
        ("(inkl. 34.18 € MwSt. 19 %)", "34.18"),
        ("(dont 34.18 € TVA)", "34.18"),
        ("(includes $7.00 GST, $27.18 PST)", "34.18"),
        ("(inkl. 4.90 € Versand)", None),
        ("(VAT no. 34.18)", None),
    ],
)
def test_a_bracket_may_say_which_tax_a_total_includes(bracket: str, tax: str | None) -> None:
    found = totals_of("Subtotal 201.13|SUBTOTAL", "Shipping 3.95|SHIPPING", f"Total 205.08|TOTAL {bracket}").tax
    assert (found and found.value) == (tax and Decimal(tax))
