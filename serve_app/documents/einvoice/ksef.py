"""Poland's structured invoices, FA(2) and FA(3), as KSeF takes them."""

from collections.abc import Iterator
from decimal import Decimal

from serve_app.documents.einvoice.xml import Element, sum_of, to_amount
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

NAMESPACE = "http://crd.gov.pl/wzor/"
"""How it begins; date and number of the version follow."""
# Net and tax by rate: the fields' endings, the category (UNTDID 5305) and the rate in percent, where it is fixed.
_RATES = (
    ("P_13_1", "P_14_1", "S", Decimal(23)), ("P_13_2", "P_14_2", "S", Decimal(8)),
    ("P_13_3", "P_14_3", "S", Decimal(5)), ("P_13_4", "P_14_4", "S", None), ("P_13_5", "P_14_5", "S", None),
    ("P_13_6_1", "", "Z", Decimal(0)), ("P_13_6_2", "", "K", Decimal(0)), ("P_13_6_3", "", "G", Decimal(0)),
    ("P_13_7", "", "E", Decimal(0)), ("P_13_8", "", "O", None), ("P_13_9", "", "O", None),
    ("P_13_10", "", "AE", Decimal(0)), ("P_13_11", "", "E", Decimal(0)),
)  # fmt: skip
# The category of a line whose rate is not a number of percents.
_CATEGORIES = {"0 KR": "Z", "0 WDT": "K", "0 EX": "G", "zw": "E", "oo": "AE", "np I": "O", "np II": "O", "np": "O"}
_ZLOTY = "PLN"
_YES = "1"
_FACTOR = "1"
"""The role of a third party that is paid in place of the seller."""
_CORRECTIONS = {"KOR", "KOR_ZAL", "KOR_ROZ"}
_CORRECTED, _CREDIT, _PREPAYMENT, _INVOICE = "384", "381", "386", "380"
# The kinds of payment as UNTDID 4461: cash, card, transfer.
_MEANS = {"1": "10", "2": "48", "4": "20", "6": "30"}


def parse_ksef(root: Element) -> EInvoice:
    """One invoice."""
    form = root.at("Naglowek/KodFormularza").attribute("kodSystemowy")
    invoice = root.at("Fa")
    payment = invoice.at("Platnosc")
    due = [day for each in payment.all("TerminPlatnosci/Termin") if (day := each.day())]
    return EInvoice(
        EInvoiceSyntax.KSEF,
        f"KSeF {(form or 'FA').replace(' ', '')}",
        specification=form,
        number=invoice.text("P_2"),
        issued_at=invoice.day("P_1"),
        type_code=_type_code(invoice),
        currency=invoice.text("KodWaluty"),
        tax_currency=_ZLOTY if _tax_in_zloty(invoice) is not None else None,
        due_at=max(due, default=None),
        contract=invoice.text("WarunkiTransakcji/Umowy/NrUmowy"),
        order=invoice.text("WarunkiTransakcji/Zamowienia/NrZamowienia"),
        notes=tuple(_notes(root, invoice)),
        preceding=tuple(
            PrecedingInvoice(each.text("NrFaKorygowanej"), each.day("DataWystFaKorygowanej"))
            for each in invoice.all("DaneFaKorygowanej")
        ),
        seller=_party(root.at("Podmiot1")),
        buyer=_party(root.at("Podmiot2")),
        payee=next((_party(each) for each in root.all("Podmiot3") if each.raw("Rola") == _FACTOR), None),
        delivery=Delivery(delivered_at=day) if (day := invoice.day("P_6")) else None,
        period=_period(invoice.at("OkresFa")),
        payment=_payment(payment),
        totals=_totals(invoice),
        vat=tuple(_breakdown(invoice)),
        lines=tuple(map(_line, invoice.all("FaWiersz"))),
    )


def _type_code(invoice: Element) -> str:
    """A correction states the difference, which is a credit if it is negative."""
    kind, total = invoice.raw("RodzajFaktury"), invoice.amount("P_15")
    if kind in _CORRECTIONS:
        return _CREDIT if total is not None and total < 0 else _CORRECTED
    return _PREPAYMENT if kind == "ZAL" else _INVOICE


def _notes(root: Element, invoice: Element) -> Iterator[str]:
    for each in invoice.all("DodatkowyOpis"):
        yield ": ".join(filter(None, (each.note("Klucz"), each.note("Wartosc"))))
    yield from filter(None, (each.note() for each in invoice.all("PrzyczynaKorekty")))
    yield from filter(None, (each.note() for each in root.all("Stopka/Informacje/StopkaFaktury")))


