"""Electronic invoices that are written keep the published rules, in every syntax, and are read as they were."""

from collections import defaultdict
from dataclasses import replace
from decimal import Decimal
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, StreamObject

from serve_app.documents.einvoice import einvoice_file, parse_einvoice, with_einvoice
from serve_app.documents.einvoice.write import write_einvoice
from serve_app.documents.einvoice.xmp import facturx_metadata
from serve_app.domain.einvoice import Adjustment, EInvoice, Line, Payment, Totals, VatBreakdown
from serve_app.domain.einvoice_order import EInvoiceFormat, EInvoiceMade, EInvoiceOrder
from serve_app.domain.errors import DocumentError
from tests.documents.einvoice.hybrid import cii, pdf_with
from tests.documents.einvoice.records import credit_note, full_record

UBL, CII, FACTURX = map(EInvoiceOrder, EInvoiceFormat)
CENT = Decimal("0.01")
CENTS = st.integers(1, 9_999_999).map(lambda cents: Decimal(cents) * CENT)
RATES = st.sampled_from([Decimal(rate) for rate in ("19", "7", "5.5", "20", "21")])


@st.composite
def records(draw: st.DrawFn) -> EInvoice:
    """Invoices and credit notes with any amounts, rates, allowances and currency, and sums that are right."""
    lines = tuple(
        Line(
            id=str(number),
            name="Item",
            quantity=draw(st.integers(1, 500).map(Decimal)),
            unit="C62",
            net=draw(CENTS),
            price=draw(CENTS),
            vat_category="S",
            vat_rate=draw(RATES),
        )
        for number in range(1, draw(st.integers(1, 4)) + 1)
    )
    adjustments = tuple(
        Adjustment(is_charge, draw(CENTS), vat_category="S", vat_rate=lines[0].vat_rate, reason="Agreed")
        for is_charge in draw(st.lists(st.booleans(), max_size=2))
    )
    bases: dict[Decimal | None, Decimal] = defaultdict(Decimal)
    for line in lines:
        bases[line.vat_rate] += line.net or 0
    for each in adjustments:
        bases[each.vat_rate] += signed(each)
    vat = tuple(
        VatBreakdown(base, (base * (rate or 0) / 100).quantize(CENT), "S", rate) for rate, base in bases.items()
    )
    net, tax = sum(bases.values(), Decimal(0)), sum((each.tax or Decimal(0) for each in vat), Decimal(0))
    return replace(
        full_record(),
        type_code=draw(st.sampled_from(["380", "381"])),
        currency=draw(st.sampled_from(["EUR", "PLN", "SEK", "USD"])),
        payment=Payment(terms="Net within 30 days"),
        due_at=None,
        adjustments=adjustments,
        totals=Totals(net=net, tax=tax, gross=net + tax, due=net + tax),
        vat=vat,
        lines=lines,
    )


def signed(adjustment: Adjustment) -> Decimal:
    amount = adjustment.amount or Decimal(0)
    return amount if adjustment.is_charge else -amount


def read_back(made: EInvoiceMade, like: EInvoice) -> EInvoice:
    xml = einvoice_file(made.data) if made.data.startswith(b"%PDF") else made.data
    assert xml is not None
    return replace(parse_einvoice(xml), syntax=like.syntax, profile=like.profile)


class TestXml:
    @pytest.mark.parametrize("record", [full_record(), credit_note()])
    @pytest.mark.parametrize("order", [UBL, CII])
    def test_a_record_is_valid_and_read_as_it_was(self, record: EInvoice, order: EInvoiceOrder) -> None:
        made = write_einvoice(b"", record, order)
        assert made.validation is not None
        assert (made.missing, made.validation.is_valid) == ((), True)
        assert read_back(made, record) == record

    @pytest.mark.parametrize(("first", "second"), [(UBL, CII), (CII, UBL)])
    def test_an_xml_file_is_written_in_the_other_syntax(self, first: EInvoiceOrder, second: EInvoiceOrder) -> None:
        xml = write_einvoice(b"", full_record(), first).data
        assert read_back(write_einvoice(xml, None, second), full_record()) == full_record()

    @given(records())
    @settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def test_any_sound_amounts_are_valid_and_read_back(self, record: EInvoice) -> None:
        for order in (UBL, CII):
            made = write_einvoice(b"", record, order)
            assert made.validation is not None
            assert made.validation.findings == ()
            back = read_back(made, record)
            assert (back.lines, back.vat, back.adjustments) == (record.lines, record.vat, record.adjustments)
            assert (back.totals.gross, back.totals.due, back.currency) == (
                record.totals.gross,
                record.totals.due,
                record.currency,
            )

    def test_terms_that_are_missing_are_named_and_nothing_is_written(self) -> None:
        record = replace(full_record(), number=None, seller=replace(full_record().seller, address=None))
        made = write_einvoice(b"", record, UBL)
        assert made == EInvoiceMade(missing=("BT-1 Invoice number", "BT-40 Seller country code"))
        with_country = write_einvoice(b"", record, EInvoiceOrder(EInvoiceFormat.UBL, seller_country="DE"))
        assert with_country.missing == ("BT-1 Invoice number",)

    def test_a_broken_rule_is_a_finding(self) -> None:
        record = replace(full_record(), totals=replace(full_record().totals, gross=Decimal("285.56")))
        made = write_einvoice(b"", record, CII)
        assert made.validation is not None
        assert made.validation.is_valid is False
        assert "BR-CO-15" in {finding.rule for finding in made.validation.findings}

    def test_a_file_without_an_electronic_invoice_is_refused(self) -> None:
        with pytest.raises(DocumentError):
            write_einvoice(pdf_with(), None, UBL)


