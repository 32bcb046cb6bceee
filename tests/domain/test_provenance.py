"""Where values come from: what a person has entered is never taken for the models' word."""

from datetime import date
from decimal import Decimal
from typing import Any

from serve_app.domain.invoice import (
    Confidence,
    Detail,
    Details,
    DocumentType,
    Extraction,
    Field,
    FieldSource,
    Invoice,
    LineItem,
)
from serve_app.domain.provenance import provenance_of
from serve_app.domain.record import completed
from serve_app.domain.review import NO_REVIEW, Decision, overlaid
from tests.support import NOON, make_invoice

READ = Extraction(
    vendor_name="Acme Ltd",
    amount=Decimal("100.00"),
    currency="EUR",
    due_at=date(2026, 6, 1),
    line_items=[LineItem(description="Bolt", quantity=Decimal(1), unit_price=None, confidence=Confidence.HIGH)],
    document_type=DocumentType.INVOICE,
    document_type_confidence=Confidence.HIGH,
    field_confidence=dict.fromkeys((Field.VENDOR, Field.AMOUNT, Field.DUE_AT, Field.LINE_ITEMS), Confidence.HIGH),
    details=Details(iban="DE89370400440532013000", field_confidence={Detail.IBAN: Confidence.HIGH}),
)


def corrected(**values: Any) -> Invoice:
    """The invoice in which Ann has entered these values."""
    said = {name: Decision(value=value, by="ann@example.com", at=NOON) for name, value in values.items()}
    return overlaid(completed(make_invoice(), READ, NOON), NO_REVIEW.changed(said))[0]


def test_everything_that_was_read_comes_from_the_models() -> None:
    invoice = completed(make_invoice(), READ, NOON)
    assert set(invoice.field_source) == {
        *(Field.VENDOR, Field.AMOUNT, Field.CURRENCY, Field.DUE_AT, Field.LINE_ITEMS),
    }
    assert {*invoice.field_source.values(), invoice.document_type_source} == {FieldSource.MODELS}
    assert invoice.details is not None
    assert invoice.details.field_source == {Detail.IBAN: FieldSource.MODELS}
    assert provenance_of(invoice, Field.AMOUNT).level is Confidence.HIGH


def test_a_correction_comes_from_its_person_and_keeps_what_was_read() -> None:
    invoice = corrected(amount="9.00", iban="GB33BUKB20201555555555", document_type="receipt", tax="1.00")
    for name, read in (
        ("amount", "100.00"),
        ("iban", "DE89370400440532013000"),
        ("document_type", "invoice"),
        ("tax", None),
    ):
        found = provenance_of(invoice, name)
        assert (found.source, found.level) == (FieldSource.PERSON, None), name
        assert found.correction is not None
        assert (found.correction.read, found.correction.by, found.correction.at) == (read, "ann@example.com", NOON)
    assert invoice.field_source[Field.VENDOR] is FieldSource.MODELS
    assert (invoice.field_confidence or {})[Field.AMOUNT] is Confidence.HIGH


def test_that_there_is_no_value_comes_from_the_person_who_says_so() -> None:
    invoice = corrected(due_at=None)
    assert (invoice.due_at, invoice.field_source[Field.DUE_AT]) == (None, FieldSource.PERSON)


def test_who_confirms_what_was_read_has_entered_nothing() -> None:
    invoice = corrected(amount="100", due_at="2026-06-01")
    assert provenance_of(invoice, Field.AMOUNT).level is Confidence.HIGH
    assert invoice.review.corrections == {}
    assert set(invoice.field_source.values()) == {FieldSource.MODELS}


def test_a_corrected_table_comes_from_its_person() -> None:
    rows = [{"description": "Nut", "quantity": "2", "unit_price": "3", "total": None, "tax_rate": None}]
    found = provenance_of(corrected(line_items=rows), Field.LINE_ITEMS)
    assert (found.source, found.level) == (FieldSource.PERSON, None)
    assert found.correction is not None
    assert found.correction.read is None


def test_a_value_that_is_missing_has_no_source() -> None:
    assert provenance_of(make_invoice(), Field.AMOUNT).source is None
    assert provenance_of(corrected(), Detail.SUBTOTAL).source is None
