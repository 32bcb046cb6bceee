"""Two readings become one invoice whose confidence follows from agreement and arithmetic."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from serve_app.domain.document import Document
from serve_app.domain.invoice import Citation, Confidence, DocumentType, Extraction, Field
from serve_app.domain.target_precision import TargetPrecision
from tests.extraction.pages import document_of, extract_invoice, reading_of

PAGE = [
    "Akme|SELLER Tools|SELLER Ltd|SELLER",
    "Invoice No. INV-0042|INVOICE_NUMBER",
    "Date: 05/03/2024|ISSUE_DATE Due: 19/03/2024|DUE_DATE",
    "Steel|LINE_DESCRIPTION hammer|LINE_DESCRIPTION 2|LINE_QUANTITY 10.00|LINE_UNIT_PRICE 20.00|LINE_TOTAL",
    "Long|LINE_DESCRIPTION saw|LINE_DESCRIPTION 1|LINE_QUANTITY 30.00|LINE_UNIT_PRICE 30.00|LINE_TOTAL",
    "Net 50.00|SUBTOTAL",
    "VAT 20% 10.00|TAX",
    "Total £60.00|TOTAL",
]


def extract(extractor: list[str], verifier: list[str], sure: float = 0.97) -> Extraction:
    return extract_invoice(document_of(PAGE), reading_of(extractor, sure=sure), reading_of(verifier, sure=sure))


def replaced(**lines: str) -> list[str]:
    """The page with some lines labelled otherwise: `line_1="..."`."""
    return [lines.get(f"line_{index}", line) for index, line in enumerate(PAGE)]


def test_reads_every_field_of_a_plain_invoice() -> None:
    result = extract(PAGE, PAGE)
    assert result.vendor_name == "Akme Tools Ltd"
    assert result.invoice_number == "INV-0042"
    assert (result.amount, result.tax, result.currency) == (Decimal("60.00"), Decimal("10.00"), "GBP")
    assert (result.issued_at, result.due_at) == (date(2024, 3, 5), date(2024, 3, 19))
    assert [(item.description, item.quantity, item.unit_price) for item in result.line_items] == [
        ("Steel hammer", Decimal(2), Decimal("10.00")),
        ("Long saw", Decimal(1), Decimal("30.00")),
    ]


def test_is_high_when_both_models_agree_and_the_sums_hold() -> None:
    result = extract(PAGE, PAGE)
    assert set((result.field_confidence or {}).values()) == {Confidence.HIGH}
    assert result.auto_verified
    assert (result.quality_score or 0) > 0.8


def test_is_not_high_when_the_models_disagree() -> None:
    other = replaced(line_1="Invoice No. INV-0042", line_2="Date: 05/03/2024|DUE_DATE Due: 19/03/2024")
    confidence = extract(PAGE, other, sure=0.6).field_confidence or {}
    assert confidence[Field.INVOICE_NUMBER] is Confidence.MID
    assert confidence[Field.VENDOR] is Confidence.HIGH


def test_a_date_that_may_begin_with_its_year_is_not_high() -> None:
    def level(day: str) -> Confidence:
        page = replaced(line_2=f"Date: {day}|ISSUE_DATE")
        result = extract_invoice(document_of(page), reading_of(page), reading_of(page))
        return (result.field_confidence or {})[Field.ISSUED_AT]

    assert level("25-03-05") is Confidence.MID
    assert level("25-03-24") is Confidence.HIGH


def test_what_was_hard_to_read_is_not_high_unless_the_sums_prove_it() -> None:
    (page,) = document_of(PAGE).pages
    faint = Document((replace(page, words=tuple(replace(word, confidence=0.3) for word in page.words)),))
    result = extract_invoice(faint, reading_of(PAGE), reading_of(PAGE))
    confidence = result.field_confidence or {}
    assert {confidence[field] for field in (Field.AMOUNT, Field.TAX)} == {Confidence.HIGH}
    others = (Field.VENDOR, Field.INVOICE_NUMBER, Field.ISSUED_AT, Field.DUE_AT)
    assert {confidence[field] for field in others} == {Confidence.MID}
    assert (result.quality_score or 1) < (extract(PAGE, PAGE).quality_score or 0)


def test_nothing_is_high_when_the_sums_contradict() -> None:
    wrong = replaced(line_5="Net 50.00|TAX", line_6="VAT 20% 10.00|SUBTOTAL")
    document = document_of([*PAGE[:3], "Net 51.00", "VAT 20% 10.00", "Total £60.00"])
    lines = [*wrong[:3], "Net 51.00|SUBTOTAL", "VAT 20% 10.00|TAX", "Total £60.00|TOTAL"]
    result = extract_invoice(document, reading_of(lines), reading_of(lines))
    assert Confidence.HIGH not in (result.field_confidence or {}).values()
    assert not result.auto_verified


def test_arithmetic_picks_the_total_among_likely_amounts() -> None:
    # Both models lean towards the net amount as total; only 60.00 adds up with the lines and the tax.
    document = document_of(PAGE)
    unsure = replaced(line_5="Net 50.00|TOTAL", line_7="Total £60.00|TOTAL")
    assert extract_invoice(document, reading_of(unsure), reading_of(unsure)).amount == Decimal("60.00")


def test_a_page_without_an_invoice_gives_nothing() -> None:
    plain = ["Dear Ms Moore", "thank you for your letter of last week.", "We shall call you on Monday.", "Yours, Kim"]
    result = extract_invoice(document_of(plain), reading_of(plain), reading_of(plain))
    assert result == Extraction(
        pages=1,
        models=result.models,
        target_precision=TargetPrecision.STANDARD,
        field_confidence={},
        citations={},
        document_type=DocumentType.OTHER,
        document_type_confidence=Confidence.LOW,
    )


def test_what_only_captions_say_is_a_guess() -> None:
    plain = [" ".join(word.partition("|")[0] for word in line.split()) for line in PAGE]
    confidence = extract_invoice(document_of(plain), reading_of(plain), reading_of(plain)).field_confidence or {}
    assert Confidence.HIGH not in confidence.values()


def test_citations_name_the_place_on_the_page() -> None:
    citations = extract(PAGE, PAGE).citations or {}
    number = citations[Field.INVOICE_NUMBER]
    assert isinstance(number, Citation)
    assert (number.page, number.text) == (1, "INV-0042")
    assert number.box[0] < number.box[2] <= 1
    rows = citations[Field.LINE_ITEMS]
    assert isinstance(rows, list)
    assert len(rows) == 2


def test_a_name_under_the_buyers_heading_is_no_vendor() -> None:
    page = [
        "Verkäufer",
        "Name: Nord|BUYER AG|BUYER",
        "Käufer",
        "Name: Ost|SELLER GmbH|SELLER",
        "Ost|SELLER GmbH|SELLER",
    ]
    seen = [page[0], "Name: Nord|SELLER AG|SELLER", *page[2:]]
    document = document_of(page)
    result = extract_invoice(document, reading_of(seen, sure=0.6), reading_of(seen, sure=0.6))
    assert result.vendor_name == "Nord AG"
    alone = extract_invoice(document, reading_of(page), reading_of(page))
    assert (alone.field_confidence or {})[Field.VENDOR] is not Confidence.HIGH


def test_a_date_right_after_the_number_is_the_issue_date() -> None:
    page = ["Invoice No. 17|INVOICE_NUMBER of 01.03.2024", "Delivered 05.04.2024|OTHER_DATE"]
    reading = reading_of(page)
    assert extract_invoice(document_of(page), reading, reading).issued_at == date(2024, 3, 1)


def test_arithmetic_completes_a_row_that_the_models_half_understand() -> None:
    page = [
        "Lamp|LINE_DESCRIPTION 3|LINE_QUANTITY 4.50 13.50|LINE_TOTAL",
        "Desk|LINE_DESCRIPTION 2|LINE_QUANTITY 8.00|LINE_UNIT_PRICE 16.00",
    ]
    reading = reading_of(page)
    tags = list(reading.tags)
    # The second number of the first row and the last of the second are all but nothing to the models.
    reading.pages[0].scores[2, tags.index("B-LINE_UNIT_PRICE")] = 0.05
    reading.pages[0].scores[7, tags.index("B-LINE_TOTAL")] = 0.05
    rows = extract_invoice(document_of(page), reading, reading).line_items
    assert [(row.quantity, row.unit_price) for row in rows] == [
        (Decimal(3), Decimal("4.50")),
        (Decimal(2), Decimal("8.00")),
    ]


def test_a_description_over_several_lines_stays_one_row() -> None:
    page = [
        "Blue|LINE_DESCRIPTION chair|LINE_DESCRIPTION 1|LINE_QUANTITY 9.00|LINE_TOTAL",
        "with arms",
        "Red|LINE_DESCRIPTION desk|LINE_DESCRIPTION 2|LINE_QUANTITY 8.00|LINE_TOTAL",
        "Total 17.00|TOTAL",
    ]
    document = document_of([line if index != 1 else "with arms" for index, line in enumerate(page)])
    reading = reading_of(page)
    scores = reading.pages[0].scores
    tags = list(reading.tags)
    for word in (4, 5):
        scores[word] = 0
        scores[word, tags.index("I-LINE_DESCRIPTION")] = 1
    rows = extract_invoice(document, reading, reading).line_items
    assert [row.description for row in rows] == ["Blue chair with arms", "Red desk"]
