"""Of a sum from which an agent's commission is deducted, what is left is invoiced."""

from decimal import Decimal

from serve_app.domain.invoice import Field
from serve_app.extraction.confidence.document_evidence import collect_evidence
from serve_app.extraction.reconcile.choice import Check
from tests.extraction.pages import document_of, extract_invoice, reading_of


def test_the_amount_is_what_the_agent_owes() -> None:
    page = [
        "WXYZ|SELLER",
        "Gross Total $1,428.00|TOTAL",
        "Agency Commission $214.20",
        "Net Amount Due $1,213.80",
    ]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.AMOUNT].value == Decimal("1213.80")
    assert collected.both.fields.check is Check.NET


def test_a_commission_that_is_not_deducted_changes_nothing() -> None:
    page = ["Akme|SELLER Ltd|SELLER", "Commission 214.20", "Total $1,428.00|TOTAL"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.AMOUNT].value == Decimal("1428.00")


def test_a_discount_for_paying_early_changes_nothing() -> None:
    page = ["Akme|SELLER GmbH|SELLER", "Gesamtbetrag 100,00|TOTAL", "Skonto 2,00", "Zahlbetrag bis 12.3. 98,00"]
    collected = collect_evidence(document_of(page), reading_of(page), reading_of(page))
    assert collected.answers()[Field.AMOUNT].value == Decimal("100.00")


def test_what_the_agent_keeps_is_read_as_a_discount_of_the_gross_total() -> None:
    page = ["WXYZ|SELLER", "Gross Total $1,428.00|TOTAL", "Agency Commission $214.20", "Net Amount Due $1,213.80"]
    details = extract_invoice(document_of(page), reading_of(page), reading_of(page)).details
    assert details is not None
    assert (details.subtotal, details.discount) == (Decimal("1428.00"), Decimal("214.20"))
