"""HTML templates of Django applications, rendered by Django without the applications themselves."""

from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace as Space
from typing import Any

from models.training.templates.facts import FactOptions, Facts, Party
from models.training.templates.registry import template

DJANGO = ("django==4.2.24", "asgiref==3.9.1", "sqlparse==0.5.3")


class Rows(list[Any]):
    """Rows as Django's managers give them."""

    def all(self) -> list[Any]:
        """All rows."""
        return list(self)


def render(folders: list[Path], name: str, libraries: dict[str, str] | None = None, **context: Any) -> str:
    """A template below one of `folders`, with tag libraries by the module that has them."""
    django, settings = import_module("django"), import_module("django.conf").settings
    if not settings.configured:
        settings.configure(
            USE_I18N=True,
            STATIC_URL="static/",
            INSTALLED_APPS=["django.contrib.staticfiles"],
            TEMPLATES=[
                {
                    "BACKEND": "django.template.backends.django.DjangoTemplates",
                    "DIRS": folders,
                    "OPTIONS": {"libraries": libraries or {}},
                }
            ],
        )
        django.setup()
    page: str = import_module("django.template.loader").render_to_string(name, {"_": lambda text: text, **context})
    return page


@template("django-silver", "django-silver==0.11.1", *DJANGO, licence="Apache-2.0", options=FactOptions(tax=False))
def silver(facts: Facts, site: Path, rng: Random) -> str:
    rows = [
        Space(description=i.description, unit=i.unit, quantity=i.quantity, unit_price=i.price, total=i.total)
        for i in facts.items
    ]
    series, _, number = facts.number.partition("-")
    return render(
        [_folder(site, "silver")],
        "billing_documents/invoice_pdf.html",
        document=Space(
            kind="Invoice",
            series=series if number else "",
            number=number or facts.number,
            state="issued",
            issue_date=facts.issued,
            due_date=facts.due,
            sales_tax_percent=None,
            currency=facts.currency,
            total=facts.total,
        ),
        provider=_silver(facts.seller),
        customer=_silver(facts.buyer),
        entries=rows,
    )


def _silver(party: Party) -> Space:
    return Space(
        billing_name=party.name,
        address_1=party.street,
        address_2="",
        city=party.city,
        state=party.country,
        zip_code=party.zip,
        email=party.mail,
        extra=f"{party.phone}\n{party.iban}",
        sales_tax_number=party.vat,
        company="",
        customer_reference="",
    )


def _folder(site: Path, package: str) -> Path:
    return site / package / "templates"


@template("django-rinvoices", "django-rinvoices==0.0.25", *DJANGO, licence="BSD")
def rinvoices(facts: Facts, site: Path, rng: Random) -> str:
    seller, buyer = facts.seller, facts.buyer
    rows = [
        Space(
            reference=i.code,
            concept=i.description,
            quantity=i.quantity,
            unit=i.unit,
            unit_price=i.price,
            amount=i.total,
        )
        for i in facts.items
    ]
    return render(
        [_folder(site, "rinvoices")],
        "rinvoices/default.html",
        myinvoice=Space(
            header=Space(
                name=seller.name,
                address=seller.street,
                city=seller.place,
                phone=seller.phone,
                email=seller.mail,
                cif=seller.vat,
                more=f"{seller.bank}<br>{seller.iban}",
            ),
            customer=Space(name=buyer.name, cif=buyer.vat, address=f"{buyer.street}, {buyer.place}"),
            invoice_number=facts.number,
            date=facts.issued,
            description1=facts.note,
            description2="",
            line=Rows(rows),
            subtotal=facts.net,
            taxes=f"{facts.rate}%",
            subtotal_iva=facts.tax,
            currency=facts.symbol,
            retentions=Space(value="0.00"),
            total=facts.total,
        ),
    )


@template("django-plans", "django-plans==2.8.2", *DJANGO, licence="MIT",
          options=FactOptions(language="pl", rows=(1, 1), long_share=0.0), lacks=(), share=0.6)  # fmt: skip
