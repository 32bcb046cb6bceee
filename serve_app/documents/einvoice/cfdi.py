"""Mexico's CFDI 4, whose values are attributes."""

from collections.abc import Iterable
from decimal import Decimal

from serve_app.documents.einvoice.xml import Element, to_amount, to_day
from serve_app.domain.einvoice import (
    Address,
    Adjustment,
    EInvoice,
    EInvoiceSyntax,
    Identifier,
    Line,
    Party,
    Payment,
    PrecedingInvoice,
    Totals,
    VatBreakdown,
)

NAMESPACE = "http://www.sat.gob.mx/cfd/4"
_CREDIT, _INVOICE = "381", "380"
_EXPENSE = "E"
"""The type of a credit note."""
# The kinds of payment as UNTDID 4461: cash, cheque, transfer, cards.
_MEANS = {"01": "10", "02": "20", "03": "30", "04": "54", "28": "55"}
_RATE = "Tasa"


def parse_cfdi(root: Element) -> EInvoice:
    """One invoice."""
    tax, seller, buyer = root.at("Impuestos"), root.at("Emisor"), root.at("Receptor")
    stamp = root.at("Complemento/TimbreFiscalDigital").attribute("UUID")
    return EInvoice(
        EInvoiceSyntax.CFDI,
        f"CFDI {root.attribute('Version') or ''}".strip(),
        specification=root.attribute("Version"),
        number="-".join(filter(None, map(root.attribute, ("Serie", "Folio")))) or stamp,
        issued_at=to_day(root.attribute("Fecha")),
        type_code=_CREDIT if root.attribute("TipoDeComprobante") == _EXPENSE else _INVOICE,
        currency=root.attribute("Moneda"),
        notes=(f"Folio fiscal: {stamp}",) if stamp else (),
        preceding=tuple(
            PrecedingInvoice(each.attribute("UUID")) for each in root.all("CfdiRelacionados/CfdiRelacionado")
        ),
        seller=_party(seller, root.attribute("LugarExpedicion")),
        buyer=_party(buyer, buyer.attribute("DomicilioFiscalReceptor")),
        payment=Payment(
            means_code=_MEANS.get(root.attribute("FormaPago") or ""), terms=root.attribute("CondicionesDePago")
        ),
        totals=Totals(
            lines=_amount(root, "SubTotal"),
            allowances=_amount(root, "Descuento"),
            net=_net(root),
            tax=_amount(tax, "TotalImpuestosTrasladados"),
            gross=_amount(root, "Total"),
            withheld=_amount(tax, "TotalImpuestosRetenidos"),
        ),
        vat=tuple(map(_vat, tax.all("Traslados/Traslado"))),
        lines=tuple(_line(each, number) for number, each in enumerate(root.all("Conceptos/Concepto"), 1)),
    )


def _amount(node: Element, name: str) -> Decimal | None:
    return to_amount(node.attribute(name))


def _net(root: Element) -> Decimal | None:
    lines = _amount(root, "SubTotal")
    return None if lines is None else lines - (_amount(root, "Descuento") or 0)


def _party(node: Element, postal_code: str | None) -> Party:
    return Party(
        name=node.attribute("Nombre"),
        vat_id=node.attribute("Rfc"),
        address=Address(postal_code=postal_code) if postal_code else None,
    )


def _vat(node: Element) -> VatBreakdown:
    return VatBreakdown(base=_amount(node, "Base"), tax=_amount(node, "Importe"), rate=_rate([node]))


def _rate(taxes: Iterable[Element]) -> Decimal | None:
    """In percent; an amount for each piece is no rate."""
    rates = (_amount(each, "TasaOCuota") for each in taxes if each.attribute("TipoFactor") == _RATE)
    return next(((rate * 100).normalize() for rate in rates if rate is not None), None)


def _line(node: Element, number: int) -> Line:
    total, discount = _amount(node, "Importe"), _amount(node, "Descuento")
    return Line(
        id=str(number),
        name=node.attribute("Descripcion"),
        seller_item_id=node.attribute("NoIdentificacion"),
        standard_item_id=Identifier(kind, "SAT") if (kind := node.attribute("ClaveProdServ")) else None,
        quantity=_amount(node, "Cantidad"),
        unit=node.attribute("ClaveUnidad") or node.attribute("Unidad"),
        net=None if total is None else total - (discount or 0),
        price=_amount(node, "ValorUnitario"),
        vat_rate=_rate(node.all("Impuestos/Traslados/Traslado")),
        adjustments=(Adjustment(is_charge=False, amount=discount),) if discount else (),
    )
