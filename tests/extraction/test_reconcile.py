"""Total, tax and rows are chosen together, by what is likely and what adds up."""

from decimal import Decimal

import pytest

from serve_app.extraction.evidence import gather
from serve_app.extraction.reconcile.choice import Check, Choice
from serve_app.extraction.reconcile.reconcile import reconcile
from tests.extraction.pages import document_of, reading_of
from tests.extraction.test_line_items import Lines, evidence_of, item


def choice_of(*lines: str) -> Choice:
    return reconcile(gather(document_of(lines), reading_of(lines, sure=0.5)))[1]


def total_of(choice: Choice) -> Decimal | None:
    return choice.total.value if choice.total else None


class TestPayments:
    LINES = ("Value 130.00|TOTAL", "Order 100.00|TOTAL", "Paid 30.00", "Amount due 70.00")

    def test_what_was_paid_and_what_is_due_make_the_total(self) -> None:
        choice = choice_of(*self.LINES)
        assert (total_of(choice), choice.check) == (Decimal("100.00"), Check.NET)

    def test_what_is_due_of_another_sum_proves_nothing(self) -> None:
        assert choice_of(*self.LINES[:3], "Amount due 95.00").check is not Check.NET


class TestCurrency:
    @pytest.mark.parametrize(("other", "total"), [("PLN", "119.00"), ("EUR", "512.20")])
    def test_a_total_in_the_money_of_the_other_sums_is_likelier(self, other: str, total: str) -> None:
        fees = [f"Fee {fee}.00 EUR" for fee in range(11, 15)]
        lines = (*fees, "Sum 119.00|TOTAL EUR", f"Sum 512.20|TOTAL {other}")
        assert total_of(choice_of(*lines)) == Decimal(total)


HEAD = [(5, "Description"), (50, "Quantity"), (65, "Price"), (85, "Amount")]


class TestRows:
    ROWS = (item("Hosting", "600", "0.40", "240.00"), item("Storage", "300", "0.20", "60.00"))

    @pytest.mark.parametrize("totals", [("312.00", "300.00"), ("300.00", "312.00")])
    def test_rows_decide_between_two_totals(self, totals: tuple[str, ...]) -> None:
        sums: Lines = [[(50, "Total"), (85, f"{total}|TOTAL")] for total in totals]
        assert total_of(reconcile(evidence_of([*self.ROWS, *sums]))[1]) == Decimal("300.00")

    def test_some_tables_prove_no_tax_with_the_others(self) -> None:
        total: Lines = [[(50, "Total"), (70, "360.00|TOTAL")]]
        fee = [HEAD, [*item("Support", "1", "60.00", "60.00")[:3], (85, "60.00|LINE_TOTAL~TAX")]]
        items, choice = reconcile(evidence_of([HEAD, *self.ROWS, *fee, *total]))
        assert (len(items.rows), choice.check) == (3, Check.NET)
