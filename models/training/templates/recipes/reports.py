"""Generators of PyPI that draw PDFs themselves, with ReportLab or their own means."""

import os
from importlib import import_module
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from models.training.templates.facts import FactOptions, Facts, Party
from models.training.templates.registry import template

# Pillow, ReportLab and PyYAML are what the project itself is installed with.
_CZECH = ("invoicegenerator==1.2.0", "qrplatba==1.1.1", "qrcode==8.2", "babel==2.18.0")


@template("invoicegenerator", *_CZECH, licence="BSD", options=FactOptions(whole_quantities=True))  # fmt: skip
def invoicegenerator(facts: Facts, site: Path, rng: Random) -> bytes:
    return _invoicegenerator(facts, rng, "en", "SimpleInvoice")


@template("invoicegenerator-cs", *_CZECH, licence="BSD",
          options=FactOptions(language="cs", whole_quantities=True))  # fmt: skip
def invoicegenerator_cs(facts: Facts, site: Path, rng: Random) -> bytes:
    return _invoicegenerator(facts, rng, "cs", "SimpleInvoice")


def _invoicegenerator(facts: Facts, rng: Random, language: str, kind: str) -> bytes:
    os.environ["INVOICE_LANG"] = language
    api, pdf = import_module("InvoiceGenerator.api"), import_module("InvoiceGenerator.pdf")

    def party(which: Any, each: Party) -> Any:
        return which(
            each.name, address=each.street, city=each.city, zip_code=each.zip, phone=each.phone, email=each.mail,
            bank_name=each.bank, bank_account=each.iban, vat_id=each.vat, ir=each.tax_no, country=each.country,
        )  # fmt: skip

    invoice = api.Invoice(
        party(api.Client, facts.buyer), party(api.Provider, facts.seller), api.Creator(facts.seller.person)
    )
    invoice.currency = facts.currency
    invoice.currency_locale = "cs_CZ.UTF-8" if facts.numbers.decimal == "," else "en_US.UTF-8"
    invoice.number, invoice.date, invoice.payback = facts.number, facts.issued, facts.due
    invoice.use_tax = bool(facts.tax)
    invoice.title = "Faktura" if language == "cs" else "Invoice"
    for item in facts.items:
        invoice.add_item(
            api.Item(item.quantity, item.price, item.description, item.unit, facts.rate if facts.tax else 0)
        )
    target = BytesIO()
    getattr(pdf, kind)(invoice).gen(target)
    return target.getvalue()


@template("pyinvoice", "pyinvoice==0.1.7", licence="MIT", options=FactOptions(whole_quantities=True))
def pyinvoice(facts: Facts, site: Path, rng: Random) -> bytes:
    models, templates = import_module("pyinvoice.models"), import_module("pyinvoice.templates")
    target = BytesIO()
    doc = templates.SimpleInvoice(target)
    doc.is_paid = rng.random() < 0.3
    doc.invoice_info = models.InvoiceInfo(facts.number, facts.issued, facts.due)
    seller, buyer = facts.seller, facts.buyer
    doc.service_provider_info = models.ServiceProviderInfo(
        name=seller.name, street=seller.street, city=seller.city, country=seller.country, post_code=seller.zip,
        vat_tax_number=seller.vat,
    )  # fmt: skip
    doc.client_info = models.ClientInfo(
        name=buyer.name, street=buyer.street, city=buyer.city, country=buyer.country, post_code=buyer.zip,
        email=buyer.mail, client_id=facts.customer if rng.random() < 0.5 else None,
    )  # fmt: skip
    for item in facts.items:
        doc.add_item(models.Item(item.description, item.details, item.quantity, item.price))
    if facts.tax:
        doc.set_item_tax_rate(facts.rate)
    doc.set_bottom_tip(facts.note)
    doc.finish()
    return target.getvalue()


@template("larzpdf", "larzpdf==0.1.0", licence="MIT", options=FactOptions(latin=True))
def larzpdf(facts: Facts, site: Path, rng: Random) -> bytes:
    maker = import_module("larzpdf")
    kind = maker.Receipt if rng.random() < 0.3 else maker.Invoice
    parties = [
        {"name": each.name, "address": f"{each.street}, {each.place}", "email": each.mail, "tax_id": each.vat}
        for each in (facts.seller, facts.buyer)
    ]
    invoice = kind(
        facts.number, date=facts.day(facts.issued), seller=parties[0], buyer=parties[1],
        currency=facts.symbol if facts.symbol.isascii() else f"{facts.currency} ",
        notes=f"{facts.note} Please pay by {facts.day(facts.due)}." if rng.random() < 0.6 else None,
    )  # fmt: skip
    for item in facts.items:
        invoice.item(item.description, qty=item.quantity, price=item.price)
    if facts.tax:
        invoice.tax(facts.rate / 100, label=facts.tax_name)
    rendered = invoice.render()
    return rendered if isinstance(rendered, bytes) else bytes(rendered)


@template("invoiceonator", "invoiceonator==0.1.0", licence="BSD",
          options=FactOptions(tax=False, discount=True, rows=(1, 7), long_share=0.0, currencies=("USD",),
                    countries=("US",), longest=40))  # fmt: skip
