"""What speaks for a row of the table, and for the table as a whole."""

from dataclasses import replace

import pytest

from serve_app.domain.document import Document, TextSource
from serve_app.extraction.confidence.confidence import may_be_high
from serve_app.extraction.confidence.document_evidence import DocumentEvidence, collect_evidence
from tests.extraction.pages import document_of, reading_of

HEAD = ["Akme|SELLER Ltd|SELLER", "Item Qty Price Amount"]
BLUE = "Blue|LINE_DESCRIPTION paint|LINE_DESCRIPTION 2|LINE_QUANTITY 20.00|LINE_UNIT_PRICE 40.00|LINE_TOTAL"
RED = "Red|LINE_DESCRIPTION paint|LINE_DESCRIPTION 1|LINE_QUANTITY 60.00|LINE_UNIT_PRICE 60.00|LINE_TOTAL"
PRICES = [("Blue", "40.00"), ("Red", "60.00")]
SUM = ["Total £100.00|TOTAL"]


def collected(page: list[str], other: list[str] | None = None) -> DocumentEvidence:
    return collect_evidence(document_of(page), reading_of(page), reading_of(other or page))


def test_rows_that_multiply_in_a_table_that_sums_may_be_high() -> None:
    evidence = collected([*HEAD, BLUE, RED, *SUM])
    assert [may_be_high(evidence.row_support(row)) for row in evidence.rows] == [True, True]
    assert may_be_high(evidence.table_support())


def test_nothing_proves_a_quantity_without_a_price() -> None:
    page = [*HEAD, BLUE, "Red|LINE_DESCRIPTION paint|LINE_DESCRIPTION 3|LINE_QUANTITY 60.00|LINE_TOTAL", *SUM]
    evidence = collected(page)
    assert [may_be_high(evidence.row_support(row)) for row in evidence.rows] == [True, False]
    assert not may_be_high(evidence.table_support())


def test_zeros_prove_nothing() -> None:
    free = "Red|LINE_DESCRIPTION paint|LINE_DESCRIPTION 7|LINE_QUANTITY 0.00|LINE_UNIT_PRICE 0.00|LINE_TOTAL"
    evidence = collected([*HEAD, BLUE, RED, free, *SUM])
    assert [evidence.row_support(row).adds_up for row in evidence.rows] == [True, True, False]


def test_an_amount_alone_is_proved_by_the_sum_if_no_row_has_a_quantity() -> None:
    rows = ["Blue|LINE_DESCRIPTION paint|LINE_DESCRIPTION 40.00|LINE_TOTAL", "Red|LINE_DESCRIPTION 60.00|LINE_TOTAL"]
    assert may_be_high(collected([*HEAD[:1], "Item Amount", *rows, *SUM]).table_support())
    assert not may_be_high(collected([*HEAD, BLUE, rows[1], *SUM]).table_support())


@pytest.mark.parametrize(
    ("head", "source", "is_proved"),
    [
        ("Item ~ ~ Qty ~ Amount", TextSource.OCR, False),
        ("Item ~ ~ Qty ~ Amount", TextSource.TEXT_LAYER, True),
        ("Item ~ ~ ~ ~ Amount", TextSource.OCR, True),
    ],
)
def test_amounts_prove_no_rows_of_a_picture_whose_quantities_were_not_read(
    head: str, source: TextSource, is_proved: bool
) -> None:
    rows = [f"{name}|LINE_DESCRIPTION paint|LINE_DESCRIPTION ~ ~ ~ {price}|LINE_TOTAL" for name, price in PRICES]
    lines = [HEAD[0], head, *rows, *SUM]
    printed = document_of(lines).pages[0]
    document = Document((replace(printed, source=source),))
    assert may_be_high(collect_evidence(document, reading_of(lines), reading_of(lines)).table_support()) == is_proved


def test_the_models_have_to_agree_on_the_description() -> None:
    page = [*HEAD, BLUE, RED, *SUM]
    other = [line.replace("Red|LINE_DESCRIPTION paint|LINE_DESCRIPTION", "Red paint") for line in page]
    evidence = collected(page, other)
    assert [evidence.row_support(row).models_agree for row in evidence.rows] == [True, False]
    assert not evidence.table_support().models_agree


@pytest.mark.parametrize(("unclear", "is_high"), [("Blue", False), ("20.00", True)])
def test_the_words_of_a_description_must_be_read_well_and_numbers_that_prove_one_another_need_not(
    unclear: str, is_high: bool
) -> None:
    lines = [*HEAD, BLUE, RED, *SUM]
    page = document_of(lines).pages[0]
    words = tuple(replace(word, confidence=0.2) if word.text == unclear else word for word in page.words)
    document = Document((replace(page, words=words, source=TextSource.OCR),))
    evidence = collect_evidence(document, reading_of(lines), reading_of(lines))
    assert [may_be_high(evidence.row_support(row)) for row in evidence.rows] == [is_high, True]
    assert may_be_high(evidence.table_support()) == is_high


def test_numbers_describe_nothing() -> None:
    evidence = collected([*HEAD, BLUE, RED.replace("Red", "0000").replace("paint", "00"), *SUM])
    assert [evidence.row_support(row).is_plausible for row in evidence.rows] == [True, False]


def test_a_table_is_not_high_beside_a_charge_that_may_be_one_of_its_rows() -> None:
    assert collected([*HEAD, BLUE, RED, *SUM]).table_support().is_plausible
    evidence = collected([*HEAD, BLUE, RED, "Net 100.00|SUBTOTAL", "Delivery 5.00|SHIPPING", "Total £105.00|TOTAL"])
    assert len(evidence.rows) == 2
    assert not evidence.table_support().is_plausible
