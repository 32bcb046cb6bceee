"""Every syntax is read into the same record."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from serve_app.documents.einvoice import parse_einvoice
from serve_app.domain.einvoice import (
    Account,
    Adjustment,
    Attachment,
    EInvoice,
    EInvoiceSyntax,
    Identifier,
    Period,
    PrecedingInvoice,
    VatBreakdown,
)
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice_data import InvoiceData, data_in
from tests.documents.einvoice import samples
from tests.documents.einvoice.hybrid import cii, first_zugferd

ISSUED, DUE = date(2026, 3, 5), date(2026, 4, 4)
CREDIT_NOTE = InvoiceData(
    "Peppol BIS Billing 3", "Brugge Textiel BV", "CN-12", ISSUED, date(2026, 3, 19), "EUR", Decimal("121.00")
)


def expected(
    profile: str, seller: str, number: str, currency: str, amount: str, tax: str, **rest: object
) -> InvoiceData:
    found = InvoiceData(profile, seller, number, ISSUED, DUE, currency, Decimal(amount), Decimal(tax))
    return replace(found, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "syntax", "values"),
    [
        (
            samples.ubl(),
            EInvoiceSyntax.UBL,
            expected(
                "XRechnung 3.0", "Lindner Druck GmbH", "RE-2026-118", "EUR", "1190.00", "190.00",
                vat_ids=("DE136695976",), ibans=("DE88200800000970375700",), reference="RE 118",
            ),
        ),
        (samples.ubl_credit_note(), EInvoiceSyntax.UBL, CREDIT_NOTE),
        (
            samples.ubl_tr(),
            EInvoiceSyntax.UBL,
            expected(
                "UBL-TR 1.2", "Ege Kahve A.Ş.", "GIB2026000000042", "TRY", "1200.00", "200.00",
                due_at=None, vat_ids=("1234567890", "11111111110"),
            ),
        ),
        (
            samples.fatturapa(),
            EInvoiceSyntax.FATTURAPA,
            expected(
                "FatturaPA FPR12", "Mara Rossetti", "118/A", "EUR", "1220.00", "220.00",
                vat_ids=("IT01234567890",), ibans=("IT60X0542811101000000123456",),
            ),
        ),
        (
            samples.ksef(),
            EInvoiceSyntax.KSEF,
            expected(
                "KSeF FA(3)", "Drukarnia Wisła sp. z o.o.", "FV/118/2026", "PLN", "1230.00", "230.00",
                vat_ids=("5260001246", "DE136695976"), ibans=("61109010140000071219812874",),
            ),
        ),
        (
            samples.facturae(),
            EInvoiceSyntax.FACTURAE,
            expected(
                "Facturae 3.2.2", "Talleres Ribera S.L.", "A26-118", "EUR", "1060.00", "210.00",
                vat_ids=("B12345674", "12345678Z"), ibans=("ES9121000418450200051332",),
            ),
        ),
        (
            samples.cfdi(),
            EInvoiceSyntax.CFDI,
            expected(
                "CFDI 4.0", "Papelera del Lago", "A-118", "MXN", "1160.00", "160.00",
                due_at=None, vat_ids=("EKU9003173C9", "XAXX010101000"),
            ),
        ),
        (
            samples.nfe(),
            EInvoiceSyntax.NFE,
            expected(
                "NF-e 4.00", "Gráfica Ipê Ltda", "118", "BRL", "1025.00", "180.00",
                vat_ids=("12345678000195", "98765432000198"), reference="118",
            ),
        ),
    ],
)  # fmt: skip
def test_every_syntax_gives_the_same_values(data: bytes, syntax: EInvoiceSyntax, values: InvoiceData) -> None:
    found = parse_einvoice(data)
    assert found.syntax is syntax
    assert data_in(found) == values


class TestUbl:
    found = parse_einvoice(samples.ubl())

    def test_reads_the_parties(self) -> None:
        seller, buyer = self.found.seller, self.found.buyer
        assert (seller.name, seller.trading_name) == ("Lindner Druck GmbH", "Lindner Druck")
        assert (seller.vat_id, seller.tax_number) == ("DE136695976", "60/123/45678")
        assert seller.registration == Identifier("HRB 4711")
        assert seller.electronic_address == Identifier("billing@lindner-druck.example", "EM")
        assert seller.identifiers == ()
        assert seller.contact is not None
        assert seller.contact.name == "Ute Lindner"
        assert buyer.name == "Stadtwerke Nordhafen"
        assert buyer.address is not None
        assert (buyer.address.line_1, buyer.address.postal_code, buyer.address.country) == ("Am Markt 1", "26122", "DE")

    def test_reads_references(self) -> None:
        found = self.found
        assert (found.order, found.sales_order, found.buyer_reference) == ("PO-77", "SO-9", "04011000-1234512345-06")
        assert found.preceding == (PrecedingInvoice("RE-2026-100", date(2026, 1, 5)),)
        assert found.attachments == (Attachment("Timesheet", None, "times.csv"),)
        assert found.period == Period(date(2026, 2, 1), date(2026, 2, 28))
        assert found.notes == ("Thank you for your order.",)

    def test_reads_payment(self) -> None:
        payment = self.found.payment
        assert payment.accounts == (Account("DE88200800000970375700", "Lindner Druck GmbH", "DRESDEFF200"),)
        assert (payment.means_code, payment.means_text, payment.terms) == ("58", "Transfer", "30 days net")
        assert payment.creditor_id == "DE98ZZZ09999999999"

    def test_reads_sums(self) -> None:
        totals = self.found.totals
        assert (totals.lines, totals.allowances, totals.net) == (
            Decimal("1050.00"),
            Decimal("50.00"),
            Decimal("1000.00"),
        )
        assert (totals.tax, totals.tax_in_accounting_currency) == (Decimal("190.00"), Decimal("2090.00"))
        assert self.found.vat == (VatBreakdown(Decimal("1000.00"), Decimal("190.00"), "S", Decimal("19")),)
        assert self.found.adjustments == (
            Adjustment(
                is_charge=False,
                amount=Decimal("50.00"),
                base=Decimal("1000.00"),
                percent=Decimal("5"),
                vat_category="S",
                vat_rate=Decimal("19"),
                reason="Loyalty discount",
            ),
        )

    def test_reads_lines(self) -> None:
        first, second = self.found.lines
        assert (first.id, first.name, first.description) == ("1", "Brochures", "A5, 170 g")
        assert (first.quantity, first.unit, first.price, first.base_quantity) == (
            Decimal(500),
            "H87",
            Decimal("120.00"),
            Decimal(100),
        )
        assert (first.net, first.vat_category, first.vat_rate) == (Decimal("600.00"), "S", Decimal("19"))
        assert (first.seller_item_id, first.standard_item_id) == ("BR-5", Identifier("4006381333931", "0160"))
        assert (second.name, second.net) == ("Layout work", Decimal("450.00"))

    def test_names_the_standard(self) -> None:
        profiles = {
            name: parse_einvoice(samples.ubl(name)).profile for name in (samples.PEPPOL, "urn:cen.eu:en16931:2017", "x")
        }
        assert list(profiles.values()) == ["Peppol BIS Billing 3", "EN 16931 (UBL)", "UBL"]


class TestOthers:
    def test_a_credit_note_is_one_in_every_syntax_that_has_them(self) -> None:
        assert parse_einvoice(samples.ubl_credit_note()).is_credit_note
        assert parse_einvoice(samples.fatturapa().replace(b"TD01", b"TD04")).is_credit_note
        assert parse_einvoice(samples.ksef("-1230.00", "KOR")).is_credit_note
        assert not parse_einvoice(samples.ksef("1230.00", "KOR")).is_credit_note
        assert parse_einvoice(samples.cfdi().replace(b'Comprobante="I"', b'Comprobante="E"')).is_credit_note
        assert parse_einvoice(samples.nfe().replace(b"<finNFe>1", b"<finNFe>4")).is_credit_note

    def test_reads_what_is_withheld(self) -> None:
        withheld = [parse_einvoice(data).totals.withheld for data in (samples.fatturapa(), samples.facturae())]
        assert withheld == [Decimal("200.00"), Decimal("150.00")]
        assert parse_einvoice(samples.ubl_tr()).totals.withheld == Decimal("40.00")

    @pytest.mark.parametrize(
        ("data", "name", "quantity", "net", "rate"),
        [
            (samples.ubl_tr(), "Kahve", "4", None, "20"),
            (samples.fatturapa(), "Consulenza", "10", "1000", "22"),
            (samples.ksef(), "Plakaty", "90", "900", "23"),
            (samples.facturae(), "Revision anual", "1", "1000", None),
            (samples.cfdi(), "Papel bond", "10", "1000", "16"),
            (samples.nfe(), "Cartazes", "100", "1000", "18"),
        ],
    )
    def test_reads_lines(self, data: bytes, name: str, quantity: str, net: str | None, rate: str | None) -> None:
        line = parse_einvoice(data).lines[0]
        assert (line.name, line.quantity) == (name, Decimal(quantity))
        assert line.net == (Decimal(net) if net else None)
        assert line.vat_rate == (Decimal(rate) if rate else None)

    def test_reads_an_account_and_a_contact_from_cii(self) -> None:
        found = parse_einvoice(cii())
        assert found.payment.debited_account == "DE02120300000000202051"
        assert found.seller.tax_number == "201/113/40209"
        assert parse_einvoice(first_zugferd()).profile == "ZUGFeRD 1.0 COMFORT"

    def test_an_envelope_of_a_network_is_opened(self) -> None:
        inside = samples.ubl().partition(b"?>")[2]
        wrapped = (
            b'<StandardBusinessDocument xmlns="urn:example:envelope"><Header/>'
            + inside
            + b"</StandardBusinessDocument>"
        )
        assert parse_einvoice(wrapped) == parse_einvoice(samples.ubl())
        several = failure(wrapped.replace(b"<Header/>", inside))
        assert several == "The XML contains 2 invoices. Send each one by itself."

    def test_a_file_alone_needs_no_name(self) -> None:
        assert parse_einvoice(cii()).profile == "EN 16931"


def failure(data: bytes) -> str:
    with pytest.raises(DocumentError) as error:
        parse_einvoice(data)
    return error.value.message


class TestFailures:
    def test_an_unknown_syntax_is_named_by_its_root(self) -> None:
        assert "Order (urn:example:orders)" in failure(b'<o:Order xmlns:o="urn:example:orders"/>')
        assert failure(b"<Invoice/>").endswith("Its root element is Invoice.")

    def test_several_invoices_in_one_file_are_refused(self) -> None:
        assert failure(samples.fatturapa(3)) == "The XML contains 3 invoices. Send each one by itself."

    def test_an_invoice_without_values_is_none(self) -> None:
        assert failure(f'<Invoice xmlns="{samples.UBL_INVOICE}"/>'.encode()) == "The electronic invoice is empty."

    def test_an_invoice_of_100_000_lines_is_refused(self) -> None:
        line = "<cac:InvoiceLine><cbc:ID>9</cbc:ID></cac:InvoiceLine>"
        assert failure(samples.ubl(lines=line * 100_000)) == "The electronic invoice has more than 10,000 lines."

    def test_a_document_type_is_refused(self) -> None:
        attack = b'<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>'
        message = failure(samples.ubl(number="&file;").replace(b"<ubl:Invoice", attack + b"<ubl:Invoice", 1))
        assert message == "The XML cannot be read: it has a document type, which no electronic invoice needs."

    @pytest.mark.parametrize(
        "data",
        [
            b"", b"<", samples.ubl()[:-40], samples.ubl()[:900], b"<a>" * 10_000, samples.ubl(number="<a>" * 10_000),
            samples.ubl().replace(b"UTF-8", b"UTF-16"), samples.ubl().replace(b"UTF-8", b"nonsense"),
            samples.ubl().replace(b"Hafenweg", b"\xff\xfe\x00"), b" " * 50_000_000 + samples.ubl(),
            samples.ubl(number="x" * 11_000_000),
        ],
        ids=["empty", "tag", "cut", "short", "deep", "deep inside", "UTF-16", "encoding", "bytes", "50 MB", "text"],
    )  # fmt: skip
    def test_damage_is_a_clear_failure(self, data: bytes) -> None:
        assert failure(data).startswith("The XML cannot be read: ")

    def test_other_encodings_are_read(self) -> None:
        text = samples.nfe().decode()
        for encoding in ("utf-16", "iso-8859-1", "windows-1252"):
            found: EInvoice = parse_einvoice(text.replace("UTF-8", encoding).encode(encoding))
            assert found.seller.name == "Gráfica Ipê Ltda"