def invoiceonator(facts: Facts, site: Path, rng: Random) -> bytes:
    # It prints dollars as a locale says that few machines have.
    locale: Any = import_module("locale")
    locale.setlocale, locale.currency = lambda *_: "", lambda value, grouping=True: f"${value:,.2f}"
    module = import_module("invoiceonator.invoice")
    seller, buyer = facts.seller, facts.buyer
    width = rng.choice((0.15, 0.2))
    config = {
        "bill_top": 100, "business_info_left": rng.choice((180, 220)), "business_info_top": 40,
        "business_info": {"name": seller.name, "address1": seller.street, "address2": seller.place,
                          "email": seller.mail, "phone": seller.phone},
        "col_widths": [width, 0.6 - width, 0.1, 0.15, 0.15], "footer": facts.note, "footer_position": 30,
        "invoice_top": 60, "left_margin": 50, "line_spacing": rng.choice((14, 18)), "right_margin": 50,
        "table_top": 600, "top_margin": 50, "total_table_left": 220, "total_table_top": 700,
    }  # fmt: skip
    invoice = {
        "customer": {"attention": buyer.person, "name": buyer.name, "address1": buyer.street,
                     "address2": buyer.place, "phone": buyer.phone, "email": buyer.mail},
        "number": facts.number, "date": facts.day(facts.issued), "period": f"{facts.delivered:%B %Y}",
        "items": [{"item": i.code, "description": i.description, "quantity": str(i.quantity), "price": i.price,
                   "total": i.total} for i in facts.items],
        "totals": {"subtotal": facts.subtotal, "discount": facts.discount, "total": facts.total},
    }  # fmt: skip
    target = BytesIO()
    module.generate_pdf(invoice, config, target)
    return target.getvalue()


@template("facturapdf", "facturapdf==0.0.4", "six==1.17.0", licence="BSD-3-Clause",
          options=FactOptions(language="es", countries=("ES",), longest=50))  # fmt: skip
def facturapdf(facts: Facts, site: Path, rng: Random) -> bytes:
    package, dtos = import_module("facturapdf"), import_module("facturapdf.dtos")
    seller, buyer = facts.seller, facts.buyer
    data = dtos.Data()
    pixel = site / "pixel.png"
    if not pixel.exists():
        import_module("PIL.Image").new("RGB", (60, 20), (200, 210, 220)).save(pixel)
    data.HEADER_LOGO = str(pixel)
    data.HEADER_TEXT = "<br/>".join((seller.name, seller.street, seller.place, f"NIF {seller.vat}"))
    data.FOOTER_TEXT = f"{seller.name}, {seller.mail}, {seller.phone}"
    data.customer = dtos.Customer(
        code=facts.customer, name=buyer.name, vat=buyer.vat, address=buyer.street, city=buyer.city,
        postal_code=buyer.zip, province=buyer.city, country=buyer.country, contact_name=buyer.person,
        contact_phone=buyer.phone, contact_email=buyer.mail,
    )  # fmt: skip
    data.metadata = dtos.Metadata(
        doc_type="FACTURA", code=facts.number, serie="A", date=facts.day(facts.issued), subtotal=facts.plain(facts.net)
    )
    data.rows = [
        [i.description, facts.plain(i.price), facts.count(i.quantity), facts.plain(i.total)] for i in facts.items
    ]
    data.footer_a = [
        facts.plain(facts.net), facts.tax_name, f"{facts.rate}%", facts.plain(facts.tax), facts.money(facts.total),
    ]  # fmt: skip
    data.footer_b = ["Transferencia", seller.bank, seller.iban, facts.day(facts.due)]
    target = BytesIO()
    package.InvoiceGenerator(data=data).generate(target)
    return target.getvalue()


@template("invoicely", "invoicely==0.1.0", licence="MIT")
def invoicely(facts: Facts, site: Path, rng: Random) -> bytes:
    import_module("reportlab.lib.colors")
    for name in ("pagesizes", "units", "styles", "enums"):
        import_module(f"reportlab.lib.{name}")
    module = import_module("invoicely")
    seller, target = facts.seller, BytesIO()
    logo = site / "logo.png"
    if not logo.exists():
        import_module("PIL.Image").new("RGB", (120, 40), (180, 200, 220)).save(logo)
    head = ["Description", "Quantity", "Unit price", "Amount"]
    rows = [[i.description, facts.count(i.quantity), facts.plain(i.price), facts.plain(i.total)] for i in facts.items]
    sums = [["Subtotal", facts.money(facts.net)], [facts.tax_name, facts.money(facts.tax)]] if facts.tax else []
    module.invoice(
        target,
        module.Provider(
            seller.name, seller.street, seller.place, seller.country, "", seller.phone, seller.mail, seller.vat
        ),
        module.Customer(facts.buyer.name, facts.buyer.street),
        module.Logo(str(logo), 120, 40),
        facts.number,
        facts.day(facts.issued),
        [head, *rows],
        (0.5, 0.15, 0.15, 0.2),
        [*sums, ["Total", facts.money(facts.total)]],
    )
    return target.getvalue()