PDFA_ID = "{http://www.aiim.org/pdfa/ns/id/}"
PDFA_SCHEMA = "{http://www.aiim.org/pdfa/ns/schema#}"
FX = "{urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#}"


def with_metadata(written: str) -> bytes:
    """A PDF that says this of itself."""
    writer = PdfWriter()
    writer.add_blank_page(595, 842)
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    inside = f"<rdf:RDF xmlns:rdf='{rdf}' xmlns:pdfaid='{PDFA_ID[1:-1]}'>{written}</rdf:RDF>"
    metadata = StreamObject()
    metadata.set_data(f"<x:xmpmeta xmlns:x='adobe:ns:meta/'>{inside}</x:xmpmeta>".encode())
    writer.root_object[NameObject("/Metadata")] = writer._add_object(metadata)
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def metadata_of(pdf: bytes) -> etree._Element:
    metadata = PdfReader(BytesIO(pdf)).root_object["/Metadata"].get_object()
    assert isinstance(metadata, StreamObject)
    return etree.fromstring(metadata.get_data())


def parts_of(metadata: etree._Element) -> list[str | None]:
    """Of the standard PDF/A, as elements or attributes."""
    return [
        value for each in metadata.iter() for value in (each.get(f"{PDFA_ID}part"), each.findtext(f"{PDFA_ID}part"))
    ]


class TestFacturX:
    def test_the_xml_is_an_associated_file_beside_other_attachments(self) -> None:
        pdf = pdf_with(("plan.txt", b"north"))
        made = write_einvoice(pdf, full_record(), FACTURX)
        assert made.data.startswith(pdf)
        assert read_back(made, full_record()) == full_record()
        reader = PdfReader(BytesIO(made.data))
        assert reader.attachments["plan.txt"] == [b"north"]
        (file,) = [entry.get_object() for entry in reader.root_object["/AF"]]  # type: ignore[attr-defined]
        assert (file["/UF"], file["/AFRelationship"]) == ("factur-x.xml", "/Alternative")
        assert file["/EF"]["/F"].get_object()["/Subtype"] == "/text/xml"

    @pytest.mark.parametrize(
        ("written", "part"),
        [
            ("<rdf:Description rdf:about='' pdfaid:part='1' pdfaid:conformance='B'/>", "3"),
            ("<rdf:Description rdf:about=''><pdfaid:part>2</pdfaid:part></rdf:Description>", "3"),
            ("<rdf:Description rdf:about='' pdfaid:part='4'/>", "4"),
            ("<rdf:Description rdf:about=''/>", None),
        ],
    )
    def test_a_pdf_a_stays_one_and_no_other_becomes_one(self, written: str, part: str | None) -> None:
        made = write_einvoice(with_metadata(written), full_record(), FACTURX)
        metadata = metadata_of(made.data)
        assert [found for found in parts_of(metadata) if found] == ([part] if part else [])
        assert [value.text for value in metadata.iter(f"{FX}ConformanceLevel")] == ["EN 16931"]
        assert [value.text for value in metadata.iter(f"{PDFA_SCHEMA}prefix")] == ["fx"]

    def test_metadata_are_written_once_and_damaged_ones_replaced(self) -> None:
        twice = write_einvoice(write_einvoice(pdf_with(), full_record(), FACTURX).data, full_record(), FACTURX)
        assert len(list(metadata_of(twice.data).iter(f"{FX}DocumentFileName"))) == 1
        assert len(list(metadata_of(twice.data).iter(f"{PDFA_SCHEMA}prefix"))) == 1
        for damaged in (b"", b"<a", b"<a/>", b"<!DOCTYPE a><a/>"):
            assert b"<fx:DocumentFileName>factur-x.xml<" in facturx_metadata(damaged)

    def test_an_earlier_one_is_replaced(self) -> None:
        pdf = pdf_with(("factur-x.xml", cii()), ("plan.txt", b"north"))
        made = write_einvoice(pdf, full_record(), FACTURX)
        assert read_back(made, full_record()) == full_record()
        attachments = PdfReader(BytesIO(made.data)).attachments
        assert {name: len(files) for name, files in attachments.items()} == {"factur-x.xml": 1, "plan.txt": 1}

    def test_also_one_that_a_mail_brought_beside_the_pdf(self) -> None:
        with_xml = with_einvoice(pdf_with(), "factur-x.xml", cii())
        assert with_xml
        made = write_einvoice(with_xml, full_record(), FACTURX)
        assert read_back(made, full_record()) == full_record()

    def test_also_one_that_only_the_catalogue_lists(self) -> None:
        pdf = pdf_with(("ZUGFeRD-invoice.xml", cii()), only_associated=True)
        made = write_einvoice(pdf, full_record(), FACTURX)
        assert read_back(made, full_record()) == full_record()
        assert len(PdfReader(BytesIO(made.data)).root_object["/AF"]) == 1  # type: ignore[arg-type]

    def test_a_damaged_pdf_is_a_finding(self) -> None:
        made = write_einvoice(b"%PDF-1.7 damaged", full_record(), FACTURX)
        assert made.data == b""
        assert made.validation is not None
        assert [finding.rule for finding in made.validation.findings] == ["NOT-EMBEDDED"]
