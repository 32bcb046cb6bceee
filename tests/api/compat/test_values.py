"""A value has the level that it has now, whoever it is from."""

from decimal import Decimal

import pytest

from serve_app.api.compat.values import Found, found, rows, share
from serve_app.domain.invoice import (
    Citation,
    Confidence,
    Details,
    DocumentType,
    Field,
    FieldSource,
    Invoice,
    LineItem,
)
from serve_app.domain.target_precision import TargetPrecision
from tests.support import make_invoice

PLACE = Citation(page=1, box=(0.1, 0.2, 0.3, 0.4), text="1,190.50 EUR")


def invoice_with(source: FieldSource) -> Invoice:
    return make_invoice().model_copy(
        update={
            "amount": Decimal("1190.50"),
            "line_items": [LineItem(description="Paper", quantity=Decimal(2), unit_price=None, confidence=None)],
            "field_confidence": {Field.AMOUNT: Confidence.MID, Field.LINE_ITEMS: Confidence.MID},
            "field_source": {Field.AMOUNT: source, Field.LINE_ITEMS: source},
            "citations": {Field.AMOUNT: PLACE, Field.LINE_ITEMS: [PLACE]},
            "document_type": DocumentType.RECEIPT,
            "document_type_confidence": Confidence.LOW,
            "document_type_source": source,
        }
    )


class TestFound:
    @pytest.mark.parametrize("source", [FieldSource.MODELS, FieldSource.EINVOICE])
    def test_what_was_read_keeps_its_level_and_place(self, source: FieldSource) -> None:
        invoice = invoice_with(source)
        assert found(invoice, "amount") == Found(Decimal("1190.50"), Confidence.MID, PLACE, "1,190.50 EUR")
        assert rows(invoice, "line_items")[0]["quantity"] == Found(Decimal(2), Confidence.MID, PLACE)
        assert found(invoice, "document_type") == Found("receipt", Confidence.LOW)

    def test_what_a_person_entered_is_high_and_has_no_place(self) -> None:
        invoice = invoice_with(FieldSource.PERSON)
        assert found(invoice, "amount") == Found(Decimal("1190.50"), Confidence.HIGH)
        assert rows(invoice, "line_items")[0] == {
            "description": Found("Paper", Confidence.HIGH),
            "quantity": Found(Decimal(2), Confidence.HIGH),
        }
        assert found(invoice, "document_type") == Found("receipt", Confidence.HIGH)

    def test_what_is_not_there_is_none(self) -> None:
        assert found(make_invoice(), "details.iban") is None
        assert found(make_invoice().model_copy(update={"details": Details()}), "details.iban") is None
        assert found(make_invoice(), "document_type") is None
        assert rows(make_invoice(), "details.tax_lines") == []


class TestShare:
    def test_high_is_the_target_precision(self) -> None:
        invoice = make_invoice()
        assert [share(invoice, level) for level in (*Confidence, None)] == [0.99, 0.5, 0.0, None]
        strict = invoice.model_copy(update={"target_precision": TargetPrecision.HIGHEST})
        assert share(strict, Confidence.HIGH) == 0.999
