"""Peppol's own rules, those of countries, and what XRechnung lowers to warnings."""

from dataclasses import replace
from decimal import Decimal

import pytest

from serve_app.documents.einvoice.validation import validate
from serve_app.documents.einvoice.writers import write_ubl
from serve_app.domain.einvoice import EInvoice, Identifier
from serve_app.domain.einvoice_validation import FindingSeverity, Validation
from tests.documents.einvoice.records import credit_note, full_record
from tests.documents.einvoice.samples import PEPPOL, XRECHNUNG

EXTENSION = f"{XRECHNUNG}#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0"
VEHICLES = f"{XRECHNUNG}#compliant#urn:xeinkauf.de:kosit:xrechnung:cvd_0.9"


def sound(record: EInvoice | None = None) -> EInvoice:
    """With electronic addresses of a list that Peppol has."""
    record = record or full_record()
    seller, buyer = (
        replace(each, electronic_address=Identifier("4012345000009", "0088")) for each in (record.seller, record.buyer)
    )
    return replace(record, seller=seller, buyer=buyer)


def checked(record: EInvoice, specification: str = PEPPOL, *changes: tuple[str, str]) -> Validation:
    xml = write_ubl(record).decode().replace(">urn:cen.eu:en16931:2017<", f">{specification}<")
    for old, new in changes:
        assert old in xml
        xml = xml.replace(old, new)
    return validate(xml.encode())


def rules_of(validation: Validation) -> set[str]:
    return {finding.rule for finding in validation.findings}


@pytest.mark.parametrize("record", [full_record(), credit_note()], ids=["invoice", "credit note"])
def test_a_sound_invoice_is_valid_and_fully_checked(record: EInvoice) -> None:
    validation = checked(sound(record))
    assert validation.findings == ()
    assert validation.checked_by[1:] == ("EN 16931", "Peppol BIS Billing 3.0.21")
    assert validation.not_checked == ()


@pytest.mark.parametrize(
    ("rule", "old", "new"),
    [
        ("PEPPOL-EN16931-R002", "<cbc:Note>Thank", "<cbc:Note>Twice.</cbc:Note><cbc:Note>Thank"),
        ("PEPPOL-EN16931-R007", "billing:01:1.0", "billing:1"),
        ("PEPPOL-EN16931-CL008", 'EndpointID schemeID="0088"', 'EndpointID schemeID="EM"'),
        ("PEPPOL-COMMON-R040", ">4012345000009<", ">4012345000008<"),
        ("PEPPOL-EN16931-P0100", "InvoiceTypeCode>380", "InvoiceTypeCode>389"),
        ("PEPPOL-EN16931-R120", 'unitCode="C62">4<', 'unitCode="C62">5<'),
    ],
)  # fmt: skip
def test_a_broken_rule_is_named_with_its_place(rule: str, old: str, new: str) -> None:
    found = [each for each in checked(sound(), PEPPOL, (old, new)).findings if each.rule == rule]
    assert found
    assert found[0].severity is FindingSeverity.ERROR
    assert ":" not in (found[0].place or "")


def test_a_reference_of_the_buyer_or_an_order_is_needed() -> None:
    assert rules_of(checked(replace(sound(), buyer_reference=None))) == set()
    assert rules_of(checked(replace(sound(), buyer_reference=None, order=None, sales_order=None))) == {
        "PEPPOL-EN16931-R003"
    }


def test_a_country_has_rules_of_its_own() -> None:
    danish = checked(sound(), PEPPOL, ("IdentificationCode>DE<", "IdentificationCode>DK<"))
    assert "DK-R-014" in rules_of(danish)


def test_xrechnungs_variants_lower_rules_of_the_core() -> None:
    due = sound()
    due = replace(due, totals=replace(due.totals, due=Decimal("210.00")))
    levels = {
        name: [each.severity for each in checked(due, name).findings if each.rule == "BR-CO-16"]
        for name in (XRECHNUNG, VEHICLES, EXTENSION)
    }
    assert levels == {
        XRECHNUNG: [FindingSeverity.ERROR],
        VEHICLES: [FindingSeverity.ERROR],
        EXTENSION: [FindingSeverity.WARNING],
    }
    assert checked(sound(), VEHICLES).checked_by[-1] == "XRechnung 3.0.2"