def plans(facts: Facts, site: Path, rng: Random) -> str:
    item = facts.items[0]
    kinds = Space(INVOICE=1, PROFORMA=2, DUPLICATE=3)
    data: dict[str, Any] = {
        "type": 1,
        "INVOICE_TYPES": kinds,
        "full_number": facts.number,
        "issued": facts.issued,
        "selling_date": facts.delivered,
        "payment_date": facts.due,
        "rebate": None,
        "item_description": item.description,
        "unit_price_net": item.price,
        "quantity": facts.count(item.quantity),
        "total_net": facts.net,
        "tax": facts.rate if facts.tax else None,
        "tax_total": facts.tax if facts.tax else None,
        "total": facts.total,
        "currency": facts.currency,
    }
    for role, party in (("issuer", facts.seller), ("buyer", facts.buyer), ("shipping", facts.buyer)):
        data |= {
            f"{role}_name": party.name, f"{role}_street": party.street, f"{role}_zipcode": party.zip,
            f"{role}_city": party.city, f"{role}_tax_number": party.vat,
            f"{role}_country": Space(code=party.country_code, name=party.country),
        }  # fmt: skip
    return render([_folder(site, "plans")], "plans/invoices/PL_EN.html", invoice=Space(**data), copy=rng.random() < 0.2)


@template("django-faktura", "django-faktura==0.1", *DJANGO, licence="MIT", options=FactOptions(discount=False))
def faktura(facts: Facts, site: Path, rng: Random) -> str:
    rows = [Space(title=i.description, quantity=i.quantity, price=i.price, total_amount=i.total) for i in facts.items]
    page = render(
        [_folder(site, "faktura")], "faktura/invoice_detail.html", generating_pdf=True,
        object=Space(
            get_type_display="Invoice", get_status_display=rng.choice(("Paid", "Open", "Sent")), number=facts.number,
            date_of_issue=facts.day(facts.issued), due_date=facts.day(facts.due), includes_vat=bool(facts.tax),
            seller=facts.seller.name, seller_details=_details(facts.seller), buyer=facts.buyer.name,
            buyer_details=_details(facts.buyer), items=Rows(rows), currency=facts.currency, vat=facts.rate,
            items_vat=facts.tax, items_total_with_vat=facts.total, discount=0, total_amount=facts.total,
        ),
    )  # fmt: skip
    style = site / "bootstrap.css"
    return page.replace("</head>", f"<style>{style.read_text() if style.exists() else ''}</style></head>")


def _details(party: Party) -> str:
    return f"{party.street}\n{party.place}\n{party.country}\n{party.vat}"


@template("cartridge", "cartridge==1.3.4", *DJANGO, licence="BSD",
          options=FactOptions(shipping=True, discount=True, plain_number=True, buyer_person=0.8))  # fmt: skip
def cartridge(facts: Facts, site: Path, rng: Random) -> str:
    buyer = facts.buyer
    names, values = (
        ("First name", "Street", "City", "Country", "Phone"),
        (buyer.name, buyer.street, buyer.place, buyer.country, buyer.phone),
    )
    fields = list(zip(names, values, strict=True))
    rows = [
        Space(description=i.description, unit_price=i.price, quantity=facts.count(i.quantity), total_price=i.total)
        for i in facts.items
    ]
    shop_tags = import_module("models.training.templates.recipes.shop_tags")
    shop_tags.FACTS.append(facts)
    return render(
        [site / "cartridge/shop/templates"], "shop/includes/order_details.html",
        {"shop_tags": "models.training.templates.recipes.shop_tags"}, settings=Space(SITE_TITLE=facts.seller.name),
        order=Space(id=facts.number, time=facts.day(facts.issued), items=Rows(rows)),
        order_billing_detail_fields=fields, order_shipping_detail_fields=fields,
    )  # fmt: skip
