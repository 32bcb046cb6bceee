"""What is an invoice or a receipt, and what is another kind of document."""

import pytest

from serve_app.domain.invoice import Confidence, DocumentType, Extraction
from tests.extraction.pages import document_of, extract_invoice, reading_of

PAYABLE = [
    "Akme|SELLER Tools|SELLER Ltd|SELLER",
    "No. 2024-0042|INVOICE_NUMBER",
    "Date: 05/03/2024|ISSUE_DATE",
    "Hammer|LINE_DESCRIPTION 2|LINE_QUANTITY 10.00|LINE_UNIT_PRICE 20.00|LINE_TOTAL",
    "Saw|LINE_DESCRIPTION 1|LINE_QUANTITY 30.00|LINE_UNIT_PRICE 30.00|LINE_TOTAL",
    "Net 50.00|SUBTOTAL",
    "VAT 20% 10.00|TAX",
    "To pay £60.00|TOTAL",
]


def read(*lines: str, verifier: list[str] | None = None, is_foreign: bool = True) -> Extraction:
    """What is found on a page, which looks like one of another kind of document unless told otherwise."""
    page = list(lines)
    return extract_invoice(document_of(page), reading_of(page), reading_of(verifier or page), is_foreign=is_foreign)


def without(label: str) -> list[str]:
    return [line.replace(f"|{label}", "") for line in PAYABLE]


def test_who_states_issuer_day_and_sum_has_made_an_invoice() -> None:
    found = read(*PAYABLE)
    assert found.document_type is DocumentType.INVOICE
    assert found.auto_verified


@pytest.mark.parametrize("label", ["ISSUE_DATE", "TOTAL"])
def test_without_a_day_or_a_sum_that_both_models_see_it_is_another_document(label: str) -> None:
    found = read(*PAYABLE, verifier=without(label))
    assert found.document_type is DocumentType.OTHER
    assert found.amount is not None
    assert Confidence.HIGH not in (found.field_confidence or {}).values()


def test_under_an_invoice_s_title_two_of_the_three_are_enough() -> None:
    page = ["Invoice", *without("ISSUE_DATE")]
    assert read("Invoice", *PAYABLE, verifier=page).document_type is DocumentType.INVOICE


@pytest.mark.parametrize(
    "title",
    [
        "Кредитно известие",
        "Knjižno odobrenje",
        "Factură storno",
        "Sztornó számla",
        "Розрахунок коригування",
        "수정 세금계산서",
    ],
)
def test_a_credit_note_is_known_by_its_title(title: str) -> None:
    assert read(title, *PAYABLE, is_foreign=False).document_type is DocumentType.CREDIT_NOTE


@pytest.mark.parametrize("line", ["Solde (avoir d'avril) ~ -38.12", "Less credit note ~ 38.12", "ABONO PORTES ~ -4.10"])
def test_an_invoice_that_takes_off_a_credit_note_is_none(line: str) -> None:
    assert read("Invoice", line, *PAYABLE, is_foreign=False).document_type is DocumentType.INVOICE


@pytest.mark.parametrize("title", ["Quotation", "Auftragsbestätigung", "Estado de cuenta", "見積書", "Оферта"])
def test_a_title_of_another_document_decides(title: str) -> None:
    found = read(title, *PAYABLE, is_foreign=False)
    assert found.document_type is DocumentType.OTHER
    assert found.vendor_name == "Akme Tools Ltd"
    assert Confidence.HIGH not in (found.field_confidence or {}).values()


@pytest.mark.parametrize(
    "caption", ["Terms ~ ~ 30 days", "Contract ~ ~ C-17", "Purchase Order ~ ~ 4500123", "Pedido ~ ~ 77"]
)
def test_a_caption_with_its_value_is_no_title(caption: str) -> None:
    assert read(caption, *PAYABLE, is_foreign=False).document_type is DocumentType.INVOICE


def test_a_caption_over_its_value_is_no_title() -> None:
    assert read("Contract", "4500123", *PAYABLE, is_foreign=False).document_type is DocumentType.INVOICE


def test_the_number_of_a_quotation_names_it_even_as_a_caption() -> None:
    found = read("Tilbudsnr. ~ ~ T-2208", *PAYABLE, is_foreign=False)
    assert found.document_type is DocumentType.OTHER


def test_the_end_of_a_sentence_is_no_title() -> None:
    assert read("been applied to this statement.", *PAYABLE, is_foreign=False).document_type is DocumentType.INVOICE
