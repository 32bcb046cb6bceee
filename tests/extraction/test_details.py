"""What bookkeeping needs besides the header fields."""

from decimal import Decimal

import pytest

from serve_app.domain.invoice import Confidence, Detail, Details, DocumentType, TaxLine
from tests.extraction.pages import Lines, document_of, extract_invoice, reading_of

INVOICE = [
    "Akme|SELLER Tools|SELLER Ltd|SELLER",
    "VAT no. GB980780684|OTHER_NUMBER",
    "Bill to: Northwind|BUYER Paper|BUYER",
    "Invoice No. INV-0042|INVOICE_NUMBER",
    "Your order PO-4711|OTHER_NUMBER",
    "Date: 05/03/2024|ISSUE_DATE",
    "Hammer|LINE_DESCRIPTION 20% 2|LINE_QUANTITY 10.00|LINE_UNIT_PRICE 20.00|LINE_TOTAL",
    "Saw|LINE_DESCRIPTION 20% 1|LINE_QUANTITY 30.00|LINE_UNIT_PRICE 30.00|LINE_TOTAL",
    "Subtotal 50.00|SUBTOTAL",
    "Discount 5.00|DISCOUNT",
    "Shipping 5.00|SHIPPING",
    "VAT 20% on 50.00 10.00|TAX",
    "Total £60.00|TOTAL",
    "Paid 25.00|PAID",
    "Balance due 35.00|AMOUNT_DUE",
    "Terms: Net 30 days",
    "IBAN GB82 WEST 1234 5698 7654 32",
]


def details(lines: Lines, verifier: Lines | None = None) -> Details:
    found = extract_invoice(document_of(lines), reading_of(lines), reading_of(verifier or lines)).details
    assert found is not None
    return found


def without(*names: str) -> list[str]:
    return [line for line in INVOICE if not line.startswith(names)]


def test_every_detail_of_a_plain_invoice_is_read() -> None:
    found = details(INVOICE)
    assert found.model_dump(exclude={"field_confidence", "citations"}) == Details(
        buyer_name="Northwind Paper",
        purchase_order="PO-4711",
        subtotal=Decimal("50.00"),
        tax_lines=[TaxLine(rate=Decimal(20), base=Decimal("50.00"), amount=Decimal("10.00"))],
        shipping=Decimal("5.00"),
        discount=Decimal("5.00"),
        amount_due=Decimal("35.00"),
        amount_paid=Decimal("25.00"),
        vendor_tax_id="GB980780684",
        iban="GB82WEST12345698765432",
        payment_terms="Net 30 days",
    ).model_dump(exclude={"field_confidence", "citations"})


def test_each_detail_has_its_confidence_and_its_place() -> None:
    found = details(INVOICE)
    there = {detail for detail in Detail if getattr(found, detail.value)}
    assert set(found.field_confidence) == set(found.citations or {}) == there
    places = (found.citations or {})[Detail.TAX_LINES]
    assert isinstance(places, list)
    assert [place.text for place in places] == ["10.00"]


def test_parts_of_the_sum_are_high_when_both_models_agree_and_the_sum_holds() -> None:
    levels = details(INVOICE).field_confidence
    sums = (Detail.SUBTOTAL, Detail.SHIPPING, Detail.DISCOUNT, Detail.TAX_LINES, Detail.AMOUNT_DUE, Detail.AMOUNT_PAID)
    assert {levels[detail] for detail in sums} == {Confidence.HIGH}


def test_a_part_that_only_one_model_sees_is_not_high() -> None:
    verifier = [line.replace("5.00|SHIPPING", "5.00") for line in INVOICE]
    levels = details(INVOICE, verifier).field_confidence
    assert levels[Detail.SHIPPING] is not Confidence.HIGH
    assert levels[Detail.SUBTOTAL] is Confidence.HIGH


def test_a_part_that_the_sum_contradicts_is_not_high() -> None:
    found = details([line.replace("Paid 25.00", "Paid 20.00") for line in INVOICE])
    assert found.amount_paid == Decimal("20.00")
    assert found.field_confidence[Detail.AMOUNT_PAID] is not Confidence.HIGH


def test_what_no_model_speaks_for_is_a_guess() -> None:
    assert details(INVOICE).field_confidence[Detail.PAYMENT_TERMS] is Confidence.LOW


def test_what_is_not_printed_is_null() -> None:
    found = details(
        without("Bill to", "Your order", "Discount", "Shipping", "Paid", "Balance", "Terms", "IBAN", "VAT no")
    )
    assert (found.buyer_name, found.purchase_order, found.payment_terms, found.iban) == (None, None, None, None)
    assert (found.discount, found.shipping, found.amount_paid, found.amount_due) == (None, None, None, None)


def test_a_document_without_any_detail_has_none() -> None:
    lines = ["Akme|SELLER Tools|SELLER Ltd|SELLER", "Total £60.00|TOTAL"]
    assert extract_invoice(document_of(lines), reading_of(lines), reading_of(lines)).details is None


