"""Sums are certain only in the currency of the invoice, and taxes only with those of all rates."""

from decimal import Decimal

import pytest

from serve_app.domain.invoice import Field
from serve_app.extraction.confidence.document_evidence import collect_evidence
from tests.extraction.pages import document_of, reading_of


@pytest.mark.parametrize(
    ("line", "is_proved"),
    [
        ("VAT 22% 4.86|TAX_LINE", False),
        ("VAT 10% 7.70|TAX_LINE", True),
        ("VAT 22% 0.00", True),
        # Rows of a table of rates beside the sum of their taxes.
        ("VAT 22% 4.86|TAX_LINE VAT 5% 2.84|TAX_LINE", True),
        ("Withheld VAT 15% 1.16|TAX", True),
        ("12% 23|TAX", True),
        ("Discount 2% 1.69|DISCOUNT", True),
    ],
)
def test_a_tax_of_one_rate_is_not_proved_beside_that_of_another(line: str, is_proved: bool) -> None:
    page = ["Net 77.00|SUBTOTAL", "VAT 10% 7.70|TAX", "Total 84.70|TOTAL", line]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.TAX].value == Decimal("7.70")
    assert collected.support(Field.TAX).adds_up is is_proved


@pytest.mark.parametrize(
    ("line", "is_plausible"),
    [("Total 60.00|TOTAL лв. / 30.68 €", True), ("Сума 117.35 лв. / 60.00|TOTAL €", False)],
)
def test_an_amount_called_in_another_currency_than_the_invoices_is_not_high(line: str, is_plausible: bool) -> None:
    page = ["Currency: BGN|CURRENCY", "Net 50.00|SUBTOTAL VAT 10.00|TAX", line]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.support(Field.AMOUNT).is_plausible is is_plausible


@pytest.mark.parametrize(("line", "is_plausible"), [("TND 60.00", True), ("TND 175.20", False)])
def test_letters_beside_the_amount_itself_are_no_other_currency(line: str, is_plausible: bool) -> None:
    page = ["Akron, OH 44308", "Net $50.00|SUBTOTAL", "Sales tax 10.00|TAX", "Total 60.00|TOTAL", line]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.CURRENCY].value == "USD"
    assert collected.support(Field.CURRENCY).is_plausible is is_plausible


@pytest.mark.parametrize(
    ("line", "is_plausible"),
    [("Total 60.00|TOTAL", False), ("Total £ 60.00|TOTAL", True), ("Total 60.00|TOTAL ~ Currency: GBP", True)],
)
def test_a_currency_that_the_total_is_not_called_in_is_not_high_beside_another(line: str, is_plausible: bool) -> None:
    page = ["Net £|CURRENCY 50.00|SUBTOTAL VAT 10.00|TAX £|CURRENCY", "Or 70.20 €", line]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.CURRENCY].value == "GBP"
    assert collected.support(Field.CURRENCY).is_plausible is is_plausible


@pytest.mark.parametrize(("line", "is_plausible"), [("Total EUR 60.00|TOTAL", True), ("Total PLN 60.00|TOTAL", False)])
def test_a_sum_in_another_currency_than_the_invoices_is_not_high(line: str, is_plausible: bool) -> None:
    page = ["Currency: EUR|CURRENCY", "Net 50.00|SUBTOTAL VAT 10.00|TAX", line]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.CURRENCY].value == "EUR"
    assert collected.support(Field.AMOUNT).is_plausible is is_plausible


class TestTwoCurrencies:
    LINES = (
        "Net EUR 60.00|SUBTOTAL / BGN 117.35|SUBTOTAL",
        "VAT EUR 12.00|TAX / BGN 23.47|TAX",
        "Total EUR 72.00|{} / BGN 140.82|{}",
    )

    @pytest.mark.parametrize(("labels", "amount"), [(("TOTAL", "TOTAL"), "72.00"), (("", "TOTAL"), "140.82")])
    def test_of_sums_side_by_side_the_second_is_not_certain(self, labels: tuple[str, str], amount: str) -> None:
        page = [line.format(*labels) for line in self.LINES]
        collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
        assert collected.answers()[Field.AMOUNT].value == Decimal(amount)
        for field in (Field.AMOUNT, Field.CURRENCY):
            assert collected.support(field).is_plausible is (amount == "72.00")


@pytest.mark.parametrize(
    ("lines", "is_proved"),
    [(["Excise 3.00", "Taxes and VAT 10.70"], False), (["Excise 3.00"], True)],
)
def test_a_tax_that_is_a_part_of_the_printed_taxes_is_not_proved(lines: list[str], is_proved: bool) -> None:
    page = ["Net 74.00|SUBTOTAL", "VAT 10% of 77.00|SUBTOTAL 7.70|TAX", *lines, "Total 84.70|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.TAX].value == Decimal("7.70")
    assert collected.support(Field.TAX).adds_up is is_proved


@pytest.mark.parametrize(
    ("lines", "is_plausible"),
    [
        (["Deposits 8.50", "Amount due 68.50"], False),
        (["Previous balance 8.50", "Amount due 68.50"], True),
        (["Amount due 60.00"], True),
    ],
)
def test_a_total_beyond_which_a_charge_is_due_is_not_high(lines: list[str], is_plausible: bool) -> None:
    page = ["Net 50.00|SUBTOTAL", "VAT 20% 10.00|TAX", "Total 60.00|TOTAL", *lines]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.AMOUNT].value == Decimal("60.00")
    assert collected.support(Field.AMOUNT).is_plausible is is_plausible
