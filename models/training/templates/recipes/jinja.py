"""HTML templates of PyPI packages that Jinja renders."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from types import SimpleNamespace as Space
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup, escape

from models.training.templates.facts import FactOptions, Facts
from models.training.templates.registry import template

Filters = dict[str, Callable[..., Any]]


def render(folder: Path, name: str, filters: Filters | None = None, **context: Any) -> str:
    """The template of a file below `folder`."""
    environment = Environment(loader=FileSystemLoader(folder), autoescape=True)
    environment.filters.update(filters or {})
    return environment.get_template(name).render(**context)


def _lines(*lines: str) -> Markup:
    return Markup("<br>").join(escape(line) for line in lines)


@template("brena", "brena==0.0.2", licence="MIT")
def brena(facts: Facts, site: Path, rng: Random) -> str:
    polish = rng.random() < 0.5
    english = {
        "Faktura nr": "Invoice no.", "Data wystawienia": "Date of issue", "Data sprzedaży": "Date of sale",
        "Termin płatności": "Due date", "Metoda płatności": "Payment method", "Przelew": "Bank transfer",
        "Sprzedawca": "Seller", "Nabywca": "Buyer", "Lp.": "No.", "Nazwa": "Name", "Stawka VAT": "VAT rate",
        "Ilość": "Quantity", "Cena jedn. netto": "Net unit price", "Wartość netto": "Net value",
        "Wartość VAT": "VAT value", "Wartość brutto": "Gross value", "Razem": "Total",
        "Łącznie do zapłaty": "Total to pay",
    }  # fmt: skip
    rows = [
        Space(name=i.description, vat_stake=facts.rate, quantity=facts.count(i.quantity), amount=i.price, net=i.total,
              vat=i.tax, gross=i.gross)
        for i in facts.items
    ]  # fmt: skip
    return render(
        site / "brena/invoice_templates", "invoice.html",
        {"i18n": lambda text: text if polish else english.get(text, text), "currency": facts.plain},
        seller=_brena_party(facts, seller=True), buyer=_brena_party(facts, seller=False),
        invoice=Space(
            code=facts.number, currency=facts.currency, positions=rows,
            dates=Space(issued=facts.day(facts.issued), sold=facts.day(facts.delivered), due_to=facts.day(facts.due)),
            total=Space(net=facts.net, vat=facts.tax, gross=facts.total),
        ),
    )  # fmt: skip


def _brena_party(facts: Facts, *, seller: bool) -> Space:
    party = facts.seller if seller else facts.buyer
    return Space(
        name=party.name, address_line_1=party.street, address_line_2=party.place, nip=party.vat,
        bank_accounts={facts.currency: party.iban},
    )  # fmt: skip


@template("pyinvoicer", "pyinvoicer==0.0.3", licence="BSD-3-Clause")
def pyinvoicer(facts: Facts, site: Path, rng: Random) -> str:
    folder = site / "pyinvoicer/templates"
    sheet = next(folder.rglob("*.css"), None)
    rows = [
        Space(name=i.description, units=facts.count(i.quantity), unit_price=facts.plain(i.price),
              amount=facts.plain(i.total))
        for i in facts.items
    ]  # fmt: skip
    return render(
        folder, "invoice.html", css=Markup(f"<style>{sheet.read_text()}</style>") if sheet else None,  # noqa: S704
        company_name=facts.seller.name, invoice_id=facts.number, invoice_date=facts.day(facts.issued),
        invoice_due_date=facts.day(facts.due), client_name=facts.buyer.name,
        client_detail=_lines(facts.buyer.street, facts.buyer.place, facts.buyer.country),
        company_detail=_lines(facts.seller.street, facts.seller.place, facts.seller.mail, facts.seller.vat),
        items=rows, currency=facts.symbol, total_excl_tax=facts.plain(facts.net), total_vat=facts.plain(facts.tax),
        total_incl_tax=facts.plain(facts.total), footer_note=f"{facts.seller.bank}, {facts.seller.iban}",
    )  # fmt: skip


@template("toggl-invoice-generator", "toggl-invoice-generator==1.0.0", licence="MIT",
          options=FactOptions(tax=False, goods=("services",)))  # fmt: skip
def toggl(facts: Facts, site: Path, rng: Random) -> str:
    rows = [
        Space(client=Space(name=facts.buyer.person), project=Space(name=i.code), duration_human=f"{i.quantity} h",
              description=i.description, billing=facts.money(i.total))
        for i in facts.items
    ]  # fmt: skip
    seller, buyer = facts.seller, facts.buyer
    return render(
        site / "toggl_invoice_generator/templates", "invoice.html", invoice_number=facts.number,
        service_provider=seller.name, service_provider_address=seller.street, service_provider_city=seller.city,
        service_provider_state=seller.country, service_provider_postal=seller.zip, recipient=buyer.name,
        recipient_address=buyer.street, recipient_city=buyer.city, recipient_state=buyer.country,
        recipient_postal=buyer.zip, created_date=facts.day(facts.issued), time_entries=rows,
        billing_total=facts.money(facts.total), fulfillment_delay=facts.days,
    )  # fmt: skip


@template("gen-invoice", "gen-invoice==0.0.3", licence="MIT")
def gen_invoice(facts: Facts, site: Path, rng: Random) -> str:
    seller, buyer = facts.seller, facts.buyer
    folder = site / "gen_invoice/defaults"
    sheet = next(folder.rglob("*.css"), None)
    rows = [
        Space(description=i.description, quantity=facts.count(i.quantity), units=i.unit if rng.random() < 0.5 else "",
              price=i.price, total=i.total)
        for i in facts.items
    ]  # fmt: skip
    bank = Space(holder=seller.name, bank=seller.bank, swift=seller.bic, code=seller.zip, account=seller.iban)
    return render(
        folder, "default.html", {"currency": facts.money}, invoice=True, number=facts.number,
        css=Markup(f"<style>{sheet.read_text() if sheet else ''}</style>"), date=facts.day(facts.issued),  # noqa: S704
        purchase_order=facts.order if rng.random() < 0.5 else "", international=rng.random() < 0.5,
        payee=Space(
            name=seller.name, address=[seller.street, seller.place, seller.country], identifier=seller.vat,
            email=seller.mail, phone=seller.phone, bank=bank if rng.random() < 0.8 else None,
            online=Space(name=seller.name, link=f"https://{seller.web}/pay"),
        ),
        payer=Space(name=buyer.name, address=[buyer.street, buyer.place], due=facts.money(facts.total)),
        sections=[Space(description="", lines=rows, total=facts.subtotal)], tax=facts.tax, total=facts.total,
    )  # fmt: skip


@template("py-invoices", "py-invoices==3.0.0", licence="MIT")
def py_invoices(facts: Facts, site: Path, rng: Random) -> str:
    seller, buyer = facts.seller, facts.buyer
    rows = [Space(description=i.description, quantity=i.quantity, unit_price=i.price, net=i.total) for i in facts.items]
    rates = [Space(rate=facts.rate, tax=facts.tax)] if facts.tax else []
    bank = Space(title="Bank", content=f"{seller.bank}\nIBAN {seller.iban}\nBIC {seller.bic}")
    return render(
        site / "py_invoices/templates", "invoice.html.j2",
        {"money": facts.money, "nl2br": lambda text: _lines(*text.splitlines())},
        company=Space(name=seller.name, address=f"{seller.street}\n{seller.place}", tax_id=seller.vat),
        invoice=Space(
            type=Space(value="INVOICE"), number=facts.number, issue_date=facts.issued, due_date=facts.due,
            client_name_snapshot=buyer.name, client_address_snapshot=f"{buyer.street}\n{buyer.place}",
            client_tax_id_snapshot=buyer.vat if rng.random() < 0.5 else "", lines=rows,
        ),
        line_net=lambda line: line.net, payment_notes=[bank] if rng.random() < 0.5 else [],
        totals=Space(net=facts.net, gross=facts.total, tax_subtotals=rates),
    )  # fmt: skip


@template("invoicebuddy", "invoicebuddy==0.4.3", licence="MIT", options=FactOptions(tax=False))
def invoicebuddy(facts: Facts, site: Path, rng: Random) -> str:
    seller = facts.seller
    rows = [
        Space(quantity=facts.count(i.quantity), title=i.description, description=i.details, price=facts.plain(i.price),
              amount=facts.plain(i.total))
        for i in facts.items
    ]  # fmt: skip
    page = render(
        site / "InvoiceBuddy/templates", "invoice_template.html", invoice_number=facts.number, invoice_type="",
        seller_name=seller.name, seller_address=f"{seller.street}, {seller.place}", seller_country=seller.country,
        seller_phone=seller.phone, seller_email=seller.mail, invoice_date=facts.day(facts.issued),
        reference_number=facts.order, due_date=facts.day(facts.due), total_amount=facts.plain(facts.total),
        currency_name=facts.currency, currency_symbol=facts.symbol, customer_name=facts.buyer.name, description="",
        items=rows, invoice_terms_and_conditions=facts.note, seller_iban=seller.iban, seller_bic=seller.bic,
        seller_bank_name=seller.bank, seller_bank_address=seller.city, seller_paypal_address=seller.mail,
    )  # fmt: skip
    styles = "".join(
        (site / f"InvoiceBuddy/static/{name}").read_text() for name in ("bootstrap/css/bootstrap.css", "main.css")
    )
    return page.replace("</head>", f"<style>{styles}</style></head>")


@template("billwright", "billwright==0.4.0", licence="Apache-2.0")
def billwright(facts: Facts, site: Path, rng: Random) -> str:
    seller, buyer = facts.seller, facts.buyer
    text: dict[str, Any] = {
        "invoice": "Invoice", "date": "Date", "invoice_number": "Invoice no.", "service_date_note": "",
        "intro": "Thank you for your order. We invoice:", "position": "Pos.", "quantity": "Quantity", "unit": "Unit",
        "description": "Description", "unit_price": "Unit price", "line_total": "Total", "net": "Net amount",
        "vat": facts.tax_name, "total": f"Total {facts.currency}", "terms": "Payable within {days} days.",
        "questions": "We are happy to answer questions.", "closing": "Kind regards",
    }  # fmt: skip
    rows = [
        Space(quantity=i.quantity, unit=i.unit, description=i.description, unit_price=i.price, total=i.total)
        for i in facts.items
    ]  # fmt: skip
    folder = site / "billwright/templates"
    return render(
        folder, "bill.html.j2",
        {"qty": facts.count, "chf": facts.plain, "unit": lambda language, unit: unit},
        company=Space(
            name=seller.name, person=seller.person, email=seller.mail, phone=seller.phone, website=seller.web,
            bank=seller.bank, iban=seller.iban, bic=seller.bic, uid=seller.vat, tagline="", wordmark=seller.name,
            address=Space(street_line=seller.street, city_line=seller.place, country=seller.country),
        ),
        company_country=seller.country, client_country=buyer.country, text=Space(**text), language="en",
        bill=Space(
            number=facts.number, items=rows, net=facts.net, terms_days=facts.days, note="",
            client=Space(
                reference=facts.customer if rng.random() < 0.5 else "",
                address=Space(name=buyer.name, lines=[], street_line=buyer.street, city_line=buyer.place),
            ),
        ),
        brand=Space(wordmark={"line2": seller.name, "dot": ""}, mark=""),
        issued_short=facts.day(facts.issued), salutation="Dear customer,", total=facts.total,
        vat_amount=facts.tax or None, vat_rate=facts.rate, payment_layout="none",
    )  # fmt: skip


@template(
    "yinv",
    "yinv==0.2.0",
    licence="MIT",
    options=FactOptions(shipping=True, currencies=("USD", "EUR", "GBP", "CAD", "AUD")),
)
def yinv(facts: Facts, site: Path, rng: Random) -> str:
    seller, buyer = facts.seller, facts.buyer
    style = (site / "yinv/templates/invoice.css").read_text()
    invoice = {
        "invoice_number": facts.number, "date_of_issue": facts.issued, "due_date": facts.due, "service_month": "",
        "purchase_order": facts.order if rng.random() < 0.4 else None, "currency": facts.currency,
        "from": {"name": seller.name, "address": [seller.street, seller.place], "email": seller.mail},
        "billed_to": {"name": buyer.name, "address": [buyer.street, buyer.place, buyer.country]},
        "line_items": [{"description": i.description, "qty": i.quantity, "unit_cost": i.price} for i in facts.items],
        "tax_rate": facts.rate if facts.tax else 0, "shipping": facts.shipping, "terms": facts.note,
        "bank_details": {
            "name": seller.name, "bank_name": seller.bank, "bank_address": [seller.city], "account_type": "Checking",
            "account_number": seller.iban, "routing_number": "021000021", "swift_bic": seller.bic,
        },
    }  # fmt: skip
    page = render(
        site / "yinv/templates", "invoice.html.jinja", invoice=invoice, total=facts.total, subtotal=facts.subtotal,
        tax=facts.tax, format_date=lambda day: f"{day:%b} {day.day}, {day.year}", format_number=lambda n: f"{n:,}",
        format_money=lambda value, currency, with_code=False: f"{currency if with_code else facts.symbol} {value:,.2f}",
        format_service_period=lambda month: f"{facts.delivered:%B %Y}",
    )  # fmt: skip
    return page.replace('<link rel="stylesheet" href="invoice.css">', f"<style>{style}</style>")
