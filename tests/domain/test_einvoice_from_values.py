"""Electronic invoices are made of the values that can be relied on, and say which terms are missing."""

from datetime import date
from decimal import Decimal

from serve_app.domain.einvoice_from_values import record_of
from serve_app.domain.einvoice_order import EInvoiceFormat, EInvoiceOrder, ZeroRate, completed
from serve_app.domain.einvoice_terms import missing_terms
from serve_app.domain.invoice import (
    Confidence,
    Detail,
    Details,
    DocumentType,
    Field,
    Invoice,
    InvoiceReview,
    LineItem,
    ReviewStatus,
    Status,
    TaxLine,
)
from serve_app.domain.provenance import with_sources
from tests.support import make_invoice

COUNTRIES = EInvoiceOrder(EInvoiceFormat.CII, "DE", "FR")


def item(net: str | None, rate: str | None, quantity: str = "2", price: str = "50") -> LineItem:
    return LineItem(
        description="Oak shelf",
        quantity=Decimal(quantity),
        unit_price=Decimal(price),
        confidence=Confidence.HIGH,
        total=None if net is None else Decimal(net),
        tax_rate=None if rate is None else Decimal(rate),
    )


def read_invoice(**update: object) -> Invoice:
    """An invoice as it is read from a page: every value is `high`."""
    details = Details(
        buyer_name="Maison Verte SARL",
        vendor_tax_id="DE123456788",
        iban="DE75512108001245126199",
        tax_lines=[TaxLine(rate=Decimal(19), base=Decimal(100), amount=Decimal(19))],
    )
    details = details.model_copy(update={"field_confidence": dict.fromkeys(Detail, Confidence.HIGH)})
    values: dict[str, object] = {
        "status": Status.COMPLETE,
        "vendor_name": "Tischlerei Ahorn GmbH",
        "invoice_number": "TA-9",
        "amount": Decimal(119),
        "tax": Decimal(19),
        "currency": "EUR",
        "issued_at": date(2026, 5, 4),
        "due_at": date(2026, 6, 3),
        "line_items": [item("100", "19")],
        "field_confidence": dict.fromkeys(Field, Confidence.HIGH),
        "document_type": DocumentType.INVOICE,
        "document_type_confidence": Confidence.HIGH,
        "details": details,
    }
    return with_sources(make_invoice().model_copy(update=values | update))


def with_details(invoice: Invoice, **update: object) -> Invoice:
    assert invoice.details is not None
    return with_sources(invoice.model_copy(update={"details": invoice.details.model_copy(update=update)}))


def lacking(invoice: Invoice, zero_rate: ZeroRate | None = None) -> tuple[str, ...]:
    return missing_terms(completed(record_of(invoice, zero_rate), COUNTRIES))


class TestTerms:
    def test_an_invoice_that_states_all_lacks_only_the_countries(self) -> None:
        record = record_of(read_invoice())
        assert missing_terms(completed(record, EInvoiceOrder(EInvoiceFormat.UBL))) == (
            "BT-40 Seller country code",
            "BT-55 Buyer country code",
        )
        assert lacking(read_invoice()) == ()

    def test_sums_follow_from_the_definitions_of_their_terms(self) -> None:
        totals = completed(record_of(read_invoice()), COUNTRIES).totals
        assert [totals.lines, totals.net, totals.gross, totals.due] == [100, 100, 119, 119]

    def test_a_value_that_is_not_high_is_missing(self) -> None:
        levels = dict.fromkeys(Field, Confidence.HIGH) | {Field.INVOICE_NUMBER: Confidence.MID}
        assert lacking(read_invoice(field_confidence=levels)) == ("BT-1 Invoice number",)

    def test_unless_a_person_has_confirmed_or_entered_it(self) -> None:
        levels = dict.fromkeys(Field, Confidence.HIGH) | {Field.INVOICE_NUMBER: Confidence.MID}
        confirmed = InvoiceReview(status=ReviewStatus.CONFIRMED)
        entered = InvoiceReview(fields=["invoice_number"])
        assert lacking(read_invoice(field_confidence=levels, review=confirmed)) == ()
        assert lacking(read_invoice(field_confidence=levels, review=entered)) == ()

    def test_an_uncertain_payment_leaves_what_is_due_unknown(self) -> None:
        invoice = read_invoice()
        assert invoice.details is not None
        levels = invoice.details.field_confidence | {Detail.AMOUNT_PAID: Confidence.MID}
        paid = with_details(invoice, amount_paid=Decimal(50), field_confidence=levels)
        assert lacking(paid) == ("BT-115 Amount due for payment",)

    def test_an_uncertain_discount_is_missing_and_not_left_out(self) -> None:
        invoice = read_invoice()
        assert invoice.details is not None
        levels = invoice.details.field_confidence | {Detail.DISCOUNT: Confidence.LOW}
        discounted = with_details(invoice, discount=Decimal(5), field_confidence=levels)
        assert "BT-92 Document level allowance amount" in lacking(discounted)

    def test_a_receipt_has_no_type_of_invoices(self) -> None:
        assert lacking(read_invoice(document_type=DocumentType.RECEIPT)) == ("BT-3 Invoice type code",)

    def test_a_zero_rate_needs_a_category_from_the_caller(self) -> None:
        tax_lines = [TaxLine(rate=Decimal(0), base=Decimal(100), amount=Decimal(0))]
        free = read_invoice(amount=Decimal(100), tax=Decimal(0), line_items=[item("100", "0")])
        free = with_details(free, tax_lines=tax_lines)
        assert lacking(free) == (
            "BT-118 VAT category code",
            "BT-151 Invoiced item VAT category code (line 1)",
        )
        assert lacking(free, ZeroRate.REVERSE_CHARGE) == ()
        assert record_of(free, ZeroRate.REVERSE_CHARGE).vat[0].exemption_code == "VATEX-EU-AE"

    def test_a_line_that_is_not_quantity_times_price_lacks_the_reason(self) -> None:
        invoice = read_invoice(line_items=[item("90", "19")])
        assert lacking(invoice) == ("BT-139 Invoice line allowance reason (line 1)",)

    def test_a_number_without_a_country_is_a_tax_number_and_identifies_no_seller(self) -> None:
        invoice = with_details(read_invoice(), vendor_tax_id="27/123/45678")
        assert record_of(invoice).seller.tax_number == "27/123/45678"
        assert lacking(invoice) == ("BT-31 Seller VAT identifier",)


def test_amounts_of_any_length_are_taken() -> None:
    assert record_of(read_invoice(amount=Decimal(10) ** 40)).totals.gross == Decimal(10) ** 40


class TestSigns:
    def test_amounts_of_a_credit_note_are_positive(self) -> None:
        credit = read_invoice(
            document_type=DocumentType.CREDIT_NOTE,
            amount=Decimal(-119),
            tax=Decimal(-19),
            line_items=[item("-100", "19", quantity="-2")],
        )
        tax_lines = [TaxLine(rate=Decimal(19), base=Decimal(-100), amount=Decimal(-19))]
        record = record_of(with_details(credit, tax_lines=tax_lines))
        assert record.is_credit_note
        assert [record.totals.gross, record.vat[0].tax, record.lines[0].net] == [119, 19, 100]
        assert record.lines[0].quantity == 2

    def test_the_quantity_has_the_sign_of_the_amount(self) -> None:
        line = record_of(read_invoice(line_items=[item("-100", "19")])).lines[0]
        assert [line.quantity, line.price, line.net] == [-2, 50, -100]