def _party(node: Element) -> Party:
    data, address, contact = node.at("DaneIdentyfikacyjne"), node.at("Adres"), node.at("DaneKontaktowe")
    foreign = "".join(filter(None, (data.text("KodUE"), data.text("NrVatUE"))))
    return Party(
        name=data.text("Nazwa") or data.text("PelnaNazwa"),
        identifiers=(Identifier(number),) if (number := node.text("NrKlienta")) else (),
        vat_id=data.text("NIP") or foreign or data.text("NrID"),
        address=_address(address) if address else None,
        contact=Contact(phone=contact.text("Telefon"), email=contact.text("Email")) if contact else None,
    )


def _address(node: Element) -> Address:
    return Address(line_1=node.text("AdresL1"), line_2=node.text("AdresL2"), country=node.text("KodKraju"))


def _period(node: Element) -> Period | None:
    found = Period(node.day("P_6_Od"), node.day("P_6_Do"))
    return found if found != Period() else None


def _payment(node: Element) -> Payment:
    """A factor's account takes the place of the seller's."""
    kind = node.text("FormaPlatnosci")
    found = [*node.all("RachunekBankowyFaktora")] or node.all("RachunekBankowy")
    accounts = (Account(each.text("NrRB"), each.text("NazwaBanku"), each.text("SWIFT")) for each in found)
    return Payment(
        means_code=_MEANS.get(kind or ""),
        means_text=node.text("OpisPlatnosci"),
        accounts=tuple(each for each in accounts if each.number),
        terms=node.note("TerminPlatnosci/TerminOpis"),
    )


def _totals(invoice: Element) -> Totals:
    """The form states the sums of each rate; net and tax are their sums. What is due follows from what is paid."""
    gross, due = invoice.amount("P_15"), invoice.amount("Rozliczenie/DoZaplaty")
    paid = _paid(invoice, gross)
    return Totals(
        net=sum_of(invoice.amount(net) for net, *_ in _RATES),
        tax=sum_of(invoice.amount(tax) for _, tax, *_ in _RATES if tax),
        tax_in_accounting_currency=_tax_in_zloty(invoice),
        gross=gross,
        paid=paid,
        due=gross - paid if due is None and gross is not None and paid is not None else due,
    )


def _tax_in_zloty(invoice: Element) -> Decimal | None:
    """Given where the invoice has another currency."""
    return sum_of(invoice.amount(f"{tax}W") for _, tax, *_ in _RATES if tax)


def _paid(invoice: Element, gross: Decimal | None) -> Decimal | None:
    payment = invoice.at("Platnosc")
    if payment.raw("Zaplacono") == _YES:
        return gross
    return sum_of(each.amount() for each in payment.all("ZaplataCzesciowa/KwotaZaplatyCzesciowej"))


def _breakdown(invoice: Element) -> Iterator[VatBreakdown]:
    for net, tax, category, rate in _RATES:
        base = invoice.amount(net)
        if base is not None:
            yield VatBreakdown(base, invoice.amount(tax) if tax else None, category, rate)


def _line(node: Element) -> Line:
    """Some invoices state prices and sums with tax instead (P_9B, P_11A). A correction may repeat the lines as they
    were before, which count negatively."""
    sign = -1 if node.raw("StanPrzed") == _YES else 1
    quantity, price, net = node.amount("P_8B"), _first(node, "P_9A", "P_9B"), _first(node, "P_11", "P_11A")
    discount = _discount(node.amount("P_10"), quantity, price, net)
    rate = node.raw("P_12")
    category = _CATEGORIES.get(rate, "S" if rate else None)
    return Line(
        id=node.text("NrWierszaFa"),
        name=node.note("P_7"),
        seller_item_id=node.text("Indeks"),
        standard_item_id=Identifier(gtin, "0160") if (gtin := node.text("GTIN")) else None,
        quantity=None if quantity is None else sign * quantity,
        unit=node.text("P_8A"),
        net=None if net is None else sign * net,
        price=price,
        vat_category=category,
        vat_rate=Decimal(0) if category in ("E", "AE") else to_amount(rate.split(" ")[0]),
        adjustments=(Adjustment(is_charge=False, amount=sign * discount),) if discount else (),
    )


def _discount(
    stated: Decimal | None, quantity: Decimal | None, price: Decimal | None, net: Decimal | None
) -> Decimal | None:
    """That of the line. Some state it for one piece, others for all."""
    if not stated or quantity is None or price is None or net is None:
        return stated
    return quantity * price - net


def _first(node: Element, *names: str) -> Decimal | None:
    return next((amount for name in names if (amount := node.amount(name)) is not None), None)
