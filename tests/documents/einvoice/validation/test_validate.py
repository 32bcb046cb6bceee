"""Electronic invoices and what the published rules say of them."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from serve_app.documents.einvoice.validation import validate
from serve_app.documents.einvoice.validation.validate import MOST_FINDINGS, validate_file
from serve_app.documents.einvoice.writers import write_cii, write_ubl
from serve_app.domain.einvoice import EInvoice, Totals
from serve_app.domain.einvoice_validation import FindingSeverity, Validation
from tests.documents.einvoice.hybrid import pdf_with
from tests.documents.einvoice.records import credit_note, full_record

Write = Callable[[EInvoice], bytes]

CORE = b"urn:cen.eu:en16931:2017"
XRECHNUNG = CORE + b"#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0"
PEPPOL = CORE + b"#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0"
LEVELS = {
    b"urn:factur-x.eu:1p0:minimum": "MINIMUM",
    b"urn:factur-x.eu:1p0:basicwl": "BASIC WL",
    CORE + b"#compliant#urn:factur-x.eu:1p0:basic": "BASIC",
    CORE + b"#conformant#urn:factur-x.eu:1p0:extended": "EXTENDED",
}


def rules_of(validation: Validation | None) -> set[str]:
    assert validation is not None
    return {finding.rule for finding in validation.findings}


class TestRules:
    @pytest.mark.parametrize("record", [full_record(), credit_note()])
    @pytest.mark.parametrize("write", [write_ubl, write_cii])
    def test_a_sound_invoice_is_valid(self, record: EInvoice, write: Write) -> None:
        validation = validate(write(record))
        assert validation.findings == ()
        assert validation.is_valid is True
        assert validation.specification == CORE.decode()

    @pytest.mark.parametrize("write", [write_ubl, write_cii])
    def test_a_wrong_sum_is_named_with_rule_text_and_place(self, write: Write) -> None:
        record = full_record()
        wrong = replace(record, totals=replace(record.totals, gross=Decimal("285.56")))
        validation = validate(write(wrong))
        (finding,) = [each for each in validation.findings if each.rule == "BR-CO-15"]
        assert finding.severity is FindingSeverity.ERROR
        assert finding.text.startswith("Invoice total amount with VAT (BT-112) = ")
        assert finding.place is not None
        assert ":" not in finding.place
        assert validation.is_valid is False

    def test_an_element_at_a_wrong_place_breaks_the_schema(self) -> None:
        xml = write_ubl(full_record()).replace(b"cbc:IssueDate>", b"cbc:DueDate>")
        assert "XSD" in rules_of(validate(xml))

    @pytest.mark.parametrize("write", [write_ubl, write_cii])
    def test_xrechnung_asks_for_more_than_the_core(self, write: Write) -> None:
        xml = write(replace(full_record(), buyer_reference=None))
        validation = validate(xml.replace(CORE + b"<", XRECHNUNG + b"<"))
        assert validation.checked_by[1:] == ("EN 16931", "XRechnung 3.0.2")
        assert "BR-DE-15" in rules_of(validation)

    def test_of_peppol_in_cii_only_the_rules_that_xrechnung_shares_are_checked_and_that_is_said(self) -> None:
        record = full_record()
        anonymous = replace(record, seller=replace(record.seller, electronic_address=None))
        validation = validate(write_cii(anonymous).replace(CORE + b"<", PEPPOL + b"<"))
        assert rules_of(validation) == {"PEPPOL-EN16931-R020"}
        assert validation.not_checked == ("Peppol BIS Billing 3.0 (other rules)",)

    def test_a_national_specification_is_checked_with_the_core_and_named(self) -> None:
        national = CORE + b"#compliant#urn:fdc:nen.nl:nlcius:v1.0"
        validation = validate(write_ubl(full_record()).replace(CORE + b"<", national + b"<"))
        assert validation.is_valid is True
        assert validation.not_checked == (national.decode(),)

    @pytest.mark.parametrize(("specification", "name"), LEVELS.items())
    def test_each_level_of_factur_x_has_its_own_rules(self, specification: bytes, name: str) -> None:
        xml = write_cii(replace(full_record(), totals=Totals()))
        validation = validate(xml.replace(CORE + b"<", specification + b"<"))
        assert validation.checked_by == (f"Factur-X {name} schema", f"Factur-X {name}")
        assert validation.is_valid is False

    def test_what_a_level_of_factur_x_does_not_use_has_a_name(self) -> None:
        xml = write_cii(full_record()).replace(CORE + b"<", b"urn:factur-x.eu:1p0:minimum<")
        rules = rules_of(validate(xml))
        assert "PROFILE" in rules
        assert "" not in rules

    def test_findings_are_bounded(self) -> None:
        record = full_record()
        line = replace(record.lines[0], net=None)
        assert len(validate(write_ubl(replace(record, lines=(line,) * 300))).findings) == MOST_FINDINGS


class TestOtherFiles:
    def test_a_syntax_without_rules_is_neither_valid_nor_invalid(self) -> None:
        validation = validate(b'<Comprobante xmlns="http://www.sat.gob.mx/cfd/4" Version="4.0"/>')
        assert validation == Validation(None)
        assert validation.is_valid is None

    @pytest.mark.parametrize(
        "xml",
        [
            b"",
            b"<Invoice",
            b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
            b'<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>',
            b"<a>" * 10_000 + b"</a>" * 10_000,
            write_ubl(full_record())[:-200],
        ],
    )
    def test_unsafe_or_broken_xml_is_a_finding(self, xml: bytes) -> None:
        validation = validate(xml)
        assert rules_of(validation) == {"XML"}
        assert validation.is_valid is False

    def test_the_invoice_in_a_pdf_is_checked(self) -> None:
        xml = write_cii(full_record())
        assert validate_file(pdf_with(("factur-x.xml", xml))) == validate(xml)
        assert validate_file(pdf_with(("notes.txt", b"notes"))) is None
