"""An unfilled template gives no values."""

import pytest

from serve_app.extraction.facts.placeholders import placeholder_words
from tests.extraction.pages import document_of, extract_invoice, reading_of


@pytest.mark.parametrize(
    "line",
    [
        "{{invoice_id}}", "{{ invoice.total }}", "{{#each items}}", "{% if paid %}", "${total}", "#{total}", "{total}",
        "<%= total %>", "%TOTAL%", "[[total]]", "*|TOTAL|*", "[Company Name, LLC]", "{{ cut",
    ],
)  # fmt: skip
def test_placeholders_are_found_whole(line: str) -> None:
    words = ["Total:", *line.split(), "EUR"] if "cut" not in line else ["Total:", *line.split()]
    assert placeholder_words(words) == list(range(1, 1 + len(line.split())))


@pytest.mark.parametrize("line", ["19 % of 5%", "[EUR] [17]", "(12.50)", "$12.50 {", "a < b", "50% - 60%", "* * *"])
def test_other_text_is_none(line: str) -> None:
    assert placeholder_words(line.split()) == []


def test_a_value_that_is_joined_with_a_bracket_is_none() -> None:
    assert placeholder_words(["[Sales]2018-01-05", "[Company", "Name]"]) == [1, 2]


def test_no_placeholder_becomes_a_value() -> None:
    page = [
        "[Company|SELLER Name,|SELLER LLC]|SELLER",
        "Invoice {{invoice_id_1}}|INVOICE_NUMBER of {{2024-03-05}}|ISSUE_DATE",
        "{{|LINE_DESCRIPTION description|LINE_DESCRIPTION }}|LINE_DESCRIPTION {{1}}|LINE_QUANTITY {{2.00}}|LINE_TOTAL",
        "Total ${12.50}|TOTAL",
    ]
    result = extract_invoice(document_of(page), reading_of(page), reading_of(page))
    assert (result.vendor_name, result.invoice_number, result.amount, result.currency) == (None, None, None, None)
    assert (result.issued_at, result.line_items) == (None, [])


def test_a_filled_value_beside_one_stays() -> None:
    page = ["Dear {{name}} your invoice INV-17|INVOICE_NUMBER", "Total 12.50|TOTAL"]
    result = extract_invoice(document_of(page), reading_of(page), reading_of(page))
    assert (result.invoice_number, str(result.amount)) == ("INV-17", "12.50")
