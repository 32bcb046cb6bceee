"""Records of electronic invoices, with all that EN 16931 requires and much of what it allows."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from serve_app.domain.einvoice import (
    Account,
    Address,
    Adjustment,
    Contact,
    Delivery,
    EInvoice,
    EInvoiceSyntax,
    Identifier,
    Line,
    Party,
    Payment,
    Period,
    PrecedingInvoice,
    Totals,
    VatBreakdown,
)

SELLER = Party(
    name="Morgenrot Werkzeuge GmbH",
    trading_name="Morgenrot",
    identifiers=(Identifier("4012345000009", "0088"),),
    registration=Identifier("HRB 90210"),
    vat_id="DE123456788",
    tax_number="27/123/45678",
    legal_information="Share capital 25,000 EUR",
    electronic_address=Identifier("rechnung@morgenrot.example", "EM"),
    address=Address("Hafenweg 3", "Hof B", "Tor 2", "Kiel", "24103", "Schleswig-Holstein", "DE"),
    contact=Contact("Ida Storm", "+49 431 5550123", "ida@morgenrot.example"),
)
BUYER = Party(
    name="Atelier Lunaire SARL",
    vat_id="FR40303265045",
    identifiers=(Identifier("K-77"),),
    electronic_address=Identifier("compta@lunaire.example", "EM"),
    address=Address(line_1="4 rue du Quai", city="Nantes", postal_code="44000", country="FR"),
    contact=Contact(name="Luc Petit"),
)


def full_record() -> EInvoice:
    """An invoice over two rates, with an allowance, a charge, a price discount and a prepayment."""
    return EInvoice(
        syntax=EInvoiceSyntax.UBL,
        profile="EN 16931 (UBL)",
        specification="urn:cen.eu:en16931:2017",
        process="urn:fdc:peppol.eu:2017:poacc:billing:01:1.0",
        number="MW-2026-0815",
        issued_at=date(2026, 3, 2),
        type_code="380",
        currency="EUR",
        due_at=date(2026, 4, 1),
        buyer_reference="B-12",
        project="P-9",
        contract="V-3",
        order="PO-551",
        sales_order="SO-8",
        despatch_advice="L-44",
        buyer_accounting_reference="4711",
        notes=("Thank you for the order.",),
        preceding=(PrecedingInvoice("MW-2026-0700", date(2026, 2, 1)),),
        seller=SELLER,
        buyer=BUYER,
        payee=Party(name="Factor Nord AG", identifiers=(Identifier("F-1"),), registration=Identifier("HRB 5")),
        delivery=Delivery(
            "Lager Lunaire",
            Identifier("4012345000016", "0088"),
            date(2026, 3, 1),
            Address(line_1="6 rue du Port", city="Nantes", postal_code="44000", country="FR"),
        ),
        payment=Payment(
            means_code="58",
            means_text="SEPA credit transfer",
            reference="MW20260815",
            accounts=(Account("DE75512108001245126199", "Morgenrot", "SOGEDEFFXXX"),),
            terms="Net within 30 days",
        ),
        adjustments=(
            Adjustment(False, Decimal("10.00"), Decimal("200.00"), Decimal("5"), "S", Decimal("19"), "Loyalty", "95"),
            Adjustment(True, Decimal("5.00"), None, None, "S", Decimal("19"), "Freight", "FC"),
        ),
        totals=Totals(
            lines=Decimal("250.00"),
            allowances=Decimal("10.00"),
            charges=Decimal("5.00"),
            net=Decimal("245.00"),
            tax=Decimal("40.55"),
            gross=Decimal("285.55"),
            paid=Decimal("85.55"),
            due=Decimal("200.00"),
        ),
        vat=(
            VatBreakdown(Decimal("195.00"), Decimal("37.05"), "S", Decimal("19")),
            VatBreakdown(Decimal("50.00"), Decimal("3.50"), "S", Decimal("7")),
        ),
        lines=(
            Line(
                id="1",
                name="Bench vice",
                description="Cast steel, 125 mm",
                note="Serial number 77",
                seller_item_id="V-125",
                buyer_item_id="L-9",
                standard_item_id=Identifier("4012345678901", "0160"),
                order_line="10",
                quantity=Decimal("4"),
                unit="C62",
                net=Decimal("200.00"),
                price=Decimal("50.00"),
                price_discount=Decimal("2.50"),
                gross_price=Decimal("52.50"),
                base_quantity=Decimal("1"),
                base_unit="C62",
                vat_category="S",
                vat_rate=Decimal("19"),
                period=Period(date(2026, 2, 1), date(2026, 2, 28)),
            ),
            Line(
                id="2",
                name="Manual",
                quantity=Decimal("10"),
                unit="C62",
                net=Decimal("50.00"),
                price=Decimal("5.10"),
                vat_category="S",
                vat_rate=Decimal("7"),
                adjustments=(Adjustment(False, Decimal("1.00"), reason="Damaged cover"),),
            ),
        ),
    )


def credit_note() -> EInvoice:
    """The same as a credit note, with the seller's tax representative instead of a payee."""
    representative = Party(name="Fisc Rep SAS", vat_id="FR83404833048", address=Address(city="Lyon", country="FR"))
    return replace(full_record(), type_code="381", payee=None, tax_representative=representative)
