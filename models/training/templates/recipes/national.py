"""More generators of PyPI that draw PDFs themselves: those that follow a country's rules for invoices."""

import sys
from decimal import Decimal
from importlib import import_module
from io import BytesIO
from pathlib import Path
from random import Random
from types import ModuleType
from types import SimpleNamespace as Space
from typing import Any

from models.training.templates.facts import FactOptions, Facts, Party
from models.training.templates.registry import template

# Pillow, ReportLab, fontTools, PyYAML and lxml are what the project itself is installed with.
_PIKEPDF = ("pikepdf==9.11.0", "deprecated==1.2.18", "wrapt==1.17.3")
FPDF = ("fpdf2==2.8.4", "defusedxml==0.7.1", "qrcode==8.2")


@template("dinbrief", "dinbrief==0.5.2", licence="BSD-2-Clause", options=FactOptions(latin=True))
def dinbrief(facts: Facts, site: Path, rng: Random) -> bytes:
    document, invoice = import_module("dinbrief.document"), import_module("dinbrief.invoice")
    styles = import_module("dinbrief.styles").styles
    drawn, paragraph = import_module("dinbrief.template").BriefTemplate(), import_module("reportlab.platypus").Paragraph
    rows = [
        invoice.Item(
            position,
            i.description,
            price=i.price,
            quantity=i.quantity,
            unit=i.unit if rng.random() < 0.5 else "",
            vat_rate=facts.rate / 100 if facts.tax else Decimal(0),
        )
        for position, i in enumerate(facts.items, 1)
    ]
    made = invoice.Invoice(items=rows, currency=facts.symbol)
    text = f"Please pay by {facts.day(facts.due)} to {facts.seller.iban}, {facts.seller.bank}."
    letter = document.Document(
        sender=[facts.seller.name, facts.seller.street, facts.seller.place],
        recipient=[facts.buyer.name, facts.buyer.street, facts.buyer.place],
        date=facts.day(facts.issued),
        content=[
            paragraph(f"Invoice {facts.number}", styles["Subject"]),
            invoice.ItemTable(drawn, made),
            invoice.TotalTable(drawn, made),
            paragraph(text, styles["Text"] if "Text" in styles.byName else styles["Normal"]),
        ],
    )
    target = BytesIO()
    drawn.render(letter, target)
    return target.getvalue()


@template("erechnung", "erechnung==0.3.0", *_PIKEPDF, licence="MIT",
          options=FactOptions(language="de", countries=("DE",), currencies=("EUR",), shipping=False))  # fmt: skip
def erechnung(facts: Facts, site: Path, rng: Random) -> bytes:
    return _erechnung(facts, rng, "DE")


@template("erechnung-en", "erechnung==0.3.0", *_PIKEPDF, licence="MIT",
          options=FactOptions(countries=("DE", "AT"), currencies=("EUR",)))  # fmt: skip
def erechnung_en(facts: Facts, site: Path, rng: Random) -> bytes:
    return _erechnung(facts, rng, "EN")


def _erechnung(facts: Facts, rng: Random, language: str) -> bytes:
    # What embeds e-invoices, and is not needed to draw.
    sys.modules.setdefault("facturx", ModuleType("facturx"))
    package: Any = import_module("erechnung")
    # Account numbers are made up, and their check digits wrong.
    generator: Any = import_module("erechnung.generator")
    generator.validate = lambda invoice: None
    models = import_module("erechnung.models")
    seller, buyer = facts.seller, facts.buyer
    invoice = package.Invoice(
        seller=package.Seller(
            seller.name,
            *_house(seller.street),
            seller.zip,
            seller.city,
            vat_id=seller.vat,
            tax_number=seller.tax_no,
            iban=seller.iban,
            bic=seller.bic,
            phone=seller.phone,
            email=seller.mail,
            website=seller.web,
            contact=seller.person,
        ),
        customer=package.Customer(
            company=buyer.name,
            street=_house(buyer.street)[0],
            house_number=_house(buyer.street)[1],
            postal_code=buyer.zip,
            city=buyer.city,
            vat_id=buyer.vat,
            customer_number=facts.customer,
            customer_type=models.CustomerType.B2B,
        ),
        line_items=[
            package.LineItem(i.description, i.quantity, i.price, tax_rate=facts.rate, long_description=i.details)
            for i in facts.items
        ],
        invoice_number=facts.number,
        issue_date=facts.issued,
        due_date=facts.due,
        service_date=facts.delivered,
        language=models.Language[language],
        kleinunternehmer=not facts.tax,
        brand_style=models.BrandStyle(header_fill=tuple(rng.randint(150, 240) for _ in range(3))),
    )
    drawn: bytes = invoice.pdf_bytes()
    return drawn