def test_days_are_no_payment() -> None:
    assert details([*without("Paid", "Terms"), "Payment 30 days"]).amount_paid is None


def test_the_taxes_of_several_rates_make_the_tax() -> None:
    lines = [
        *without("VAT 20%", "Total", "Paid", "Balance", "Discount", "Shipping"),
        "VAT 20% 40.00 8.00|TAX_LINE",
        "VAT 5% 10.00 0.50|TAX_LINE",
        "Total tax 8.50|TAX",
        "Total £58.50|TOTAL",
    ]
    found = details(lines)
    assert found.tax_lines == [
        TaxLine(rate=Decimal(20), base=Decimal("40.00"), amount=Decimal("8.00")),
        TaxLine(rate=Decimal(5), base=Decimal("10.00"), amount=Decimal("0.50")),
    ]
    assert found.field_confidence[Detail.TAX_LINES] is Confidence.HIGH


def test_a_rate_that_is_printed_elsewhere_completes_the_only_tax() -> None:
    lines = [line.replace("VAT 20% on 50.00", "VAT") for line in without("Discount", "Shipping")]
    lines = [*[line.replace(" 20%", "") for line in lines], "All prices include 20% VAT"]
    assert details(lines).tax_lines == [TaxLine(rate=Decimal(20), base=Decimal("50.00"), amount=Decimal("10.00"))]


def test_identifiers_with_wrong_check_digits_are_nobody_s() -> None:
    lines = [line.replace("GB82 WEST", "GB83 WEST").replace("GB980780684", "GB980780685") for line in INVOICE]
    assert (details(lines).iban, details(lines).vendor_tax_id) == (None, None)


def test_what_a_letter_puts_behind_the_buyer_is_no_part_of_the_name() -> None:
    lines = ("アクメ株式会社|SELLER", "ベイスプル株式会社|BUYER 御中|BUYER")
    assert details(lines).buyer_name == "ベイスプル株式会社"


def test_the_buyer_s_tax_number_is_distinguished_from_the_vendor_s() -> None:
    lines = [*INVOICE[:3], "Your VAT no. DE136695976|OTHER_NUMBER", *INVOICE[3:]]
    assert (details(lines).vendor_tax_id, details(lines).buyer_tax_id) == ("GB980780684", "DE136695976")


def test_the_invoice_s_own_number_is_no_order() -> None:
    lines = [line.replace("PO-4711", "INV-0042") for line in INVOICE]
    assert details(lines).purchase_order is None


def test_line_items_have_their_total_and_their_tax_rate() -> None:
    items = extract_invoice(document_of(INVOICE), reading_of(INVOICE), reading_of(INVOICE)).line_items
    assert [(item.total, item.tax_rate) for item in items] == [
        (Decimal("20.00"), Decimal(20)),
        (Decimal("30.00"), Decimal(20)),
    ]


@pytest.mark.parametrize(
    "terms",
    [
        "Net 30",
        "due on receipt",
        "zahlbar innerhalb 14 Tagen",
        "30 jours fin de mois",
        "pago a 60 días",
        "pagamento a 30 giorni",
        "binnen 30 dagen",
    ],
)
def test_terms_are_found_without_a_caption(terms: str) -> None:
    assert details([*without("Terms"), f"Please note: {terms}"]).payment_terms == terms


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("INVOICE", DocumentType.INVOICE),
        ("Tax Invoice", DocumentType.INVOICE),
        ("Credit Note", DocumentType.CREDIT_NOTE),
        ("RECHNUNGS-KORREKTUR", DocumentType.CREDIT_NOTE),
        ("Receipt", DocumentType.RECEIPT),
        ("Quotation", DocumentType.OTHER),
        ("Lieferschein", DocumentType.OTHER),
        ("Tilbudsnr. 2025-0217", DocumentType.OTHER),
        ("Kvittering", DocumentType.INVOICE),
    ],
)
def test_the_title_names_the_type(title: str, expected: DocumentType) -> None:
    lines = [title, *INVOICE]
    result = extract_invoice(document_of(lines), reading_of(lines), reading_of(lines))
    assert result.document_type is expected


def test_nothing_is_high_on_a_document_that_asks_for_no_payment() -> None:
    lines = ["Quotation", *(line.replace("Invoice No", "Quote No") for line in INVOICE)]
    result = extract_invoice(document_of(lines), reading_of(lines), reading_of(lines))
    assert result.amount == Decimal("60.00")
    levels = {*(result.field_confidence or {}).values(), *(item.confidence for item in result.line_items)}
    assert result.details is not None
    assert Confidence.HIGH not in {*levels, *result.details.field_confidence.values(), result.document_type_confidence}
    assert not result.auto_verified


def test_the_type_is_high_when_the_title_and_the_sums_agree() -> None:
    lines = ["INVOICE", *INVOICE]
    result = extract_invoice(document_of(lines), reading_of(lines), reading_of(lines))
    assert result.document_type_confidence is Confidence.HIGH
