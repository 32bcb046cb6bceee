"""Italy's FatturaPA 1.2, of ordinary and of public customers, and its simplified form for small amounts."""

from collections.abc import Iterable, Iterator
from decimal import Decimal

from serve_app.documents.einvoice.xml import Element, sum_of
from serve_app.domain.einvoice import (
    Account,
    Address,
    Adjustment,
    Attachment,
    Contact,
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

NAMESPACES = (
    "http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1",
    "http://www.fatturapa.gov.it/sdi/fatturapa/v1",
)
"""How they begin; the version follows."""
_BODY = "FatturaElettronicaBody"
LINES, SIMPLIFIED_LINES = f"{_BODY}/DatiBeniServizi/DettaglioLinee", f"{_BODY}/DatiBeniServizi"
"""Where the lines of a file are, ordinary and simplified."""
INVOICES = _BODY
"""Where its invoices are."""
# The kinds of documents as UNTDID 1001; all others are invoices.
_TYPES = {"TD02": "386", "TD03": "386", "TD04": "381", "TD05": "383", "TD08": "381", "TD09": "383"}
_SELF_BILLED, _BUYER = "389", "CC"
_CHARGE = "MG"
_PENSION_FUND = "Cassa previdenziale"
"""The reason of contributions that professionals charge."""
# The kinds of payment as UNTDID 4461.
_MEANS = {
    "MP01": "10",
    "MP02": "20",
    "MP05": "30",
    "MP08": "48",
    "MP12": "70",
    "MP19": "59",
    "MP20": "59",
    "MP21": "59",
}


def parse_fatturapa(root: Element) -> EInvoice:
    """The first invoice of the file."""
    header, body = root.at("FatturaElettronicaHeader"), root.at(_BODY)
    general = body.at("DatiGenerali")
    document = general.at("DatiGeneraliDocumento")
    payments = list(body.all("DatiPagamento/DettaglioPagamento"))
    return EInvoice(
        EInvoiceSyntax.FATTURAPA,
        f"FatturaPA {root.attribute('versione') or ''}".strip(),
        specification=root.attribute("versione"),
        number=document.text("Numero"),
        issued_at=document.day("Data"),
        type_code=_type_code(document, header.raw("SoggettoEmittente")),
        currency=document.text("Divisa"),
        due_at=max((day for each in payments if (day := each.day("DataScadenzaPagamento"))), default=None),
        buyer_reference=header.text("DatiTrasmissione/CodiceDestinatario"),
        project=general.text("DatiOrdineAcquisto/CodiceCUP"),
        contract=general.text("DatiContratto/IdDocumento"),
        order=general.text("DatiOrdineAcquisto/IdDocumento"),
        despatch_advice=general.text("DatiDDT/NumeroDDT"),
        notes=tuple(filter(None, (each.note() for each in document.all("Causale")))),
        preceding=tuple(
            PrecedingInvoice(each.text("IdDocumento"), each.day("Data")) for each in general.all("DatiFattureCollegate")
        ),
        seller=_party(header.at("CedentePrestatore")),
        buyer=_party(header.at("CessionarioCommittente")),
        tax_representative=_party(header.at("RappresentanteFiscale")) if header.at("RappresentanteFiscale") else None,
        payment=_payment(payments),
        adjustments=tuple(_adjustments(document)),
        totals=_totals(body, document),
        vat=tuple(map(_vat, body.all("DatiBeniServizi/DatiRiepilogo"))),
        attachments=_attachments(body),
        lines=tuple(map(_line, body.all("DatiBeniServizi/DettaglioLinee"))),
    )


def parse_simplified(root: Element) -> EInvoice:
    """The first invoice of a file of simplified ones: their amounts include tax, and most have no payment."""
    header, body = root.at("FatturaElettronicaHeader"), root.at(_BODY)
    document, corrected = (
        body.at(f"DatiGenerali/{name}") for name in ("DatiGeneraliDocumento", "DatiFatturaRettificata")
    )
    items, seller = list(body.all("DatiBeniServizi")), header.at("CedentePrestatore")
    preceding = PrecedingInvoice(corrected.text("NumeroFR"), corrected.day("DataFR"))
    representative = seller.at("RappresentanteFiscale")
    gross, tax = sum_of(each.amount("Importo") for each in items), _known_sum(map(_tax_included, items))
    return EInvoice(
        EInvoiceSyntax.FATTURAPA,
        f"FatturaPA {root.attribute('versione') or ''}".strip(),
        specification=root.attribute("versione"),
        number=document.text("Numero"),
        issued_at=document.day("Data"),
        type_code=_type_code(document, header.raw("SoggettoEmittente")),
        currency=document.text("Divisa"),
        buyer_reference=header.text("DatiTrasmissione/CodiceDestinatario"),
        notes=tuple(filter(None, (corrected.note("ElementiRettificati"),))),
        preceding=(preceding,) if corrected else (),
        seller=_party(seller),
        buyer=_party(header.at("CessionarioCommittente")),
        tax_representative=_party(representative) if representative else None,
        totals=Totals(net=None if gross is None or tax is None else gross - tax, tax=tax, gross=gross),
        vat=tuple(map(_simplified_vat, items)),
        attachments=_attachments(body),
        lines=tuple(
            Line(
                id=str(number),
                name=each.note("Descrizione"),
                net=each.amount("Importo"),
                vat_category=_category(each),
                vat_rate=each.amount("DatiIVA/Aliquota"),
            )
            for number, each in enumerate(items, 1)
        ),
    )


def _tax_included(item: Element) -> Decimal | None:
    """The tax as it is stated, which is none at a rate of zero. Of others that state only their rate, it is unknown:
    where it is rounded is not said."""
    stated = item.amount("DatiIVA/Imposta")
    return Decimal("0.00") if stated is None and item.amount("DatiIVA/Aliquota") == 0 else stated


def _known_sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    """None if one is unknown."""
    known = list(amounts)
    return None if None in known else sum_of(known)


def _simplified_vat(item: Element) -> VatBreakdown:
    gross, tax = item.amount("Importo"), _tax_included(item)
    return VatBreakdown(
        base=None if gross is None or tax is None else gross - tax,
        tax=tax,
        category=_category(item),
        rate=item.amount("DatiIVA/Aliquota"),
        exemption_reason=item.note("RiferimentoNormativo"),
        exemption_code=item.text("Natura"),
    )


def _category(node: Element) -> str | None:
    """Why no tax is charged is given as a kind of its own, which EN 16931 does not have."""
    return None if node.raw("Natura") else "S"


def _attachments(body: Element) -> tuple[Attachment, ...]:
    return tuple(
        Attachment(description=each.note("DescrizioneAttachment"), file_name=each.text("NomeAttachment"))
        for each in body.all("Allegati")
    )


def _type_code(document: Element, issuer: str) -> str:
    return _TYPES.get(document.raw("TipoDocumento")) or (_SELF_BILLED if issuer == _BUYER else "380")


def _party(node: Element) -> Party:
    """Simplified invoices have numbers and names of sellers, and names of buyers, in other places."""
    data = node.at("DatiAnagrafici|IdentificativiFiscali") or node
    named = node.at("AltriDatiIdentificativi") or node
    tax, register = data.at("IdFiscaleIVA"), node.at("IscrizioneREA")
    registration = " ".join(filter(None, (register.text("Ufficio"), register.text("NumeroREA"))))
    place, contact = named.at("Sede"), node.at("Contatti")
    return Party(
        name=_name(data.at("Anagrafica") or named),
        registration=Identifier(registration, "REA") if registration else None,
        vat_id="".join(filter(None, (tax.text("IdPaese"), tax.text("IdCodice")))) or None,
        tax_number=data.text("CodiceFiscale"),
        address=_address(place) if place else None,
        contact=Contact(phone=contact.text("Telefono"), email=contact.text("Email")) if contact else None,
    )


def _name(node: Element) -> str | None:
    person = " ".join(filter(None, (node.text("Nome"), node.text("Cognome"))))
    return node.text("Denominazione") or person or None


def _address(place: Element) -> Address:
    return Address(
        line_1=" ".join(filter(None, (place.text("Indirizzo"), place.text("NumeroCivico")))) or None,
        city=place.text("Comune"),
        postal_code=place.text("CAP"),
        subdivision=place.text("Provincia"),
        country=place.text("Nazione"),
    )


def _payment(payments: list[Element]) -> Payment:
    kind = next(filter(None, (each.text("ModalitaPagamento") for each in payments)), None)
    accounts = (Account(each.text("IBAN"), each.text("Beneficiario"), each.text("BIC")) for each in payments)
    return Payment(
        means_code=_MEANS.get(kind or ""),
        means_text=kind,
        reference=next(filter(None, (each.text("CodicePagamento") for each in payments)), None),
        accounts=tuple(dict.fromkeys(each for each in accounts if each.number)),
    )


def _adjustments(document: Element) -> Iterator[Adjustment]:
    for each in document.all("ScontoMaggiorazione"):
        is_charge, percent = each.raw("Tipo") == _CHARGE, each.amount("Percentuale")
        yield Adjustment(is_charge, each.amount("Importo"), percent=percent)
    for each in document.all("DatiCassaPrevidenziale"):
        yield Adjustment(
            is_charge=True,
            amount=each.amount("ImportoContributoCassa"),
            base=each.amount("ImponibileCassa"),
            percent=each.amount("AlCassa"),
            vat_category=None if each.raw("Natura") else "S",
            vat_rate=each.amount("AliquotaIVA"),
            reason=" ".join(filter(None, (_PENSION_FUND, each.text("TipoCassa")))),
        )


def _line_adjustments(line: Element) -> Iterator[Adjustment]:
    """They are given for one piece, each as an amount or a share of the price after those before it."""
    price, quantity = line.amount("PrezzoUnitario"), line.amount("Quantita")
    for each in line.all("ScontoMaggiorazione"):
        is_charge, percent, amount = each.raw("Tipo") == _CHARGE, each.amount("Percentuale"), each.amount("Importo")
        if amount is None and price is not None and percent is not None:
            amount = price * percent / 100
        if price is not None and amount is not None:
            price += amount if is_charge else -amount
        total = None if amount is None else amount * (1 if quantity is None else quantity)
        yield Adjustment(is_charge, None if total is None else Decimal(f"{total:.2f}"), percent=percent)


def _totals(body: Element, document: Element) -> Totals:
    """The format states the sums of each rate; net and tax are their sums."""
    sums = list(body.all("DatiBeniServizi/DatiRiepilogo"))
    stated, rounding = document.amount("ImportoTotaleDocumento"), document.amount("Arrotondamento")
    net, tax = (sum_of(each.amount(name) for each in sums) for name in ("ImponibileImporto", "Imposta"))
    return Totals(
        net=net,
        tax=tax,
        gross=sum_of((net, tax, rounding)) if stated is None else stated,
        rounding=rounding,
        due=sum_of(each.amount() for each in body.all("DatiPagamento/DettaglioPagamento/ImportoPagamento")),
        withheld=sum_of(each.amount() for each in document.all("DatiRitenuta/ImportoRitenuta")),
    )


def _vat(node: Element) -> VatBreakdown:
    return VatBreakdown(
        base=node.amount("ImponibileImporto"),
        tax=node.amount("Imposta"),
        category=_category(node),
        rate=node.amount("AliquotaIVA"),
        exemption_reason=node.note("RiferimentoNormativo"),
        exemption_code=node.text("Natura"),
    )


def _line(node: Element) -> Line:
    period = Period(node.day("DataInizioPeriodo"), node.day("DataFinePeriodo"))
    code = node.at("CodiceArticolo")
    return Line(
        id=node.text("NumeroLinea"),
        name=node.note("Descrizione"),
        seller_item_id=code.text("CodiceValore"),
        quantity=node.amount("Quantita"),
        unit=node.text("UnitaMisura"),
        net=node.amount("PrezzoTotale"),
        price=node.amount("PrezzoUnitario"),
        vat_category=_category(node),
        vat_rate=node.amount("AliquotaIVA"),
        adjustments=tuple(_line_adjustments(node)),
        period=period if period != Period() else None,
    )
