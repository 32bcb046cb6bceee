"""A file that is itself an electronic invoice: its values are the XML's, and `high` still needs both models."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from serve_app.documents.einvoice.document import read_xml
from serve_app.documents.options import ReadOptions
from serve_app.domain.document import Document
from serve_app.domain.invoice import Confidence, Detail, DocumentType, Extraction, Field, TaxLine
from serve_app.domain.labels import Label
from serve_app.extraction.extract import extract_with_evidence
from tests.documents.einvoice.samples import ubl, ubl_credit_note
from tests.extraction.pages import extract_invoice, reading_of

LABELS = {
    "RE-2026-118": Label.INVOICE_NUMBER,
    "2026-03-05": Label.ISSUE_DATE,
    "2026-04-04": Label.DUE_DATE,
    "190.00": Label.TAX,
    "1000.00": Label.SUBTOTAL,
}


@pytest.fixture(scope="module")
def document() -> Document:
    return read_xml(ubl(), ReadOptions())


def labelled(document: Document, labels: dict[str, Label]) -> list[str]:
    """The words with labels; the total and the seller's name are known by their places."""
    words = [word.text for word in document.pages[0].words]
    written = [f"{word}|{labels[word]}" if word in labels else word for word in words]
    if Label.TOTAL in labels.values():
        written[words.index("Gesamtbetrag") + 1] = f"1190.00|{Label.TOTAL}"
    if Label.SELLER in labels.values():
        name = slice(words.index("Lindner"), words.index("GmbH") + 1)
        written[name] = [f"{word}|{Label.SELLER}" for word in words[name]]
    return [" ".join(written)]


def read(document: Document, labels: dict[str, Label]) -> Extraction:
    page = labelled(document, labels)
    return extract_invoice(document, reading_of(page), reading_of(page))


ALL = LABELS | {"total": Label.TOTAL, "seller": Label.SELLER}


class TestValues:
    def test_all_are_the_xmls_though_the_models_see_nothing(self, document: Document) -> None:
        found = read(document, {})
        assert (found.vendor_name, found.invoice_number) == ("Lindner Druck GmbH", "RE-2026-118")
        assert (found.amount, found.tax, found.currency) == (Decimal("1190.00"), Decimal("190.00"), "EUR")
        assert (found.issued_at, found.due_at) == (date(2026, 3, 5), date(2026, 4, 4))
        assert found.document_type is DocumentType.INVOICE
        assert [item.description for item in found.line_items] == ["Brochures", "Layout work"]
        assert [item.unit_price for item in found.line_items] == [Decimal("1.2"), Decimal("90.00")]
        assert set((found.field_confidence or {}).values()) == {Confidence.MID}
        assert not found.auto_verified

    def test_what_both_models_read_keeps_its_confidence(self, document: Document) -> None:
        found = read(document, ALL)
        assert found.field_confidence is not None
        assert found.field_confidence[Field.INVOICE_NUMBER] is Confidence.HIGH
        assert found.field_confidence[Field.AMOUNT] is Confidence.HIGH

    def test_another_reading_gives_way_and_is_not_high(self, document: Document) -> None:
        found = read(document, ALL | {"RE-2026-118": Label.OTHER_NUMBER, "RE-2026-100": Label.INVOICE_NUMBER})
        assert found.invoice_number == "RE-2026-118"
        assert (found.field_confidence or {})[Field.INVOICE_NUMBER] is Confidence.MID

    def test_what_the_xml_does_not_state_has_no_value(self, document: Document) -> None:
        assert document.einvoice is not None
        found = read(replace(document, einvoice=replace(document.einvoice, due_at=None)), ALL)
        assert found.due_at is None
        assert Field.DUE_AT not in (found.field_confidence or {})
        assert Field.DUE_AT not in (found.citations or {})

    def test_details_are_the_xmls(self, document: Document) -> None:
        details = read(document, {}).details
        assert details is not None
        assert (details.buyer_name, details.purchase_order) == ("Stadtwerke Nordhafen", "PO-77")
        assert (details.subtotal, details.discount) == (Decimal("1000.00"), Decimal("50.00"))
        assert details.amount_due == Decimal("1190.00")
        assert (details.vendor_tax_id, details.iban) == ("DE136695976", "DE88200800000970375700")
        assert details.tax_lines == [TaxLine(rate=Decimal(19), base=Decimal("1000.00"), amount=Decimal("190.00"))]
        assert details.payment_terms == "30 days net"
        proved = {Detail.VENDOR_TAX_ID, Detail.IBAN}
        assert {details.field_confidence[detail] for detail in details.field_confidence.keys() - proved} == {
            Confidence.MID
        }

    def test_a_credit_note_is_one(self) -> None:
        document = read_xml(ubl_credit_note(), ReadOptions())
        assert read(document, {}).document_type is DocumentType.CREDIT_NOTE


class TestEvidence:
    def test_a_value_of_the_xml_alone_is_doubted_for_that_reason(self, document: Document) -> None:
        assert document.einvoice is not None
        other = replace(document, einvoice=replace(document.einvoice, number="RE-2026-999"))
        page = labelled(document, ALL)
        extracted = extract_with_evidence(other, reading_of(page), reading_of(page))
        seen = extracted.evidence.fields[str(Field.INVOICE_NUMBER)]
        assert seen.doubt is not None
        assert seen.doubt.text == "The electronic invoice states it; the models did not read it so."
        assert (seen.candidates, seen.may_be_high) == ((), False)


class TestPlaces:
    def test_every_value_is_cited_where_the_page_prints_it(self, document: Document) -> None:
        found = read(document, {})
        assert found.citations is not None
        texts = {field: place.text for field, place in found.citations.items() if not isinstance(place, list)}
        assert texts == {
            Field.VENDOR: "Lindner Druck GmbH",
            Field.INVOICE_NUMBER: "RE-2026-118",
            Field.AMOUNT: "1190.00",
            Field.CURRENCY: "EUR",
            Field.ISSUED_AT: "2026-03-05",
            Field.DUE_AT: "2026-04-04",
            Field.TAX: "190.00",
        }
        rows = found.citations[Field.LINE_ITEMS]
        assert isinstance(rows, list)
        assert [row.text for row in rows] == ["Brochures", "Layout work"]

    def test_details_are_cited(self, document: Document) -> None:
        details = read(document, {}).details
        assert details is not None
        assert details.citations is not None
        iban = details.citations[Detail.IBAN]
        assert not isinstance(iban, list)
        assert iban.text == "DE88200800000970375700"

    def test_the_page_matches(self, document: Document) -> None:
        check = read(document, {}).einvoice
        assert check is not None
        assert (check.profile, check.matches_page, check.differences) == ("XRechnung 3.0", True, [])
