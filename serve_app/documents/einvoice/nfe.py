"""Brazil's NF-e 4. Its prices contain the tax (ICMS), so that net sums do not exist."""

from collections.abc import Iterator
from decimal import Decimal

from serve_app.documents.einvoice.xml import Element
from serve_app.domain.einvoice import (
    Address,
    Adjustment,
    Contact,
    EInvoice,
    EInvoiceSyntax,
    Identifier,
    Line,
    Party,
    Payment,
    PrecedingInvoice,
    Totals,
)

NAMESPACE = "http://www.portalfiscal.inf.br/nfe"
_CREDIT, _INVOICE = "381", "380"
_RETURN = "4"
"""The purpose of a return of goods."""
# The kinds of payment as UNTDID 4461: cash, cheque, cards, bank slip, transfer.
_MEANS = {"01": "10", "02": "20", "03": "54", "04": "55", "15": "42", "18": "30"}
_CHARGES = (("vFrete", "Frete"), ("vSeg", "Seguro"), ("vOutro", "Outras despesas"), ("vIPI", "IPI"), ("vST", "ICMS ST"))


def parse_nfe(root: Element) -> EInvoice:
    """One invoice, with or without the authorisation around it."""
    invoice = root.at("NFe/infNFe") or root.at("infNFe")
    head, totals = invoice.at("ide"), invoice.at("total/ICMSTot")
    due = [day for each in invoice.all("cobr/dup") if (day := each.day("dVenc"))]
    return EInvoice(
        EInvoiceSyntax.NFE,
        f"NF-e {invoice.attribute('versao') or ''}".strip(),
        specification=invoice.attribute("versao"),
        process=head.text("natOp"),
        number=head.text("nNF"),
        issued_at=head.day("dhEmi") or head.day("dEmi"),
        type_code=_CREDIT if head.raw("finNFe") == _RETURN else _INVOICE,
        currency="BRL",
        due_at=max(due, default=None),
        order=invoice.text("compra/xPed"),
        contract=invoice.text("compra/xCont"),
        notes=tuple(_notes(root, invoice)),
        preceding=tuple(PrecedingInvoice(each.text("refNFe")) for each in head.all("NFref")),
        seller=_party(invoice.at("emit"), "enderEmit"),
        buyer=_party(invoice.at("dest"), "enderDest"),
        payment=Payment(means_code=_MEANS.get(invoice.raw("pag/detPag/tPag")), reference=invoice.text("cobr/fat/nFat")),
        adjustments=tuple(_adjustments(totals)),
        totals=Totals(
            lines=totals.amount("vProd"),
            allowances=totals.amount("vDesc"),
            tax=totals.amount("vICMS"),
            gross=totals.amount("vNF"),
            due=invoice.amount("cobr/fat/vLiq"),
        ),
        lines=tuple(map(_line, invoice.all("det"))),
    )


def _notes(root: Element, invoice: Element) -> Iterator[str]:
    series, key = invoice.text("ide/serie"), root.text("protNFe/infProt/chNFe") or _key(invoice)
    yield from filter(None, (series and f"Série: {series}", key and f"Chave de acesso: {key}"))
    yield from filter(None, (each.note() for each in invoice.all("infAdic/infCpl")))


def _key(invoice: Element) -> str | None:
    return (invoice.attribute("Id") or "").removeprefix("NFe") or None


def _party(node: Element, address: str) -> Party:
    place = node.at(address)
    registration = node.text("IE")
    return Party(
        name=node.text("xNome"),
        trading_name=node.text("xFant"),
        vat_id=node.text("CNPJ") or node.text("CPF") or node.text("idEstrangeiro"),
        registration=Identifier(registration, "IE") if registration else None,
        address=_address(place) if place else None,
        contact=_contact(node.text("email"), place.text("fone")),
    )


def _address(node: Element) -> Address:
    return Address(
        line_1=", ".join(filter(None, (node.text("xLgr"), node.text("nro")))) or None,
        line_2=node.text("xCpl"),
        line_3=node.text("xBairro"),
        city=node.text("xMun"),
        postal_code=node.text("CEP"),
        subdivision=node.text("UF"),
        country="BR" if node.raw("cPais") in ("", "1058") else None,
    )


def _contact(email: str | None, phone: str | None) -> Contact | None:
    return Contact(email=email, phone=phone) if email or phone else None


def _adjustments(totals: Element) -> Iterator[Adjustment]:
    if discount := totals.amount("vDesc"):
        yield Adjustment(is_charge=False, amount=discount, reason="Desconto")
    for name, reason in _CHARGES:
        if amount := totals.amount(name):
            yield Adjustment(is_charge=True, amount=amount, reason=reason)


def _line(node: Element) -> Line:
    product = node.at("prod")
    gtin, discount = product.text("cEAN"), product.amount("vDesc")
    total = product.amount("vProd")
    return Line(
        id=node.attribute("nItem"),
        name=product.note("xProd"),
        description=node.note("infAdProd"),
        seller_item_id=product.text("cProd"),
        standard_item_id=Identifier(gtin, "0160") if gtin and gtin.isdigit() else None,
        quantity=product.amount("qCom"),
        unit=product.text("uCom"),
        net=None if total is None else total - (discount or Decimal(0)),
        price=product.amount("vUnCom"),
        vat_rate=_rate(node),
        adjustments=(Adjustment(is_charge=False, amount=discount),) if discount else (),
    )


def _rate(line: Element) -> Decimal | None:
    """That of ICMS, whose element is named by the tax regime."""
    regimes = line.at("imposto/ICMS").node
    return None if regimes is None else next((Element(each).amount("pICMS") for each in regimes), None)
