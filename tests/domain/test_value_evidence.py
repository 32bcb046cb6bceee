"""What speaks for a value."""

from decimal import Decimal
from typing import Any

import pytest

from serve_app.domain.code_kinds import CodeKind
from serve_app.domain.embedded_data import Code, CodeValues
from serve_app.domain.evidence import Candidate, FieldEvidence, ReadBy
from serve_app.domain.invoice import Correction, Details, FileInfo, Invoice, InvoiceReview
from serve_app.domain.provenance import with_sources
from serve_app.domain.value_evidence import EvidenceKind, evidence_for
from tests.support import NOON, make_invoice

AGREE = FieldEvidence(models_agree=True)
ONE = FieldEvidence((Candidate("119.00", "119,00", (ReadBy.VERIFIER,), 0.7, 1, (0, 0, 1, 1)),))


def coded(**values: Any) -> Code:
    return Code(
        **{"kind": CodeKind.EPC, "profile": "EPC", "page": 1, "box": (0, 0, 1, 1), "text": "BCD", "differences": []},
        values=CodeValues(**values),
        matches_page=True,
    )


def invoice(**values: Any) -> Invoice:
    details = Details(subtotal=Decimal(100), iban="DE88200800000970375700", vendor_tax_id="DE136695976")
    given = {"vendor_name": "Akme GmbH", "amount": Decimal("119.00"), "tax": Decimal(19), "details": details}
    return with_sources(make_invoice().model_copy(update=given | values))


@pytest.mark.parametrize(
    ("name", "found", "seen", "kinds"),
    [
        ("amount", invoice(), AGREE, ["extractor", "verifier", "sums"]),
        ("amount", invoice(tax=None), ONE, ["verifier"]),
        ("amount", invoice(tax=Decimal(20), codes=[coded(amount=Decimal(119))]), FieldEvidence(), ["code"]),
        ("amount", invoice(tax=None, codes=[coded(amount=Decimal(100))]), FieldEvidence(), []),
        ("amount", invoice(amount=None), AGREE, []),
        ("vendor", invoice(codes=[coded(vendor_name="AKME")]), FieldEvidence(earlier=("7",)), ["code", "history"]),
        ("vendor_tax_id", invoice(codes=[coded(tax_ids=["DE136695976"])]), FieldEvidence(), ["code"]),
        ("iban", invoice(codes=[coded(iban="DE88200800000970375700")]), AGREE, ["extractor", "verifier", "code"]),
        ("purchase_order", invoice(), AGREE, []),
    ],
)
def test_what_speaks_for_a_value(name: str, found: Invoice, seen: FieldEvidence, kinds: list[str]) -> None:
    assert evidence_for(found, name, seen, is_decided=False) == [EvidenceKind(kind) for kind in kinds]


def test_models_do_not_speak_for_what_a_person_has_entered() -> None:
    correction = Correction(read="118.00", by="ann@example.com", at=NOON)
    review = InvoiceReview(fields=["amount"], corrections={"amount": correction})
    entered = invoice(review=review, tax=None)

    assert evidence_for(entered, "amount", AGREE, is_decided=True) == [EvidenceKind.PERSON]


def test_values_of_an_electronic_invoice_are_its_own() -> None:
    file = FileInfo(name=None, mime_type="application/xml", size_bytes=None)

    assert evidence_for(invoice(file=file), "vendor", FieldEvidence(), is_decided=False) == [EvidenceKind.EINVOICE]