def _house(street: str) -> tuple[str, str]:
    name, _, number = street.rpartition(" ")
    return (name, number) if name and any(char.isdigit() for char in number) else (street, "1")


@template("bulkinvoicer", "bulkinvoicer==0.1.2", *FPDF, "uharfbuzz==0.51.1", licence="MIT",
          options=FactOptions(countries=("IN", "US"), currencies=("INR", "USD")))  # fmt: skip
def bulkinvoicer(facts: Facts, site: Path, rng: Random) -> bytes:
    pdf = import_module("bulkinvoicer.pdf")
    payment = Space(
        upi=None, currency=facts.currency, payment_methods_text=f"{facts.seller.bank}, {facts.seller.iban}"[:50]
    )
    config = Space(
        seller=Space(name=facts.seller.name, tagline=facts.seller.web if rng.random() < 0.5 else None), payment=payment,
        invoice=Space(style_color=rng.choice(("#DDEEFF", "#FFFFFF", "#E8E8D0")), show_subtotal=bool(facts.tax),
                      discount_column=None, tax_columns=[facts.tax_name] if facts.tax else [], decimals=2),
        signature=Space(prefix="For", text=facts.seller.name[:50]) if rng.random() < 0.5 else None,
        footer=Space(text=facts.note),
    )  # fmt: skip
    made = pdf.PDF(config)
    made.generate_invoice({
        "client_display_name": facts.buyer.name, "client_address": f"{facts.buyer.street}\n{facts.buyer.place}",
        "client_phone": facts.buyer.phone, "client_email": facts.buyer.mail, "number": facts.number,
        "date": facts.day(facts.issued), "due date": facts.day(facts.due),
        "description": [i.description for i in facts.items], "unit": [i.price for i in facts.items],
        "qty": [i.quantity for i in facts.items], "amount": [i.total for i in facts.items],
        "subtotal": facts.net, facts.tax_name: facts.tax, "total": facts.total,
    })  # fmt: skip
    return bytes(made.output())


@template("zugferd-pdf", "zugferd-pdf==0.1.2", *_PIKEPDF, licence="MIT",
          options=FactOptions(countries=("DE", "AT", "FR", "NL", "BE"), currencies=("EUR",)))  # fmt: skip
def zugferd_pdf(facts: Facts, site: Path, rng: Random) -> bytes:
    models, builder = import_module("zugferd.models"), import_module("zugferd.pdf_builder")

    def party(each: Party) -> Any:
        return models.TradeParty(
            name=each.name, address=models.PostalAddress(each.zip, each.street, each.city, each.country_code),
            vat_id=each.vat, contact_name=each.person, contact_email=each.mail, contact_phone=each.phone,
        )  # fmt: skip

    drawn: bytes = builder.generate_invoice_pdf(
        models.Invoice(
            invoice_number=facts.number,
            issue_date=facts.issued,
            due_date=facts.due,
            currency=facts.currency,
            seller=party(facts.seller),
            buyer=party(facts.buyer),
            items=[
                models.LineItem(str(n), i.description, i.quantity, "C62", i.price, facts.rate)
                for n, i in enumerate(facts.items, 1)
            ],
            payment_means=models.PaymentMeans(
                iban=facts.seller.iban, bic=facts.seller.bic, account_holder=facts.seller.name
            ),
            notes=[facts.note],
        )
    )
    return drawn
